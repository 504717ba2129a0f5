import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_BATCH } from '#api/constants.ts';
import type { AskedExpiry } from '#renderer/components/forms/expiries.ts';
import type { BatchTarget } from '#renderer/images/list/batch.ts';
import { LIST_KEY, updateLists, withoutImages } from '#renderer/images/list/list.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

/** Deletions that can be restored as a whole. */
export const batchesQuery = queryOptions({
  queryKey: ['trash', 'batches'],
  queryFn: async ({ signal }) => (await client.call('GET /trash/batches', { signal })).items,
});

export interface TrashChange {
  action: 'restore' | 'purge';
  target: BatchTarget;
  /** When expired images that are restored expire again. */
  expiry?: AskedExpiry | undefined;
  /** Also restore what senders removed. */
  withRemoved?: boolean | undefined;
}

/** Restores or permanently deletes any number of images, in as many requests as needed. */
async function changeTrash({ action, target: { images, sets, except }, expiry, withRemoved }: TrashChange) {
  const total = { processed: 0, refused: 0, leftOut: 0 };
  const send = async (body: object) => {
    const options = action === 'restore' ? { ...expiry, include_removed: withRemoved } : {};
    const { processed, failed, left_out = 0 } = await client.call(`POST /trash/${action}`, { body: { ...body, ...options } });
    total.processed += processed;
    total.refused += failed - left_out;
    total.leftOut += left_out;
  };
  for (const { query } of sets) await send({ query, except_keys: except.map(({ key }) => key) });
  for (let from = 0; from < images.length; from += MAX_BATCH)
    await send({ keys: images.slice(from, from + MAX_BATCH).map(({ key }) => key) });
  return total;
}

/** Changes the trash. Queries that show images are loaded again afterwards. */
export function useChangeTrash() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: changeTrash,
    onMutate: ({ target: { images } }) => {
      const keys = new Set(images.map(({ key }) => key));
      updateLists(queryClient, (list) => withoutImages(list, keys));
    },
    onSettled: () => {
      // Only the service knows which lists the restored images belong to, and where.
      queryClient.removeQueries({ queryKey: ['images'], type: 'inactive' });
      for (const queryKey of [LIST_KEY, batchesQuery.queryKey, limitsQuery.queryKey, ['albums'], ['tags']])
        void queryClient.invalidateQueries({ queryKey });
    },
  });
}
