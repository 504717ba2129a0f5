import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from './client.ts';
import { configQuery, sessionQuery } from './queries.ts';

/** Ends the session and clears its data from the cache. */
export function useSignOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    async mutationFn() {
      // Requests in flight would be refused, as if the session had expired.
      await queryClient.cancelQueries();
      return client.call('POST /auth/logout', {});
    },
    onError: () => queryClient.invalidateQueries(),
    onSuccess: async () => {
      queryClient.setQueryData(sessionQuery.queryKey, { user: null });
      await router.navigate({ to: '/sign-in', search: {} });
      const kept: readonly unknown[] = [configQuery.queryKey[0], sessionQuery.queryKey[0]];
      queryClient.removeQueries({ predicate: (query) => !kept.includes(query.queryKey[0]) });
    },
  });
}
