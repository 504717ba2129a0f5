import { queryOptions } from '@tanstack/react-query';
import type { PhoneState } from '#api/auth/phones.ts';
import { client } from '#renderer/service/client.ts';

/** How often the page looks for the phone, in milliseconds. */
const INTERVAL_MS = 2_000;
/** After these, nothing more happens to a code. */
const FINAL: ReadonlySet<PhoneState['state']> = new Set(['connected', 'denied', 'expired']);

/** Creates a code for as long as the page is open. */
export const codeQuery = queryOptions({
  queryKey: ['phone', 'code'],
  queryFn: () => client.call('POST /phone/codes', {}),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  retry: false,
});

/** What has become of a code. */
export const phoneQuery = (code: string) =>
  queryOptions({
    queryKey: ['phone', 'state', code],
    queryFn: () => client.call('POST /phone/find', { body: { code } }),
    refetchInterval: ({ state }) => (state.data && FINAL.has(state.data.state) ? false : INTERVAL_MS),
    gcTime: 0,
  });
