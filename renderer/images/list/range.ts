import type { Image } from '#api/images/images.ts';
import type { GridImages } from '#renderer/images/grid-images.ts';
import { readPage } from '#renderer/images/list/list.ts';
import { type ImagePage, pageAt } from '#renderer/images/list/pages.ts';
import { type ImageView, timeOf } from '#renderer/images/list/view.ts';
import type { Span } from '#renderer/images/selection/selection.ts';

/** A part of a list by the indices of its images, both included. */
export interface IndexRange {
  first: number;
  last: number;
}

/**
 * The time between two images of a list that is sorted by a date. `beside` are images that fall into it only because they have the same time
 * as the first or the last one.
 */
export function spanOfRange(
  ends: readonly [Image, Image],
  { first, last }: IndexRange,
  images: GridImages<Image>,
  sort: ImageView['sort'],
): { span: Span; beside: Image[] } {
  const times = ends.map((image) => Date.parse(timeOf(image, sort)));
  const span = { from: new Date(Math.min(...times)).toISOString(), to: new Date(Math.max(...times) + 1).toISOString() };
  const sameTime = (start: number, step: 1 | -1) => {
    const same: Image[] = [];
    const time = images.at(start) && timeOf(images.at(start) as Image, sort);
    for (let index = start + step; ; index += step) {
      const image = images.at(index);
      if (!image || timeOf(image, sort) !== time) return same;
      same.push(image);
    }
  };
  return { span, beside: [...sameTime(first, -1), ...sameTime(last, 1)] };
}

/** The images of a part of a list. Loads those that aren't. */
export async function readRange(
  view: ImageView,
  pages: readonly ImagePage[],
  starts: readonly number[],
  { first, last }: IndexRange,
): Promise<Image[]> {
  const images: Image[] = [];
  for (let at = pageAt(starts, first); at <= pageAt(starts, last); at += 1) {
    const page = pages[at];
    if (!page) continue;
    const start = starts[at] ?? 0;
    const items = page.loaded ? page.items : await readPage(view, page, new AbortController().signal);
    images.push(...items.slice(Math.max(0, first - start), last - start + 1));
  }
  return images;
}

/** Whether all images of a part of a list are loaded. */
export const isLoaded = (pages: readonly ImagePage[], starts: readonly number[], { first, last }: IndexRange) =>
  pages.slice(pageAt(starts, first), pageAt(starts, last) + 1).every(({ loaded }) => loaded);
