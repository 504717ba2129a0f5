import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, NetworkError } from '#api/client.ts';
import { connection } from './connection.ts';
import { sessionQuery } from './queries.ts';

/** True when the service says that nobody is signed in any more. */
export const isSignedOut = (error: unknown) => error instanceof ApiError && error.code === 'unauthorized';

/**
 * The cache of everything read from the service.
 * `onSignedOut` is called once the session turns out to be over.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof NetworkError) connection.lose();
    if (!isSignedOut(error) || !queryClient.getQueryData(sessionQuery.queryKey)?.user) return;
    queryClient.setQueryData(sessionQuery.queryKey, { user: null });
    onSignedOut();
  };
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: () => connection.restore() }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The service is on this machine or next door: being off the internet must not pause anything.
      queries: { networkMode: 'always', retry: shouldRetry, refetchOnWindowFocus: false },
      mutations: { networkMode: 'always' },
    },
  });
  // Whichever answer tells that the service is back, what has failed meanwhile is loaded again.
  connection.subscribe(() => {
    if (!connection.isLost()) void queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
  });
  return queryClient;
}

/** A refusal stays a refusal; only what never arrived, or a passing trouble of the service, is worth another try. */
function shouldRetry(failures: number, error: unknown): boolean {
  return failures < 1 && (!(error instanceof ApiError) || error.status >= 500);
}
