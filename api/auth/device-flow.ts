import { z } from 'zod';
import { type Client, NetworkError } from '#api/client.ts';
import { classify } from '#api/failures.ts';
import { type DeviceScope, pollDevice, requestDevice } from './devices.ts';

// How a program asks another computer for a token (RFC 8628; decision 062), whose responses are checked like any input.

const openedRequest = z.object({
  device_code: z.string().min(1).max(200),
  user_code: z.string().min(1).max(40),
  verify_url: z.url({ protocol: /^https?$/ }).max(2000),
  interval: z.number().min(1).max(60),
  expires_in: z.number().min(1).max(3600),
});
export type OpenedRequest = z.infer<typeof openedRequest>;

const deviceAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['pending', 'slow_down', 'denied', 'expired']) }),
  z.object({ state: z.literal('approved'), token: z.string().regex(/^pxd_[\w-]{43}$/), username: z.string().max(200) }),
]);

interface Wanted {
  /** Of the device, and of its token. */
  name: string;
  scope: DeviceScope;
}

/** Requests a token. @throws ApiError, NetworkError */
export async function openRequest(client: Client, body: Wanted, signal?: AbortSignal): Promise<OpenedRequest> {
  return checked(client, openedRequest, await client.call(requestDevice, { body, ...(signal && { signal }) }));
}

/**
 * Polls once; `unreachable` for a server that is away for a moment or busy, which can be polled again.
 * @throws ApiError, NetworkError; the signal's reason
 */
export async function askOnce(client: Client, device_code: string, signal?: AbortSignal) {
  const answer = await client.call(pollDevice, { body: { device_code }, ...(signal && { signal }) }).catch((error: unknown) => {
    if (!signal?.aborted && ['retry', 'wait'].includes(classify(error))) return undefined;
    throw error;
  });
  return answer === undefined ? ('unreachable' as const) : checked(client, deviceAnswer, answer);
}

function checked<T>({ baseUrl }: Client, schema: z.ZodType<T>, response: unknown): T {
  const { data, error } = schema.safeParse(response);
  if (error) throw new NetworkError(`Could not reach ${baseUrl}: its response isn’t from Pixdock.`, { status: 200, cause: error });
  return data as T;
}
