import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Image } from '#api/images.ts';
import { client } from '#renderer/service/client.ts';
import { comesBefore, type ImageView, passes, toQuery } from './view.ts';

/** How many pictures one request brings: the most that the service gives. */
const PAGE_SIZE = 200;

export interface ImagePage {
  items: Image[];
  next_cursor: string | null;
}
export type ImageList = InfiniteData<ImagePage, string | undefined>;

const LIST_KEY = ['images', 'list'] as const;

/** A view of a person's pictures, page by page as they scroll. */
export function imageListQuery(view: ImageView) {
  return infiniteQueryOptions({
    queryKey: [...LIST_KEY, view],
    queryFn: ({ pageParam, signal }): Promise<ImagePage> =>
      client.call('GET /images', { query: { ...queryOf(view), limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Changes are worked into the list; loading hundreds of pages again, or comparing them deeply, would cost more than it brings.
    // What a search would find after a change, only the service knows.
    staleTime: view.q ? 0 : Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

const queryOf = (view: ImageView) => {
  const { favourite, ...query } = toQuery(view);
  return { ...query, favourite: favourite && 'true' };
};

/**
 * Works pictures into a loaded list: known ones are replaced, or leave when they no longer belong; new ones that belong are put
 * in their place. Beyond what is loaded, they wait for their page.
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

/** Takes pictures out of a loaded list. */
export function withoutImages(list: ImageList, keys: ReadonlySet<string>): ImageList {
  return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.filter((image) => !keys.has(image.key)) })) };
}

/** Changes every loaded list. */
export function updateLists(queryClient: QueryClient, update: (list: ImageList, view: ImageView) => ImageList): void {
  for (const [key] of queryClient.getQueriesData<ImageList>({ queryKey: LIST_KEY }))
    queryClient.setQueryData<ImageList>(key, (list) => list && update(list, key[2] as ImageView));
}

/** Shows pictures as they are now, wherever they are on the page. */
export function showImages(queryClient: QueryClient, images: readonly Image[]): void {
  updateLists(queryClient, (list, view) => mergeImages(list, images, view));
  for (const image of images) if (queryClient.getQueryData(oneKey(image.key))) queryClient.setQueryData(oneKey(image.key), image);
}

/** Key of the query for one picture. */
export const oneKey = (key: string) => ['images', 'one', key] as const;

/** Asks for the newest pictures of a view and works them in: other programs upload too. */
export async function refreshHead(queryClient: QueryClient, view: ImageView): Promise<void> {
  const head = await client.call('GET /images', { query: { ...queryOf(view), sort: 'uploaded_desc', limit: 50 } });
  // The service has said that they belong, so the search need not be asked.
  const certain = { ...view, q: undefined };
  queryClient.setQueryData<ImageList>(imageListQuery(view).queryKey, (list) => list && mergeImages(list, head.items, certain));
}

/** A person's tags for menus: the first 200 in the alphabet. Others are found by typing them. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await client.call('GET /tags', { query: { limit: 200 }, signal })).items.map(({ tag }) => tag),
  staleTime: 30_000,
});
