import type { QueryClient } from '@tanstack/react-query';
import type { Image } from '#api/images.ts';
import { type ImageList, LIST_KEY, showImages } from './list.ts';
import { type ImageView, passes } from './view.ts';

/** Loads every list and image again, from the start, after changes that only the service knows in detail. */
export function reloadLists(queryClient: QueryClient): void {
  void queryClient.resetQueries({ queryKey: ['images'] });
}

/** Puts images back into the lists they were removed from. Lists that can't tell the place are loaded again. */
export function returnToLists(queryClient: QueryClient, images: readonly Image[]): void {
  if (images.length === 0) return;
  showImages(queryClient, images);
  for (const [queryKey, list] of queryClient.getQueriesData<ImageList>({ queryKey: LIST_KEY }))
    if (list && isMissing(list, images, queryKey[2] as ImageView)) void queryClient.resetQueries({ queryKey, exact: true });
}

/** Whether a list may have to show images that it doesn't: only the service can search, and places beyond what is loaded are unknown. */
function isMissing({ pages }: ImageList, images: readonly Image[], view: ImageView): boolean {
  const present = new Set(pages.flatMap(({ items }) => items.map(({ key }) => key)));
  return images.some((image) => !present.has(image.key) && passes(image, view));
}
