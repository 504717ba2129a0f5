import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { changePassword, changeProfile } from '#api/auth/user.ts';
import type { RouteInput } from '#api/contract.ts';
import { tokensQuery } from '#renderer/features/settings/tokens/tokens.ts';
import { profileQuery } from '#renderer/service/account.ts';
import { client } from '#renderer/service/client.ts';
import { sessionQuery } from '#renderer/service/queries.ts';

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam, signal }) => client.call('GET /user/sessions', { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor ?? undefined,
});

export function useChangeProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof changeProfile>['body']) => client.call('PATCH /user', { body }),
    onSuccess: ({ group, preferences, ...user }) => {
      queryClient.setQueryData(profileQuery.queryKey, { ...user, group, preferences });
      queryClient.setQueryData(sessionQuery.queryKey, { user });
    },
  });
}

export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof changePassword>['body']) => client.call('PUT /user/password', { body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    // Keep passwords out of the cache.
    gcTime: 0,
  });
}

/** Ends one session, or all others if no id is given. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string | undefined) =>
      id === undefined ? client.call('DELETE /user/sessions', {}) : client.call('DELETE /user/sessions/:id', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Ends all other sessions and all tokens. */
export function useEndAccess() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.call('DELETE /user/access', {}),
    onSettled: () => Promise.all([sessionsQuery, tokensQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey }))),
  });
}
