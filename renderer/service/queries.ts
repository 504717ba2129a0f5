import { queryOptions } from '@tanstack/react-query';
import { client } from './client.ts';

/** The instance's public configuration. It changes rarely, so one request per page load is enough. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => client.call('GET /config', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Who is signed in; `user` is null for visitors. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => client.call('GET /auth/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The user's limits and usage. */
export const limitsQuery = queryOptions({
  queryKey: ['limits'],
  queryFn: ({ signal }) => client.call('GET /user/limits', { signal }),
  staleTime: 60_000,
});
