import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from './client.ts';
import { CHANNEL, ENDED } from './live/channel.ts';
import { configQuery, sessionQuery } from './queries.ts';

/** Ends the session and clears its data from the cache. */
export const useSignOut = () => useEndOwnSession(() => client.call('POST /auth/logout', {}));

/** The same with a call that ends the session among other things. */
export function useEndOwnSession<Input = void>(call: (input: Input) => Promise<unknown>) {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    async mutationFn(input: Input) {
      // Requests in flight would be refused, as if the session had expired.
      await queryClient.cancelQueries();
      return call(input);
    },
    onError: () => queryClient.invalidateQueries(),
    onSuccess: async () => {
      queryClient.setQueryData(sessionQuery.queryKey, { user: null });
      tellTabs();
      await router.navigate({ to: '/sign-in', search: {} });
      // A check of the page that was left can come last, and would say that the session has expired.
      if ('next' in router.state.location.search) await router.navigate({ to: '/sign-in', search: {}, replace: true });
      const kept: readonly unknown[] = [configQuery.queryKey[0], sessionQuery.queryKey[0]];
      queryClient.removeQueries({ predicate: (query) => !kept.includes(query.queryKey[0]) });
    },
    // Keep passwords out of the cache.
    gcTime: 0,
  });
}

/** The other tabs of this browser leave their pages as well. */
function tellTabs() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(ENDED);
  channel.close();
}
