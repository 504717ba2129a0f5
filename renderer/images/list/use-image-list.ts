import { useMemo, useRef } from 'react';
import type { Image } from '#api/images/images.ts';
import type { FindPlaceholder, GridImages } from '#renderer/images/grid-images.ts';
import { framesOf, type ImageList, type ImagePage, type ListFrames, pageAt } from './pages.ts';
import { usePageLoader } from './use-page-loader.ts';
import type { ImageView } from './view.ts';

/** A list as a grid shows it: the shape of everything, and the images that are loaded. */
export function useImageList(view: ImageView, list: ImageList | undefined) {
  const frames = useFrames(view, list);
  const loader = usePageLoader(view, list, frames);
  const parts = useMemo(() => {
    const pages = list?.pages ?? [];
    const place = (index: number) => {
      const page = pageAt(frames.starts, index);
      return { page: pages[page], at: index - (frames.starts[page] ?? 0) };
    };
    const images: GridImages<Image> = {
      count: frames.ratios.length,
      at(index) {
        const { page, at } = place(index);
        return page?.items[at];
      },
      find(key) {
        const [page, at] = findKey(pages, key);
        return page < 0 ? -1 : (frames.starts[page] ?? 0) + at;
      },
    };
    const placeholder: FindPlaceholder = (index) => {
      const { page, at } = place(index);
      return page?.hashes && { hashes: page.hashes, index: at };
    };
    const isPartial = list?.isPartial === true;
    const complete = !isPartial && pages.every(({ loaded }) => loaded);
    return { images, placeholder, loaded: pages.flatMap(({ items }) => items), complete, isPartial };
  }, [list, frames]);
  return { ...parts, frames, loader };
}

export type ShownList = ReturnType<typeof useImageList>;

function useFrames(view: ImageView, list: ImageList | undefined): ListFrames {
  const before = useRef<{ pages: readonly ImagePage[]; frames: ListFrames; view: ImageView }>(undefined);
  return useMemo(() => {
    const kept = before.current?.view === view ? before.current : undefined;
    const frames = framesOf(list ?? { pages: [] }, view.sort, kept);
    before.current = { pages: list?.pages ?? [], frames, view };
    return frames;
  }, [view, list]);
}

function findKey(pages: readonly ImagePage[], key: string): [page: number, at: number] {
  for (const [page, { items }] of pages.entries()) {
    const at = items.findIndex((image) => image.key === key);
    if (at >= 0) return [page, at];
  }
  return [-1, -1];
}

/** Pages to load in search of an image whose day isn't known, or in a list without days. */
const MAX_SOUGHT = 20;

/** The images that the viewer goes through: those loaded without a gap around the one it shows. */
export function useRun(list: ImageList | undefined, { frames, loader }: Pick<ShownList, 'frames' | 'loader'>, shown: string | undefined) {
  return useMemo(() => {
    const pages = list?.pages ?? [];
    const [at] = shown === undefined ? [-1] : findKey(pages, shown);
    let [from, to] = [at, at];
    while (from > 0 && pages[from - 1]?.loaded) from -= 1;
    while (to >= 0 && pages[to + 1]?.loaded) to += 1;
    return {
      images: at < 0 ? [] : pages.slice(from, to + 1).flatMap(({ items }) => items),
      /** Index of the first of them in the list. */
      start: at < 0 ? 0 : (frames.starts[from] ?? 0),
      /** Loads the neighbours, or the part of the list that an image of this day is in. */
      loadAround(day: string | undefined) {
        if (at >= 0) return loader.load([from - 1, to + 1]);
        const all = pages.map((_, index) => index);
        loader.load(
          (frames.days && day !== undefined ? all.filter((index) => pages[index]?.days.includes(day)) : all).slice(0, MAX_SOUGHT),
        );
      },
    };
  }, [list, frames, loader, shown]);
}
