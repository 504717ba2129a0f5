import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { RouteInput } from '#api/contract.ts';
import { changePassword, changePreferences, changeProfile, endOtherSessions, endSession, getProfile, listSessions } from '#api/user.ts';
import { client } from '../../service/client.ts';
import { sessionQuery } from '../../service/queries.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => client.call(getProfile, { signal }),
});

export const sessionsQuery = infiniteQueryOptions({
  queryKey: ['sessions'],
  queryFn: ({ pageParam, signal }) => client.call(listSessions, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor ?? undefined,
});

export function useChangeProfile() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof changeProfile>['body']) => client.call(changeProfile, { body }),
    onSuccess: ({ group, preferences, ...user }) => {
      queryClient.setQueryData(profileQuery.queryKey, { ...user, group, preferences });
      queryClient.setQueryData(sessionQuery.queryKey, { user });
    },
  });
}

/** Shown at once; a refusal brings back what was. */
export function useChangePreferences() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof changePreferences>['body']) => client.call(changePreferences, { body }),
    onMutate: (change) =>
      queryClient.setQueryData(profileQuery.queryKey, (user) => user && { ...user, preferences: { ...user.preferences, ...change } }),
    onSuccess: (preferences) => queryClient.setQueryData(profileQuery.queryKey, (user) => user && { ...user, preferences }),
    onError: () => queryClient.invalidateQueries({ queryKey: profileQuery.queryKey }),
  });
}

export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RouteInput<typeof changePassword>['body']) => client.call(changePassword, { body }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    // Passwords must not stay in a cache.
    gcTime: 0,
  });
}

/** Ends one session, or without an id all but this one. */
export function useEndSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number | undefined) =>
      id === undefined ? client.call(endOtherSessions, {}) : client.call(endSession, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
