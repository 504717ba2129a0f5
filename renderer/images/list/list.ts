import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import { requestFirstThumbnail } from '#renderer/images/first-thumbnail.ts';
import { isSlowConnection } from '#renderer/platform/pace.ts';
import { client } from '#renderer/service/client.ts';
import { countOf, type ImageList, type ImagePage, toPages, toPartialList, withItems } from './pages.ts';
import { untilSettled } from './settled.ts';
import { comesBefore, type ImageView, isTrash, passes, timeOf, toQuery } from './view.ts';

/** The service's maximum: as many images are requested together with the timeline, and of a page that has grown. */
const MAX_ITEMS = 200;
/** One page of the timeline: as many are requested with it over a slow connection. */
const PAGE_ITEMS = 100;

export const LIST_KEY = ['images', 'list'] as const;

/** A view of the user's images: the shape of all of them, and the first page. The others are loaded by `use-page-loader.ts`. */
export function imageListQuery(view: ImageView) {
  const queryKey = [...LIST_KEY, view] as const;
  return queryOptions({
    queryKey,
    queryFn: async ({ client: queryClient, signal }) => {
      let shown: ImageList | undefined;
      const read = () =>
        readList(view, signal, (head) => {
          shown = queryClient.setQueryData<ImageList>(queryKey, (before) => before ?? head);
        });
      const list = await read();
      // What was changed while only the beginning was there may be missing from what was read.
      return shown?.isPartial && queryClient.getQueryData(queryKey) !== shown ? read() : list;
    },
    // Changes are merged into the list. Searches do go stale, since only the service knows which images they match after a change, and so
    // does the trash.
    staleTime: view.q || isTrash(view) ? 0 : Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

/** @param onHead called with the beginning of a list, before its timeline is there */
async function readList(view: ImageView, signal: AbortSignal, onHead: (head: ImageList) => void): Promise<ImageList> {
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  // The service reads a large library for its timeline, but not for the first page.
  const readHead = async () => {
    const limit = isSlowConnection() ? PAGE_ITEMS : MAX_ITEMS;
    const head = await client.call('GET /images', { query: { ...queryOf(view), limit }, signal });
    requestFirstThumbnail(head.items[0]);
    if (head.next_cursor !== null) onHead(toPartialList(head.items, view));
    return head;
  };
  const [head, timeline] = await Promise.all([
    readHead(),
    client.call('GET /images/timeline', { query: { ...queryOf(view), time_zone }, signal }),
  ]);
  const pages = toPages(timeline);
  let from = 0;
  for (const [index, page] of pages.entries()) {
    const items = head.items.slice(from, from + page.ratios.length);
    // They are separate requests: if something was uploaded between them, the page is loaded again.
    if (items.length < page.ratios.length || (head.next_cursor === null && timeline.count !== head.items.length)) break;
    pages[index] = withItems(page, items, view);
    from += items.length;
  }
  return { pages, similar: timeline.similar };
}

/** Loads the images of one page. */
export async function readPage(view: ImageView, { after, until }: ImagePage, signal: AbortSignal): Promise<Image[]> {
  const items: Image[] = [];
  let cursor = after;
  do {
    const part: { items: Image[]; next_cursor: string | null } = await client.call('GET /images', {
      query: { ...queryOf(view), cursor, until, limit: MAX_ITEMS },
      signal,
    });
    items.push(...part.items);
    cursor = part.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Loads the placeholders of consecutive pages. */
export async function readPlaceholders(view: ImageView, pages: readonly ImagePage[], signal: AbortSignal) {
  const query = { ...queryOf(view), cursor: pages[0]?.after, until: pages.at(-1)?.until };
  return (await client.call('GET /images/placeholders', { query, signal })).items;
}

const queryOf = (view: ImageView) => {
  const { favourite, ...query } = toQuery(view);
  return { ...query, favourite: favourite && ('true' as const) };
};

/** A list after a change. `stale` if only the service can tell what it looks like. */
export interface ChangedList extends ImageList {
  stale?: boolean;
}

/**
 * Merges images into a list: replaces known ones, removes those that no longer belong, and inserts new ones that do, and those with another
 * time. The place of an image can be unknown, between pages that aren't loaded; the list is then stale.
 */
export function mergeImages(list: ImageList, images: readonly Image[], view: ImageView): ChangedList {
  const fresh = new Map(images.map((image) => [image.key, image]));
  const moved = new Set<Image>();
  const pages = list.pages.map((page) => {
    if (!page.items.some(({ key }) => fresh.has(key))) return page;
    const items = page.items.flatMap((known) => {
      const replacement = fresh.get(known.key);
      if (!replacement) return [known];
      if (timeOf(known, view.sort) !== timeOf(replacement, view.sort)) {
        moved.add(replacement);
        return [];
      }
      fresh.delete(known.key);
      return passes(replacement, view) ? [replacement] : [];
    });
    return withItems(page, items, view);
  });
  let stale = false;
  for (const image of fresh.values()) if ((!view.q || moved.has(image)) && passes(image, view) && !insert(pages, image, view)) stale = true;
  return { pages, stale };
}

/** Inserts an image where it belongs; returns false if its place is unknown. */
function insert(pages: ImagePage[], image: Image, view: ImageView): boolean {
  if (view.sort === 'album_order') return false;
  if (pages.length === 0) pages.push({ after: undefined, until: undefined, loaded: true, items: [], ratios: [], days: [], hashes: [] });
  for (const [index, page] of pages.entries()) {
    if (!page.loaded) continue;
    const at = page.items.findIndex((known) => !comesBefore(known, image, view.sort));
    const last = index === pages.length - 1;
    if (at < 0 && !last) continue;
    // Before the first image of a page, it may belong to the page before.
    if (at === 0 && index > 0 && !pages[index - 1]?.loaded) return false;
    const end = at < 0 ? page.items.length : at;
    pages[index] = withItems(page, [...page.items.slice(0, end), image, ...page.items.slice(end)], view);
    return true;
  }
  return false;
}

/** Moves an image within a list, before another one or to the end. The list is stale if parts of it aren't loaded. */
export function withMoved(list: ImageList, key: string, before: string | null, view: ImageView): ChangedList {
  const items = list.pages.flatMap((page) => page.items);
  const image = items.find((one) => one.key === key);
  if (!image || list.isPartial || list.pages.some(({ loaded }) => !loaded)) return { ...list, stale: true };
  const others = items.filter((one) => one !== image);
  const at = before === null ? others.length : others.findIndex((one) => one.key === before);
  if (at < 0) return { ...list, stale: true };
  const moved = others.toSpliced(at, 0, image);
  let end = 0;
  const pages = list.pages.map((page) => {
    end += page.items.length;
    return withItems(page, moved.slice(end - page.items.length, end), view);
  });
  return { pages };
}

/** Removes images from a list, which is stale if one of them isn't loaded. */
export function withoutImages(list: ImageList, keys: ReadonlySet<string>): ChangedList {
  let left = keys.size;
  const pages = list.pages.map((page) => {
    const kept = page.items.map(({ key }) => !keys.has(key));
    const removed = kept.filter((keep) => !keep).length;
    if (removed === 0) return page;
    left -= removed;
    const rest = <T>(all: readonly T[]) => all.filter((_, index) => kept[index]);
    return { ...page, items: rest(page.items), ratios: rest(page.ratios), days: rest(page.days), hashes: page.hashes && rest(page.hashes) };
  });
  return { pages, stale: left > 0 && list.pages.some(({ loaded }) => !loaded) };
}

/** Changes every list. Those that can't tell the result are read again, and so are those that were just being read: what is read may be older than the change. */
export function updateLists(queryClient: QueryClient, update: (list: ImageList, view: ImageView) => ChangedList): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: LIST_KEY })) {
    const list = state.data as ImageList | undefined;
    if (!list) continue;
    const changed = update(list, queryKey[2] as ImageView);
    if (changed === list) continue;
    const exactly = { queryKey, exact: true };
    const isBeingRead = state.fetchStatus !== 'idle';
    if (isBeingRead) void queryClient.cancelQueries(exactly);
    const { stale, ...known } = changed;
    queryClient.setQueryData<ImageList>(queryKey, { ...list, ...known });
    if (stale || isBeingRead) void untilSettled(queryClient).then(() => queryClient.invalidateQueries(exactly));
  }
}

/**
 * Updates images everywhere on the page.
 * @param placed those of them that belong into a list if its filters let them pass
 */
export function showImages(queryClient: QueryClient, images: readonly Image[], placed = (_list: ImageList) => images): void {
  updateLists(queryClient, (list, view) => mergeImages(list, placed(list), view));
  for (const image of images)
    if (queryClient.getQueryData(imageQueryKey(image.key))) queryClient.setQueryData(imageQueryKey(image.key), image);
}

/** Images as the lists have them; those that none has loaded stay as given. */
export function latestOf(queryClient: QueryClient, images: readonly Image[]): Image[] {
  const latest = new Map(images.map((image) => [image.key, image]));
  for (const [, list] of queryClient.getQueriesData<ImageList>({ queryKey: LIST_KEY }))
    for (const { items } of list?.pages ?? []) for (const item of items) if (latest.has(item.key)) latest.set(item.key, item);
  return [...latest.values()];
}

/** Key of the query for one image. */
export const imageQueryKey = (key: string) => ['images', 'one', key] as const;

/**
 * Loads a view's newest images and merges them, since other programs upload too. Reads the list again if that doesn't explain its length.
 * @param mayGrow false: images that would be added are only counted, see {@link arrivedKey}
 */
export async function refreshHead(queryClient: QueryClient, view: ImageView, mayGrow = () => true): Promise<void> {
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const { queryKey } = imageListQuery(view);
  const before = queryClient.getQueryData(queryKey);
  const [head, { count }] = await Promise.all([
    client.call('GET /images', { query: { ...queryOf(view), sort: 'uploaded_desc', limit: 50 } }),
    client.call('GET /images/timeline', { query: { ...queryOf(view), time_zone } }),
  ]);
  const list = queryClient.getQueryData(queryKey);
  if (!list) return;
  // What was read may be older than what this page has changed meanwhile, or is changing.
  if (queryClient.isMutating() > 0 || (before && countOf(before) !== countOf(list))) {
    await untilSettled(queryClient);
    return refreshHead(queryClient, view, mayGrow);
  }
  // The service has already applied the search.
  const merged = mergeImages(list, head.items, { ...view, q: undefined });
  const arrived = mayGrow() ? 0 : Math.max(0, count - countOf(list));
  queryClient.setQueryData<number>(arrivedKey(view), arrived);
  if (arrived > 0) return;
  if (!merged.stale && countOf(merged) === count) queryClient.setQueryData(queryKey, { ...list, pages: merged.pages });
  else await queryClient.invalidateQueries({ queryKey, exact: true });
}

/** Key of the number of images that wait to be added to a view. */
export const arrivedKey = (view: ImageView) => ['images', 'arrived', view] as const;

/** The user's tags for menus: the alphabetically first 200. Others can be typed. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await client.call('GET /tags', { query: { limit: 200 }, signal })).items.map(({ tag }) => tag),
  staleTime: 30_000,
});
