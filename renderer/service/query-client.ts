import { MutationCache, onlineManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, NetworkError } from '#api/client.ts';
import { classify } from '#api/failures.ts';
import { sessionQuery } from './queries.ts';

/** True if the service reports that the session has ended. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized';

/**
 * The cache of everything read from the service.
 * `onSignedOut` is called once the session turns out to be over.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof NetworkError) onlineManager.setOnline(false);
    if (!isSignedOut(error) || !queryClient.getQueryData(sessionQuery.queryKey)?.user) return;
    queryClient.setQueryData(sessionQuery.queryKey, { user: null });
    onSignedOut();
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: () => onlineManager.setOnline(true) }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The service is on this machine or nearby: being offline must not pause requests.
      queries: { networkMode: 'always', retry: shouldRetry, refetchOnWindowFocus: false },
      mutations: { networkMode: 'always' },
    },
  });
  // Any response shows that the service is back; everything that failed meanwhile loads again.
  onlineManager.subscribe((online) => {
    if (online) void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  });
  return queryClient;
}

/** Retries once, unless the service has refused; at a rate limit, the user decides when. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && (!(error instanceof ApiError) || (classify(error) === 'retry' && error.status !== 429));
}
