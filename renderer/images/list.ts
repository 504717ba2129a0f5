import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import { type Image, listImages } from '#api/images.ts';
import type { Timeline } from '../preference-values.ts';
import { client } from '../service/client.ts';

/** How many pictures one request brings: the most that the service gives. */
const PAGE_SIZE = 200;

export interface ImagePage {
  items: Image[];
  next_cursor: string | null;
}
export type ImageList = InfiniteData<ImagePage, string | undefined>;

const LIST_KEY = ['images', 'list'] as const;

/** All of a person's pictures in the order of a timeline, page by page as they scroll. */
export function imageListQuery(timeline: Timeline) {
  return infiniteQueryOptions({
    queryKey: [...LIST_KEY, timeline],
    queryFn: ({ pageParam, signal }): Promise<ImagePage> =>
      client.call(listImages, { query: { sort: timeline, limit: PAGE_SIZE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Changes are worked into the list; loading hundreds of pages again, or comparing them deeply, would cost more than it brings.
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** The instant that a timeline sorts by. */
export const timeOf = (image: Image, timeline: Timeline) => (timeline === 'taken_desc' ? image.taken_at : image.created_at);

/** Works pictures into a loaded list: known ones are replaced, new ones put where they belong. Beyond what is loaded, they wait for their page. */
export function mergeImages(list: ImageList, images: readonly Image[], timeline: Timeline): ImageList {
  const fresh = new Map(images.map((image) => [image.key, image]));
  const pages = list.pages.map((page) => ({
    ...page,
    items: page.items.map((known) => {
      const replacement = fresh.get(known.key);
      fresh.delete(known.key);
      return replacement ?? known;
    }),
  }));
  for (const image of fresh.values()) insert(pages, image, timeline);
  return { ...list, pages };
}

function insert(pages: ImagePage[], image: Image, timeline: Timeline): void {
  const time = timeOf(image, timeline);
  for (const page of pages) {
    const at = page.items.findIndex((known) => timeOf(known, timeline) <= time);
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
export function updateLists(queryClient: QueryClient, update: (list: ImageList, timeline: Timeline) => ImageList): void {
  for (const [key] of queryClient.getQueriesData<ImageList>({ queryKey: LIST_KEY }))
    queryClient.setQueryData<ImageList>(key, (list) => list && update(list, key[2] as Timeline));
}

/** Asks for the newest pictures and works them in: other programs upload too. */
export async function refreshHead(queryClient: QueryClient, timeline: Timeline): Promise<void> {
  const head = await client.call(listImages, { query: { sort: 'uploaded_desc', limit: 50 } });
  const options = imageListQuery(timeline);
  queryClient.setQueryData<ImageList>(options.queryKey, (list) => list && mergeImages(list, head.items, timeline));
}
