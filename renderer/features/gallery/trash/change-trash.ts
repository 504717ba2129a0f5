import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_BATCH } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
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
  /** The target is a previous version, which goes back behind the links of its picture. */
  version?: Image | undefined;
}

interface Outcome {
  processed: number;
  refused: number;
  /** What stays in the trash, since senders removed it, or since it is a version of a picture that still exists. */
  leftOut: number;
  versions: number;
  /** Where the picture of a restored version was before; undefined if it no longer exists, which makes the version a picture of its own. */
  picture?: 'library' | 'trash';
}

/** Restores or permanently deletes any number of images, in as many requests as needed. */
async function changeTrash({ action, target: { images, sets, except }, expiry, withRemoved, version }: TrashChange): Promise<Outcome> {
  const total: Outcome = { processed: 0, refused: 0, leftOut: 0, versions: 0 };
  const send = async (body: object) => {
    const options = action === 'restore' ? { ...expiry, include_removed: withRemoved, include_versions: version !== undefined } : {};
    const {
      processed,
      failed,
      left_out = 0,
      versions_left_out = 0,
    } = await client.call(`POST /trash/${action}`, { body: { ...body, ...options } });
    total.processed += processed;
    total.refused += failed - left_out - versions_left_out;
    total.leftOut += left_out;
    total.versions += versions_left_out;
  };
  const wasInLibrary = version && (await isInLibrary(version.version_of));
  for (const { query } of sets) await send({ query, except_keys: except.map(({ key }) => key) });
  for (let from = 0; from < images.length; from += MAX_BATCH)
    await send({ keys: images.slice(from, from + MAX_BATCH).map(({ key }) => key) });
  if (version && (await isInLibrary(version.version_of))) total.picture = wasInLibrary ? 'library' : 'trash';
  return total;
}

async function isInLibrary(key: string | null): Promise<boolean> {
  if (key === null) return false;
  return (await client.call('GET /images', { query: { keys: key } })).items.length > 0;
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
