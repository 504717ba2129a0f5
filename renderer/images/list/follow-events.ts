import type { Query, QueryClient } from '@tanstack/react-query';
import type { Image } from '#api/images/images.ts';
import { isPointed, mayGrow, untilUnpointed } from '#renderer/images/stillness.ts';
import { client } from '#renderer/service/client.ts';
import type { LiveEvent } from '#renderer/service/live/stream.ts';
import { limitsQuery } from '#renderer/service/queries.ts';
import { imageQueryKey, LIST_KEY, mergeImages, readPage, refreshHead, showImages, updateLists, withoutImages } from './list.ts';
import { type ImageList, type ImagePage, withItems } from './pages.ts';
import { isJustRestored } from './restored.ts';
import { readSettled, untilSettled } from './settled.ts';
import { type ImageView, isTrash } from './view.ts';

/** More images than these are read with their lists instead of one by one. */
const MAX_SINGLE = 20;
/** The time between two updates during an import. */
const MIN_INTERVAL_MS = 1_000;
/** How soon after the response to a change its event arrives. */
const ECHO_MS = 300;
/** What was read just before the stream began is right; a list needs no more than its newest images. */
const FRESH_MS = 10_000;
const READ_MS = 30_000;
/** What else shows how many images there are, and which. */
const DERIVED = [limitsQuery.queryKey, ['albums'], ['tags'], ['trash'], ['images', 'count']];
/** What shows the progress of each job. */
const OF_JOBS: Readonly<Record<string, string>> = { backup: 'backup', move: 'policies', deletion: 'users', import: 'import' };

/** Updates lists and images with what changes on the service, and moves nothing under the pointer or in view. */
export function createFollower(queryClient: QueryClient): (event: LiveEvent) => void {
  const created = new Set<string>();
  const changed = new Set<string>();
  const deleted = new Set<string>();
  /** Deleted images that stay until the pointer has left them. */
  const leaving = new Set<string>();
  const jobs = new Set<string>();
  const waiting: Partial<Record<LiveEvent['kind'], Set<string>>> = {
    'image.created': created,
    'image.changed': changed,
    'image.deleted': deleted,
    'album.changed': new Set(),
    'job.changed': jobs,
    resync: new Set(),
  };
  let isRunning = false;

  async function run() {
    isRunning = true;
    while (Object.values(waiting).some(({ size }) => size > 0)) {
      await untilShown();
      // What the user is just changing is shown already; an earlier state must not replace it.
      while (queryClient.isMutating() > 0) {
        await untilSettled(queryClient);
        await pause(ECHO_MS);
      }
      await update().catch(() => undefined); // the banner reports a lost connection; after it, the stream begins with `resync`
      await pause(MIN_INTERVAL_MS);
    }
    isRunning = false;
  }

  async function update() {
    const isEverything = take(waiting.resync).size > 0;
    const isLibrary = isEverything || created.size + changed.size + deleted.size > 0;
    const finished = isEverything ? Object.keys(OF_JOBS) : take(jobs);
    const [added, removed, altered] = [take(created), take(deleted), take(changed)];
    const albums = take(waiting['album.changed']);
    if (albums.size > 0) void queryClient.invalidateQueries({ queryKey: ['albums'] });
    for (const { query, view } of listsIn(queryClient, 'all'))
      if (view.sort === 'album_order' && albums.has(view.album_id ?? ''))
        void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    for (const job of finished) void queryClient.invalidateQueries({ queryKey: ['admin', OF_JOBS[job]] });
    if (isLibrary) for (const queryKey of DERIVED) void queryClient.invalidateQueries({ queryKey });
    if (isEverything) {
      void queryClient.invalidateQueries({ queryKey: ['sent'] });
      return readAgain(queryClient);
    }
    for (const key of await goneOf(queryClient, removed, altered)) {
      leaving.add(key);
      altered.delete(key);
    }
    if (leaving.size > 0) void untilUnpointed().then(() => remove(queryClient, take(leaving)).catch(() => undefined));
    if (altered.size > 0) for (const { key } of await alter(queryClient, altered)) leaving.delete(key); // restored
    if (added.size > 0) await add(queryClient, added);
  }

  return ({ kind, keys }) => {
    const into = waiting[kind];
    if (!into) return;
    for (const key of kind === 'resync' ? ['everything'] : keys) into.add(key);
    // Deleted and restored meanwhile, or the other way round: the later event counts.
    if (kind === 'image.created') for (const gone of [deleted, leaving]) for (const key of keys) gone.delete(key);
    if (kind === 'image.deleted') for (const key of keys) created.delete(key);
    if (!isRunning) void run();
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function take(keys: Set<string> = new Set()): Set<string> {
  const taken = new Set(keys);
  keys.clear();
  return taken;
}

/** Resolves once the page is visible: a tab in the background needn't load anything. */
function untilShown(): Promise<void> {
  return new Promise((resolve) => {
    if (!document.hidden) return resolve();
    const onChange = () => !document.hidden && resolve();
    document.addEventListener('visibilitychange', onChange, { once: true });
  });
}

interface Shown {
  query: Query;
  view: ImageView;
  list: ImageList;
}

/** All lists, or only those on the page. */
function listsIn(queryClient: QueryClient, type: 'all' | 'active' = 'active'): Shown[] {
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: LIST_KEY, type })
    .flatMap((query) => {
      const list = query.state.data as ImageList | undefined;
      return list ? [{ query, view: query.queryKey[2] as ImageView, list }] : [];
    });
}

const knows = ({ pages }: ImageList, key: string) => pages.some(({ items }) => items.some((image) => image.key === key));
const knowsAll = (list: ImageList, keys: ReadonlySet<string>) => [...keys].every((key) => knows(list, key));
const isComplete = ({ pages, isPartial }: ImageList) => !isPartial && pages.every(({ loaded }) => loaded);

/** Compares the length of lists with the service's. Images that aren't loaded matter to a list for nothing else. */
async function checkLengths(queryClient: QueryClient, lists: readonly Shown[]) {
  for (const { view } of lists) await refreshHead(queryClient, view, mayGrow);
}

async function add(queryClient: QueryClient, keys: ReadonlySet<string>) {
  const others = listsIn(queryClient, 'all').filter(({ list }) => !knowsAll(list, keys));
  for (const { query } of others) if (!query.isActive()) query.invalidate(); // read again once it is shown
  await checkLengths(
    queryClient,
    others.filter(({ query }) => query.isActive()),
  );
}

/** Shows changed images, and returns those that there are. */
async function alter(queryClient: QueryClient, keys: ReadonlySet<string>): Promise<Image[]> {
  if (keys.size > MAX_SINGLE) {
    void untilUnpointed().then(() => queryClient.invalidateQueries({ queryKey: LIST_KEY }));
    return [];
  }
  const images = await readImages(queryClient, keys);
  // Elsewhere, an image that isn't loaded has changed in its place, or has none.
  const placed = (list: ImageList) => (isComplete(list) ? images : images.filter(({ key }) => knows(list, key)));
  const lists = listsIn(queryClient);
  const show = () => showImages(queryClient, images, placed);
  if (isPointed() && lists.some(({ list, view }) => reshapes(list, placed(list), view))) void untilUnpointed().then(show);
  else show();
  await checkLengths(
    queryClient,
    lists.filter(({ list }) => placed(list).length < images.length),
  );
  return images;
}

/** Whether the frames of a list change when images are merged into it. */
function reshapes(list: ImageList, images: readonly Image[], view: ImageView): boolean {
  const { pages, stale } = mergeImages(list, images, view);
  return stale || pages.some(({ ratios, days }, index) => ratios !== list.pages[index]?.ratios || days !== list.pages[index]?.days);
}

/** Those of some images that aren't in the trash. One that has been deleted since is missing from this list; read alone, it would be an error. */
async function readImages(queryClient: QueryClient, keys: ReadonlySet<string>): Promise<Image[]> {
  const query = { keys: [...keys].join(','), limit: keys.size };
  return (await readSettled(queryClient, () => client.call('GET /images', { query }))).items;
}

/**
 * Those of deleted images that are still deleted: this page may have restored them before their event arrived, and others may have done so
 * where they have changed as well.
 */
async function goneOf(queryClient: QueryClient, keys: ReadonlySet<string>, altered: ReadonlySet<string>): Promise<Set<string>> {
  const doubtful = new Set([...keys].filter((key) => altered.has(key) || isJustRestored(key)));
  if (doubtful.size > MAX_SINGLE) {
    void queryClient.invalidateQueries({ queryKey: LIST_KEY });
    return new Set();
  }
  const restored = new Set(doubtful.size > 0 ? (await readImages(queryClient, doubtful)).map(({ key }) => key) : []);
  return new Set([...keys].filter((key) => !restored.has(key)));
}

async function remove(queryClient: QueryClient, keys: ReadonlySet<string>) {
  const lists = listsIn(queryClient).filter(({ list }) => !isComplete(list) && !knowsAll(list, keys));
  // The trash may have just got them.
  updateLists(queryClient, (list, view) => (isTrash(view) ? { ...list, stale: true } : { ...withoutImages(list, keys), stale: false }));
  for (const key of keys) void queryClient.invalidateQueries({ queryKey: imageQueryKey(key) });
  await checkLengths(queryClient, lists);
}

const isFresh = ({ state }: Query) => Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) < FRESH_MS;

/** Brings everything up to date, whatever has happened: the length of the lists, and what is loaded of them. */
async function readAgain(queryClient: QueryClient) {
  void queryClient.invalidateQueries({ queryKey: ['images'], type: 'inactive', refetchType: 'none' });
  void queryClient.invalidateQueries({ queryKey: ['images', 'one'], predicate: (query) => !isFresh(query) });
  for (const shown of listsIn(queryClient)) {
    const { query, view, list } = shown;
    const isNew = isFresh(query);
    await checkLengths(queryClient, [shown]);
    for (const page of isNew ? [] : list.pages.filter(({ loaded }) => loaded)) {
      const items = await readPage(view, page, AbortSignal.timeout(READ_MS));
      queryClient.setQueryData<ImageList>(query.queryKey, (now) => {
        const isSame = (one: ImagePage) => one.after === page.after && one.until === page.until && one.items.length === items.length;
        return now && { ...now, pages: now.pages.map((one) => (isSame(one) ? withItems(one, items, view) : one)) };
      });
    }
  }
}
