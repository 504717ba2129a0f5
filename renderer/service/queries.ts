import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';

/** What this instance is and can do. Changes so rarely that a page load may rely on it. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.call('GET /config', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Who is signed in; `user` is null for strangers. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.call('GET /auth/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** What the signed-in person may upload, and has used. */
export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => client.call('GET /user/limits', { signal }),
  staleTime: 60_000,
});
