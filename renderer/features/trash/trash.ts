import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_BATCH } from '#api/constants.ts';
import type { RouteData } from '#api/contract.ts';
import type { listTrash } from '#api/images/trash.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ pageParam, signal }) => client.call('GET /trash', { query: { cursor: pageParam, limit: 100 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next_cursor ?? undefined,
});

/** An image in the trash. */
export type Trashed = RouteData<typeof listTrash>['items'][number];

/** Restores or permanently deletes images, in as many requests as needed. Returns the number refused. */
async function inParts(
  route: 'POST /trash/restore' | 'POST /trash/purge',
  keys: readonly string[],
  options: { expires_in?: number | undefined } = {},
): Promise<{ refused: number }> {
  let refused = 0;
  for (let from = 0; from < keys.length; from += MAX_BATCH) {
    const { results } = await client.call(route, { body: { keys: keys.slice(from, from + MAX_BATCH), ...options } });
    refused += results.filter(({ ok }) => !ok).length;
  }
  return { refused };
}

interface Restoring {
  keys: readonly string[];
  /** Seconds until expired images expire again; 0: never. */
  expires_in?: number | undefined;
}

/** Restores, deletes and empties; queries that show images are loaded again afterwards. */
export function useTrashActions() {
  const queryClient = useQueryClient();
  const onSettled = () => {
    void queryClient.invalidateQueries({ queryKey: trashQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: ['albums'] });
  };
  const restore = useMutation({
    mutationFn: ({ keys, ...options }: Restoring) => inParts('POST /trash/restore', keys, options),
    onSettled: () => {
      // Only the service knows which lists the restored images belong to, and where.
      queryClient.removeQueries({ queryKey: ['images'] });
      onSettled();
    },
  });
  const purge = useMutation({ mutationFn: (keys: readonly string[]) => inParts('POST /trash/purge', keys), onSettled });
  const empty = useMutation({ mutationFn: () => client.call('POST /trash/empty', {}), onSettled });
  return { restore, purge, empty };
}
