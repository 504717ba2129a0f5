import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '#api/client.ts';
import { type Image, trashImage } from '#api/images.ts';
import { client } from '../service/client.ts';
import { limitsQuery } from '../service/queries.ts';
import { mergeImages, updateLists, withoutImages } from './list.ts';

export interface Removal {
  removed: Image[];
  /** Those that are still there, each with the reason. */
  failed: { image: Image; error: unknown }[];
}

const PARALLEL = 4;

/** Deletes pictures one by one, so that one that cannot be deleted does not keep the others. */
async function removeAll(images: readonly Image[]): Promise<Removal> {
  const result: Removal = { removed: [], failed: [] };
  const waiting = [...images];
  const work = async () => {
    for (let image = waiting.shift(); image; image = waiting.shift()) {
      try {
        await client.call(trashImage, { params: { key: image.key } });
        result.removed.push(image);
      } catch (error) {
        // Somebody was faster: it is gone, which is what was asked for.
        if (error instanceof ApiError && error.code === 'not_found') result.removed.push(image);
        else result.failed.push({ image, error });
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return result;
}

function putBack(queryClient: QueryClient, images: readonly Image[]) {
  updateLists(queryClient, (list, timeline) => mergeImages(list, images, timeline));
}

/** Deletes pictures; they leave the page at once, and come back if the service refuses. */
export function useRemoveImages(onSettled: (removal: Removal) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: removeAll,
    onMutate: (images) => {
      const keys = new Set(images.map((image) => image.key));
      updateLists(queryClient, (list) => withoutImages(list, keys));
    },
    onSuccess: (removal) => {
      putBack(
        queryClient,
        removal.failed.map(({ image }) => image),
      );
      void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      onSettled(removal);
    },
  });
}
