import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_BATCH } from '#api/constants.ts';
import type { RouteInput } from '#api/contract.ts';
import type { batchImages } from '#api/image-changes.ts';
import type { Image } from '#api/images.ts';
import { client } from '#renderer/service/client.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { showImages, updateLists, withoutImages } from './list.ts';

type Body = RouteInput<typeof batchImages>['body'];
type WithoutKeys<T> = T extends unknown ? Omit<T, 'keys'> : never;
/** A change to several images at once. */
export type BatchChange = WithoutKeys<Body>;

/** The outcome of a batch. `error` is set where a whole request failed. */
export interface BatchOutcome {
  done: Image[];
  failed: Image[];
  error?: unknown;
}

/** Changes any number of images, in as many requests as needed. A failed request doesn't affect the others. */
async function runBatch(images: readonly Image[], change: BatchChange): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { done: [], failed: [] };
  for (let from = 0; from < images.length; from += MAX_BATCH) {
    const part = images.slice(from, from + MAX_BATCH);
    try {
      const body = { ...change, keys: part.map(({ key }) => key) } as Body;
      const { results } = await client.call('POST /images/batch', { body });
      // Already deleted elsewhere: that is what was asked for.
      const fine = new Set(
        results.filter(({ ok, code }) => ok || (change.action === 'trash' && code === 'not_found')).map(({ key }) => key),
      );
      for (const image of part) (fine.has(image.key) ? outcome.done : outcome.failed).push(image);
    } catch (error) {
      outcome.failed.push(...part);
      outcome.error = error;
    }
  }
  return outcome;
}

/** The image as the change will leave it. */
function changed(image: Image, change: BatchChange): Image {
  if (change.action === 'move') return { ...image, album_id: change.album_id };
  if (change.action === 'visibility') return { ...image, visibility: change.visibility };
  if (change.action !== 'tag') return image;
  if (change.mode === 'set') return { ...image, tags: [...change.tags] };
  if (change.mode === 'remove') return { ...image, tags: image.tags.filter((tag) => !change.tags.includes(tag)) };
  return { ...image, tags: [...new Set([...image.tags, ...change.tags])] };
}

interface Batch {
  images: readonly Image[];
  change: BatchChange;
}

/** Changes images optimistically: the page shows the change immediately and reverts those that fail. */
export function useBatch() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ images, change }: Batch) => runBatch(images, change),
    onMutate: ({ images, change }) => {
      if (change.action === 'trash') {
        const keys = new Set(images.map(({ key }) => key));
        updateLists(queryClient, (list) => withoutImages(list, keys));
      } else if (change.action !== 'restore')
        showImages(
          queryClient,
          images.map((image) => changed(image, change)),
        );
    },
    onSuccess: ({ done, failed }, { change }) => {
      showImages(queryClient, change.action === 'restore' ? done : failed);
      void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: ['albums'] });
      void queryClient.invalidateQueries({ queryKey: ['tags'] });
      void queryClient.invalidateQueries({ queryKey: ['trash'] });
    },
  });
}
