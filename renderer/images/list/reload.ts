import type { QueryClient } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import { LIST_KEY, showImages } from './list.ts';
import { noteRestored } from './restored.ts';
import type { ImageView } from './view.ts';

/** Loads every list and image again, from the start, after changes that only the service knows in detail. */
export function reloadLists(queryClient: QueryClient): void {
  void queryClient.resetQueries({ queryKey: ['images'] });
}

/** Puts images back into the lists they were removed from. Searches are made again, since only the service can tell what they match. */
export function returnToLists(queryClient: QueryClient, images: readonly Image[]): void {
  if (images.length === 0) return;
  noteRestored(images.map(({ key }) => key));
  showImages(queryClient, images);
  void queryClient.invalidateQueries({ queryKey: LIST_KEY, predicate: ({ queryKey }) => (queryKey[2] as ImageView).q !== undefined });
}
