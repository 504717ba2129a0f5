import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from './client.ts';
import { configQuery, sessionQuery } from './queries.ts';

/** Ends the session and forgets everything that it has shown. */
export function useSignOut() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    async mutationFn() {
      // What is still on its way would be refused, which looks as if the session had ended by itself.
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
