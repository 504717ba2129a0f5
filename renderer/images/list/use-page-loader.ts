import { onlineManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { imageListQuery, readPage, readPlaceholders } from './list.ts';
import { type ImageList, type ImagePage, type ListFrames, pageAt, unloaded, withItems } from './pages.ts';
import type { ImageView } from './view.ts';

/** Images beyond the screen that are loaded as well, on either side. */
const MARGIN = 60;
/** Pages of images kept in memory: about 5,000 images. */
const MAX_LOADED = 50;
/** Pages per request for placeholders, the service's maximum, and how far ahead of the screen they are requested. */
const PAGES_PER_BLOCK = 10;
const BLOCK_MARGIN = 600;

/** The part of a list that is on the screen, by the indices of images, both included. */
export interface Range {
  first: number;
  last: number;
  /** The user is scrolling too fast to see images. */
  flying: boolean;
}

const idOf = ({ after }: ImagePage) => after ?? '';

/** Loads the parts of a list that are shown, and cancels requests for parts that were scrolled past. */
export function usePageLoader(view: ImageView, list: ImageList | undefined, frames: ListFrames) {
  const queryClient = useQueryClient();
  const latest = useRef({ list, frames });
  latest.current = { list, frames };
  const loader = useMemo(() => {
    const { queryKey } = imageListQuery(view);
    const running = new Map<string, AbortController>();
    let range: Range = { first: 0, last: 0, flying: false };

    const update = (id: string, change: (page: ImagePage) => ImagePage) =>
      queryClient.setQueryData(
        queryKey,
        (before) => before && { ...before, pages: before.pages.map((page) => (idOf(page) === id ? change(page) : page)) },
      );

    /** Starts a request unless it is running already. A failed one starts again when its part is shown again, or the service is back. */
    function start(name: string, work: (signal: AbortSignal) => Promise<void>) {
      if (running.has(name)) return;
      const controller = new AbortController();
      running.set(name, controller);
      work(controller.signal)
        .catch(() => undefined) // The banner reports a lost connection.
        .finally(() => running.get(name) === controller && running.delete(name));
    }

    function stopAllBut(names: ReadonlySet<string>) {
      for (const [name, controller] of running) {
        if (names.has(name)) continue;
        controller.abort();
        running.delete(name);
      }
    }

    function loadPage(page: ImagePage) {
      start(`page ${idOf(page)}`, async (signal) => {
        const items = await readPage(view, page, signal);
        update(idOf(page), (now) => withItems(now, items, view));
      });
    }

    function loadPlaceholders(pages: readonly ImagePage[]) {
      start(`block ${idOf(pages[0] as ImagePage)}`, async (signal) => {
        const hashes = await readPlaceholders(view, pages, signal);
        let from = 0;
        const parts = new Map<string, (string | null)[]>();
        for (const page of pages) {
          parts.set(idOf(page), hashes.slice(from, from + page.ratios.length));
          from += page.ratios.length;
        }
        // If the list has changed since it was read, they belong to other images.
        if (from !== hashes.length) return;
        queryClient.setQueryData(
          queryKey,
          (before) =>
            before && {
              ...before,
              pages: before.pages.map((page) => {
                const part = parts.get(idOf(page));
                return !page.loaded && part?.length === page.ratios.length ? { ...page, hashes: part } : page;
              }),
            },
        );
      });
    }

    function show(next: Range) {
      range = next;
      const { list: now, frames: known } = latest.current;
      if (!now?.pages.length) return;
      const { pages } = now;
      const within = (margin: number) => ({
        from: pageAt(known.starts, Math.max(0, range.first - margin)),
        to: pageAt(known.starts, range.last + margin),
      });
      const needed = new Set<string>();
      const near = within(MARGIN);
      if (!range.flying)
        for (const page of pages.slice(near.from, near.to + 1)) {
          needed.add(`page ${idOf(page)}`);
          if (!page.loaded) loadPage(page);
        }
      const around = within(BLOCK_MARGIN);
      for (let block = Math.floor(around.from / PAGES_PER_BLOCK); block <= Math.floor(around.to / PAGES_PER_BLOCK); block += 1) {
        const some = pages.slice(block * PAGES_PER_BLOCK, (block + 1) * PAGES_PER_BLOCK);
        if (!some[0]) continue;
        needed.add(`block ${idOf(some[0])}`);
        if (some.some(({ hashes }) => !hashes)) loadPlaceholders(some);
      }
      stopAllBut(needed);
      if (pages.reduce((sum, { loaded }) => sum + Number(loaded), 0) > MAX_LOADED) evict(near);
    }

    /** Forgets the images that are furthest from the screen. */
    function evict({ from, to }: { from: number; to: number }) {
      queryClient.setQueryData(queryKey, (before) => {
        if (!before) return before;
        const middle = (from + to) / 2;
        const distance = (index: number) => Math.abs(index - middle);
        const loaded = before.pages.flatMap(({ loaded: kept }, index) => (kept ? [index] : []));
        const kept = new Set(loaded.sort((one, other) => distance(one) - distance(other)).slice(0, MAX_LOADED / 2));
        return { ...before, pages: before.pages.map((page, index) => (page.loaded && !kept.has(index) ? unloaded(page) : page)) };
      });
    }

    return {
      show,
      again: () => show(range),
      stop: () => stopAllBut(new Set()),
      /** Loads some pages wherever they are, such as those beside the image in the viewer. */
      load(indices: readonly number[]) {
        for (const index of indices) {
          const page = latest.current.list?.pages[index];
          if (page && !page.loaded) loadPage(page);
        }
      },
    };
  }, [queryClient, view]);

  useEffect(() => loader.stop, [loader]);
  // A list that was read again has other pages.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only its frames matter
  useEffect(() => loader.again(), [loader, frames]);
  useEffect(() => onlineManager.subscribe((online) => online && loader.again()), [loader]);
  return loader;
}
