import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { createToken } from '#api/auth/tokens.ts';
import type { RouteData, RouteInput } from '#api/contract.ts';
import { client } from '#renderer/service/client.ts';

export const tokensQuery = infiniteQueryOptions({
  queryKey: ['tokens'],
  queryFn: ({ pageParam, signal }) => client.call('GET /user/tokens', { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor ?? undefined,
});

/** A new token with its secret, which is shown only once. */
export type NewToken = RouteData<typeof createToken>;

export function useCreateToken(onCreated: (token: NewToken) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof createToken>['body']) => client.call('POST /user/tokens', { body }),
    onSuccess: (token) => {
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onCreated(token);
    },
    // Keep the secret out of the cache.
    gcTime: 0,
  });
}

export function useRevokeToken() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.call('DELETE /user/tokens/:id', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
}
