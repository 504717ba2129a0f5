import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { requestedWidth } from '#renderer/images/first-thumbnail.ts';
import { imageListQuery, mergeImages, updateLists, withMoved, withoutImages } from '#renderer/images/list/list.ts';
import { countOf, framesOf, type ImageList, type ImagePage, pageAt, toPages, unloaded, withItems } from '#renderer/images/list/pages.ts';
import type { ImageView } from '#renderer/images/list/view.ts';
import { client } from '#renderer/service/client.ts';

const VIEW: ImageView = { sort: 'uploaded_desc' };
const EMPTY: ImagePage = { after: undefined, until: undefined, loaded: false, items: [], ratios: [], days: [], hashes: undefined };

const image = (key: string, minute: number, name = key) =>
  ({
    ...{ key, name, width: 300, height: 200, thumbhash: `hash of ${key}` },
    ...{ created_at: `2026-11-21T12:${String(minute).padStart(2, '0')}:00Z`, taken_at: '2020-01-01T00:00:00Z' },
  }) as Image;
const list = (...pages: Image[][]): ImageList => ({
  pages: pages.map((items, index) => withItems({ ...EMPTY, after: index ? `${index}` : undefined }, items, VIEW)),
});
const keys = ({ pages }: ImageList) => pages.map(({ items }) => items.map(({ key }) => key));

describe('a timeline', () => {
  const shapes = btoa(String.fromCharCode(128, 192, 64));
  const timeline = {
    ...{ count: 5, page_size: 2, cursors: ['a', 'b'], similar: [] },
    months: [
      {
        month: '2026-11',
        count: 3,
        days: [
          [21, 2],
          [3, 1],
        ] as [number, number][],
        shapes,
      },
      { month: '2026-10', count: 2, days: [[9, 2]] as [number, number][], shapes: btoa(String.fromCharCode(128, 128)) },
    ],
  };

  it('becomes pages between its cursors, with the shape and day of every image', () => {
    const pages = toPages(timeline);
    expect(pages.map(({ after, until, ratios, days }) => ({ after, until, ratios, days }))).toEqual([
      { after: undefined, until: 'a', ratios: [1, 2], days: ['2026-11-21', '2026-11-21'] },
      { after: 'a', until: 'b', ratios: [0.5, 1], days: ['2026-11-03', '2026-10-09'] },
      { after: 'b', until: undefined, ratios: [1], days: ['2026-10-09'] },
    ]);
    expect(countOf({ pages })).toBe(5);
  });

  it('keeps its frames when arriving images look as announced, and only then', () => {
    const pages = [{ ...EMPTY, ratios: withItems(EMPTY, [image('a', 1)], VIEW).ratios, days: ['2026-11-21'] }];
    const before = { pages, frames: framesOf({ pages }, 'uploaded_desc') };
    const loaded = [withItems(pages[0] as ImagePage, [image('a', 1)], VIEW)];
    expect(framesOf({ pages: loaded }, 'uploaded_desc', before)).toBe(before.frames);
    expect(framesOf({ pages: loaded.map(unloaded) }, 'uploaded_desc', before)).toBe(before.frames);
    const more = [withItems(pages[0] as ImagePage, [image('b', 2), image('a', 1)], VIEW)];
    expect(framesOf({ pages: more }, 'uploaded_desc', before).ratios).toHaveLength(2);
  });

  it('finds the page of an image', () => {
    const starts = [0, 2, 4];
    expect([0, 1, 2, 3, 4, 99].map((index) => pageAt(starts, index))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe('merging changes into a list', () => {
  const loaded = list([image('e', 50), image('d', 40)], [image('c', 30), image('b', 20)]);
  const partly: ImageList = {
    pages: [unloaded(loaded.pages[0] as ImagePage), loaded.pages[1] as ImagePage, { ...EMPTY, after: 'x', ratios: [1] }],
  };

  it('inserts a new image by its time, with its frame and placeholder', () => {
    const merged = mergeImages(loaded, [image('new', 55)], VIEW);
    expect(keys(merged)).toEqual([
      ['new', 'e', 'd'],
      ['c', 'b'],
    ]);
    expect(merged.pages[0]).toMatchObject({
      days: ['2026-11-21', '2026-11-21', '2026-11-21'],
      hashes: ['hash of new', 'hash of e', 'hash of d'],
    });
    expect(keys(mergeImages(loaded, [image('new', 35)], VIEW))).toEqual([
      ['e', 'd'],
      ['new', 'c', 'b'],
    ]);
    expect(keys(mergeImages(loaded, [image('old', 1)], VIEW))).toEqual([
      ['e', 'd'],
      ['c', 'b', 'old'],
    ]);
    expect(keys(mergeImages({ pages: [] }, [image('first', 1)], VIEW))).toEqual([['first']]);
    expect(keys(mergeImages(list([]), [image('first', 1)], VIEW))).toEqual([['first']]);
  });

  it('inserts between the loaded images of a page, and is stale where the place is unknown', () => {
    expect(mergeImages(partly, [image('new', 25)], VIEW)).toMatchObject({ stale: false });
    expect(keys(mergeImages(partly, [image('new', 25)], VIEW))[1]).toEqual(['c', 'new', 'b']);
    for (const minute of [35, 55, 1]) {
      const merged = mergeImages(partly, [image('new', minute)], VIEW);
      expect(merged.stale).toBe(true);
      expect(keys(merged)).toEqual(keys(partly));
    }
  });

  it('moves an image whose time has changed, also in a search, and only where times are the order', () => {
    const taken = (key: string, day: number) => ({ ...image(key, 1), taken_at: `2020-01-0${day}T00:00:00.000Z` });
    const view: ImageView = { sort: 'taken_desc' };
    const before = list([taken('c', 6), taken('b', 5)], [taken('a', 4)]);
    for (const shown of [view, { ...view, q: 'beach' }]) {
      const merged = mergeImages(before, [taken('c', 3)], shown);
      expect(keys(merged)).toEqual([['b'], ['a', 'c']]);
      expect(merged.pages[1]?.days).toEqual(['2020-01-04', '2020-01-03']);
      expect(keys(mergeImages(before, [taken('b', 6), taken('c', 5)], shown)).flat()).toEqual(['b', 'c', 'a']);
    }
    expect(keys(mergeImages(before, [taken('c', 3)], { ...view, taken: '2021' }))).toEqual([['b'], ['a']]);
    expect(keys(mergeImages(before, [taken('c', 3)], VIEW))).toEqual(keys(before));
    // Its place is between pages that aren't loaded.
    const partlyLoaded = { pages: [before.pages[0] as ImagePage, { ...EMPTY, after: 'x', ratios: [1] }] };
    expect(mergeImages(partlyLoaded, [taken('c', 1)], view)).toMatchObject({ stale: true });
  });

  it('replaces a known image instead of showing it twice, and lays nothing out again', () => {
    const merged = mergeImages(loaded, [image('d', 40, 'renamed')], VIEW);
    expect(keys(merged)).toEqual(keys(loaded));
    expect(merged.pages[0]?.items[1]?.name).toBe('renamed');
    expect(merged.pages[0]?.ratios).toBe(loaded.pages[0]?.ratios);
    expect(merged.pages[1]).toBe(loaded.pages[1]);
  });

  it('mutates neither the list nor its pages', () => {
    const before = keys(loaded);
    mergeImages(loaded, [image('new', 55)], VIEW);
    withoutImages(loaded, new Set(['e']));
    expect(keys(loaded)).toEqual(before);
  });

  it('removes images and their frames from any page, and is stale if one of them isn’t loaded', () => {
    const without = withoutImages(loaded, new Set(['e', 'b']));
    expect(keys(without)).toEqual([['d'], ['c']]);
    expect(without.pages.map(({ ratios, days, hashes }) => [ratios.length, days.length, hashes?.length])).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    expect(without.stale).toBe(false);
    expect(withoutImages(loaded, new Set(['unknown'])).stale).toBe(false);
    expect(withoutImages(partly, new Set(['unknown'])).stale).toBe(true);
  });
});

describe('reading a list', () => {
  const shapes = (count: number) => btoa(String.fromCharCode(...new Array<number>(count).fill(128)));
  const timelineOf = (count: number) => ({
    ...{ count, page_size: 2, cursors: count > 2 ? ['a'] : [] },
    months: [{ month: '2026-11', count, days: [[21, count]], shapes: shapes(count) }],
  });

  /** A query whose timelines arrive when the test says so; the first page, at once. */
  function start(head: readonly Image[], more: boolean) {
    const timelines: PromiseWithResolvers<unknown>[] = [];
    const calls = vi.spyOn(client, 'call').mockImplementation((async (route: string) => {
      if (route === 'GET /images') return { items: head, next_cursor: more ? 'b' : null };
      const timeline = Promise.withResolvers<unknown>();
      timelines.push(timeline);
      return timeline.promise;
    }) as typeof client.call);
    onTestFinished(() => calls.mockRestore());
    const queryClient = new QueryClient();
    const query = imageListQuery(VIEW);
    const read = queryClient.fetchQuery(query);
    return { timelines, read, queryClient, shown: () => queryClient.getQueryData(query.queryKey), key: query.queryKey };
  }

  it('shows the beginning of a long list before its timeline is there', async () => {
    const { timelines, read, shown } = start([image('c', 30), image('b', 20)], true);
    await expect.poll(() => shown()).toMatchObject({ isPartial: true });
    expect(keys(shown() as ImageList)).toEqual([['c', 'b']]);
    timelines[0]?.resolve(timelineOf(3));
    const whole = await read;
    expect(whole.isPartial).toBeUndefined();
    expect(whole.pages.map(({ loaded, ratios }) => [loaded, ratios.length])).toEqual([
      [true, 2],
      [false, 1],
    ]);
  });

  it('waits for the timeline where it is as short as the first page', async () => {
    const { timelines, read, shown } = start([image('b', 20)], false);
    await expect.poll(() => timelines).toHaveLength(1);
    expect(shown()).toBeUndefined();
    timelines[0]?.resolve(timelineOf(1));
    expect(keys(await read)).toEqual([['b']]);
  });

  it('reads again what was changed while only the beginning was there', async () => {
    const { timelines, read, queryClient, key, shown } = start([image('c', 30), image('b', 20)], true);
    await expect.poll(() => shown()).toBeDefined();
    queryClient.setQueryData(key, (before) => before && { ...before, ...withoutImages(before, new Set(['c'])) });
    timelines[0]?.resolve(timelineOf(3));
    await expect.poll(() => timelines).toHaveLength(2);
    timelines[1]?.resolve(timelineOf(2));
    expect(countOf(await read)).toBe(2);
  });

  it('reads a list again, once a change is made, that it was reading when the change began', async () => {
    const SORTED: ImageView = { sort: 'album_order', album_id: 'trip' };
    const { queryKey } = imageListQuery(SORTED);
    const [a, b] = [
      { ...image('a', 1), albums: ['trip'] },
      { ...image('b', 2), albums: ['trip'] },
    ];
    let order = [b, a];
    const held: { signal: AbortSignal; resolve: () => void }[] = [];
    const calls = vi.spyOn(client, 'call').mockImplementation((async (route: string, { signal }: { signal: AbortSignal }) => {
      if (route !== 'GET /images') return timelineOf(2);
      const items = order;
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push({ signal, resolve });
      await promise;
      return { items, next_cursor: null };
    }) as typeof client.call);
    onTestFinished(() => calls.mockRestore());
    const queryClient = new QueryClient();
    const shown = () => (queryClient.getQueryData(queryKey)?.pages ?? []).flatMap(({ items }) => items.map(({ key }) => key));
    const stop = new QueryObserver(queryClient, imageListQuery(SORTED)).subscribe(() => undefined);
    onTestFinished(stop);
    held[0]?.resolve();
    await expect.poll(shown).toEqual(['b', 'a']);

    void queryClient.invalidateQueries({ queryKey });
    await expect.poll(() => held).toHaveLength(2);
    const sent = Promise.withResolvers<void>();
    const move = queryClient
      .getMutationCache()
      .build(queryClient, {
        mutationFn: () => sent.promise,
        onMutate: () => updateLists(queryClient, (known, view) => withMoved(known, 'a', 'b', view)),
      })
      .execute(undefined);
    await expect.poll(shown).toEqual(['a', 'b']);
    // What arrives is the former order.
    expect(held[1]?.signal.aborted).toBe(true);
    held[1]?.resolve();
    order = [a, b];
    sent.resolve();
    await move;
    await expect.poll(() => held).toHaveLength(3);
    held[2]?.resolve();
    await expect.poll(() => queryClient.isFetching()).toBe(0);
    expect(shown()).toEqual(['a', 'b']);
  });
});

it('requests one page and the first thumbnail at once over a slow connection', async () => {
  const thumbnails: string[] = [];
  vi.stubGlobal('navigator', { connection: { effectiveType: '3g', saveData: false } });
  vi.stubGlobal('window', { innerWidth: 1440 });
  vi.stubGlobal(
    'Image',
    class {
      set src(address: string) {
        thumbnails.push(address);
      }
    },
  );
  const call = vi.spyOn(client, 'call');
  onTestFinished(() => {
    vi.unstubAllGlobals();
    call.mockRestore();
  });
  // The timeline takes longer.
  call.mockImplementation((async (route: string) =>
    route === 'GET /images' ? { items: [image('b', 2), image('a', 1)], next_cursor: 'x' } : new Promise(() => undefined)) as never);
  const queryClient = new QueryClient();
  void queryClient.prefetchQuery(imageListQuery(VIEW));
  await expect.poll(() => thumbnails).toEqual(['/t/b.jpg?w=200']);
  expect(call.mock.calls[0]).toMatchObject(['GET /images', { query: { limit: 100 } }]);
  expect(requestedWidth('b', 300)).toBe(200);
  // A tile that is much larger than expected, and one that nothing was requested for.
  expect([requestedWidth('b', 500), requestedWidth('a', 300)]).toEqual([undefined, undefined]);
  await queryClient.cancelQueries();
});
