import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { User } from '#api/auth.ts';
import { configQuery, sessionQuery } from '#renderer/service/queries.ts';

/** Answers a function that takes a person who has just signed in to where they wanted to go. */
export function useEntry() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (user: User, next = '/') => {
    queryClient.setQueryData(sessionQuery.queryKey, { user });
    // Setup changes what the instance is; the guards of the routes look at it.
    await queryClient.fetchQuery({ ...configQuery, staleTime: 0 });
    await router.navigate({ href: next, replace: true });
  };
}
