import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Image } from '#api/images.ts';
import { client } from '#renderer/service/client.ts';
import { comesBefore, type ImageView, passes, toQuery } from './view.ts';

/** The service's maximum. */
const PAGE_SIZE = 200;

export interface ImagePage {
  items: Image[];
  next_cursor: string | null;
}
export type ImageList = InfiniteData<ImagePage, string | undefined>;

export const LIST_KEY = ['images', 'list'] as const;

/** A view of the user's images, loaded page by page while scrolling. */
export function imageListQuery(view: ImageView) {
  return infiniteQueryOptions({
    queryKey: [...LIST_KEY, view],
    queryFn: ({ pageParam, signal }): Promise<ImagePage> =>
      client.call('GET /images', { query: { ...queryOf(view), limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Changes are merged into the list: reloading hundreds of pages, or comparing them deeply, would cost more than it gains.
    // Searches do go stale, since only the service knows which images they match after a change.
    staleTime: view.q ? 0 : Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

const queryOf = (view: ImageView) => {
  const { favourite, ...query } = toQuery(view);
  return { ...query, favourite: favourite && 'true' };
};

/**
 * Merges images into a loaded list: replaces known ones, removes those that no longer belong, and inserts new ones that do. Images
 * beyond the loaded pages arrive with their own page.
 */
export function mergeImages(list: ImageList, images: readonly Image[], view: ImageView): ImageList {
  const fresh = new Map(images.map((image) => [image.key, image]));
  const pages = list.pages.map((page) => ({
    ...page,
    items: page.items.flatMap((known) => {
      const replacement = fresh.get(known.key);
      fresh.delete(known.key);
      if (!replacement) return [known];
      return passes(replacement, view) ? [replacement] : [];
    }),
  }));
  for (const image of fresh.values()) if (!view.q && passes(image, view)) insert(pages, image, view);
  return { ...list, pages };
}

function insert(pages: ImagePage[], image: Image, { sort }: ImageView): void {
  for (const page of pages) {
    const at = page.items.findIndex((known) => !comesBefore(known, image, sort));
    if (at >= 0) {
      page.items.splice(at, 0, image);
      return;
    }
    if (page.next_cursor === null) page.items.push(image);
  }
}

/** Removes images from a loaded list. */
export function withoutImages(list: ImageList, keys: ReadonlySet<string>): ImageList {
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.filter((image) => !keys.has(image.key)) })) };
}

/** Changes every loaded list. */
export function updateLists(queryClient: QueryClient, update: (list: ImageList, view: ImageView) => ImageList): void {
  for (const [key] of queryClient.getQueriesData<ImageList>({ queryKey: LIST_KEY }))
    queryClient.setQueryData<ImageList>(key, (list) => list && update(list, key[2] as ImageView));
}

/** Updates images everywhere on the page. */
export function showImages(queryClient: QueryClient, images: readonly Image[]): void {
  updateLists(queryClient, (list, view) => mergeImages(list, images, view));
  for (const image of images)
    if (queryClient.getQueryData(imageQueryKey(image.key))) queryClient.setQueryData(imageQueryKey(image.key), image);
}

/** Key of the query for one image. */
export const imageQueryKey = (key: string) => ['images', 'one', key] as const;

/** Loads a view's newest images and merges them: other programs upload too. */
export async function refreshHead(queryClient: QueryClient, view: ImageView): Promise<void> {
  const head = await client.call('GET /images', { query: { ...queryOf(view), sort: 'uploaded_desc', limit: 50 } });
  // The service has already applied the search.
  const matched = { ...view, q: undefined };
  queryClient.setQueryData<ImageList>(imageListQuery(view).queryKey, (list) => list && mergeImages(list, head.items, matched));
}

/** The user's tags for menus: the alphabetically first 200. Others can be typed. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await client.call('GET /tags', { query: { limit: 200 }, signal })).items.map(({ tag }) => tag),
  staleTime: 30_000,
});
