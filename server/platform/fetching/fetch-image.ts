import { fileTooLarge, RequestError } from '#server/platform/base/errors.ts';
import { type SentFile, type StagedFile, sentAsIs } from '#server/platform/storage/staged.ts';
import type { Staging } from '#server/platform/storage/staging.ts';
import { type AddressRules, type Resolve, resolveBySystem } from './addresses.ts';
import { type GuardedResponse, guardedRequest, parseWebAddress } from './guarded-request.ts';

/** The limits of a fetch. */
export interface FetchLimits {
  /** Largest file in bytes; 0: unlimited. */
  maxBytes: number;
  /** The total time limit in milliseconds. */
  timeoutMs: number;
  maxRedirects: number;
}

/** A picture from the web, complete in `tmp/`. */
export interface FetchedFile extends StagedFile, SentFile, AsyncDisposable {
  /** The name from the address; untrusted. */
  name: string;
}

export const FETCH_TIMEOUT_MS = 60_000;
export const MAX_REDIRECTS = 5;

/**
 * Fetches a file from another server into `tmp/`. Disposing of the result removes it.
 * @throws RequestError `url_not_allowed`, `url_unreachable` or `file_too_large`
 */
export async function fetchImage(
  address: string,
  { rules, staging, limits, resolve = resolveBySystem }: { rules: AddressRules; staging: Staging; limits: FetchLimits; resolve?: Resolve },
): Promise<FetchedFile> {
  await using files = new AsyncDisposableStack();
  const writer = files.use(await staging.create());
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let ownFault: unknown; // of our disk, which the sentences for faults of the other server must not cover
  const write = (bytes: Uint8Array) =>
    writer.write(bytes).catch((error) => {
      ownFault = error;
      throw error;
    });
  const name = await receive(address, write, { rules, limits, resolve, signal }).catch((error) => {
    throw ownFault ?? toRefusal(error, signal);
  });
  const file = await writer.finish();
  const kept = files.move();
  return { ...sentAsIs(file), name, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Receiving {
  rules: AddressRules;
  limits: FetchLimits;
  resolve: Resolve;
  signal: AbortSignal;
}

async function receive(address: string, write: (bytes: Uint8Array) => Promise<void>, receiving: Receiving): Promise<string> {
  const { response, url } = await followRedirects(parseWebAddress(address), receiving);
  try {
    const { maxBytes } = receiving.limits;
    if (response.status !== 200) throw unreachable(`${url.host} returned status ${response.status} instead of a picture.`);
    if (maxBytes > 0 && Number(response.header('content-length') ?? 0) > maxBytes) throw fileTooLarge(maxBytes);
    let received = 0;
    for await (const chunk of response.body) {
      received += chunk.length;
      if (maxBytes > 0 && received > maxBytes) throw fileTooLarge(maxBytes);
      await write(chunk);
    }
    return nameOf(url);
  } finally {
    await response.close();
  }
}

const HEADERS = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Pixdock' };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Checks the address of every redirect like the first one. */
async function followRedirects(
  start: URL,
  { rules, resolve, limits, signal }: Receiving,
): Promise<{ response: GuardedResponse; url: URL }> {
  let url = start;
  for (let redirects = 0; ; redirects++) {
    const response = await guardedRequest(url, rules, resolve, { headers: HEADERS, signal });
    const location = REDIRECTS.has(response.status) ? response.header('location') : undefined;
    if (location === undefined) return { response, url };
    await response.close();
    if (redirects === limits.maxRedirects) throw unreachable(`${start.host} redirects more than ${limits.maxRedirects} times.`);
    url = parseWebAddress(URL.parse(location, url.href)?.href ?? '');
  }
}

/** The last part of an address's path, decoded. */
function nameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last; // a stray percent sign
  }
}

function unreachable(message: string): RequestError {
  return new RequestError('url_unreachable', message, { field: 'url' });
}

/** Connection errors are the foreign server's. Their details could reveal networks behind this server. */
function toRefusal(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof RequestError) return error;
  if (signal.aborted) return unreachable('The other server didn’t respond in time. Try again later.');
  return unreachable('Couldn’t reach the other server, or the connection was lost.');
}
