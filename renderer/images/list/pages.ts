import type { RouteData } from '#api/contract.ts';
import type { Image } from '#api/images/images.ts';
import type { getTimeline } from '#api/images/timeline.ts';
import { ratioOf, toShape } from '#api/shapes.ts';
import { dayOf } from '#renderer/i18n/format.ts';
import { hasDays, type ImageView, timeOf } from './view.ts';

/** A part of a list: everything between two cursors. The shapes are known from the start, the images once they are loaded. */
export interface ImagePage {
  /** The cursor before the first image, and that of the last one; undefined at the ends of the list. */
  after: string | undefined;
  until: string | undefined;
  loaded: boolean;
  /** Empty until `loaded`. */
  items: readonly Image[];
  /** Width divided by height of each image. */
  ratios: readonly number[];
  /** The day of each image; empty in a list that has no days. */
  days: readonly string[];
  /** The ThumbHash of each image, as far as known. */
  hashes: readonly (string | null)[] | undefined;
}

/** A list of images: all pages of it, in order. */
export interface ImageList {
  pages: readonly ImagePage[];
  /** Only the beginning is known yet: a single page. */
  isPartial?: boolean;
  /** Words that were searched for as well, as nothing contains the typed ones. */
  similar?: readonly string[];
}

export const countOf = ({ pages }: ImageList) => pages.reduce((sum, { ratios }) => sum + ratios.length, 0);

/** The ratio that the service's timeline gives an image, so that nothing moves when the image itself arrives. */
const frameRatio = ({ width, height }: Pick<Image, 'width' | 'height'>) => ratioOf(toShape(width, height));

/** The pages of a timeline, none of them loaded. */
export function toPages({ cursors, page_size, months }: RouteData<typeof getTimeline>): ImagePage[] {
  const ratios = months.flatMap(({ shapes }) => Array.from(atob(shapes), (char) => ratioOf(char.charCodeAt(0))));
  const days = months.flatMap(({ month, days: counts }) =>
    counts.flatMap(([day, count]) => new Array<string>(count).fill(`${month}-${String(day).padStart(2, '0')}`)),
  );
  return [...cursors, undefined].map((until, index) => {
    const slice = <T>(all: readonly T[]) => all.slice(index * page_size, (index + 1) * page_size);
    return { after: cursors[index - 1], until, loaded: false, items: [], ratios: slice(ratios), days: slice(days), hashes: undefined };
  });
}

/** The beginning of a list, until its timeline is there. */
export function toPartialList(items: readonly Image[], view: ImageView): ImageList {
  const page: ImagePage = { after: undefined, until: undefined, loaded: true, items: [], ratios: [], days: [], hashes: undefined };
  return { pages: [withItems(page, items, view)], isPartial: true };
}

/** A page with its images. Keeps the arrays that describe its shape where they are still right, so that nothing is laid out again. */
export function withItems(page: ImagePage, items: readonly Image[], view: ImageView): ImagePage {
  const ratios = items.map(frameRatio);
  const days = hasDays(view.sort) ? items.map((image) => dayOf(timeOf(image, view.sort))) : [];
  const same = <T>(before: readonly T[], after: readonly T[]) =>
    before.length === after.length && after.every((each, index) => each === before[index]);
  return {
    ...page,
    loaded: true,
    items,
    ratios: same(page.ratios, ratios) ? page.ratios : ratios,
    days: same(page.days, days) ? page.days : days,
    hashes: items.map(({ thumbhash }) => thumbhash),
  };
}

/** Forgets the images of a page, but not its shape. */
export const unloaded = (page: ImagePage): ImagePage => ({ ...page, loaded: false, items: [] });

/** What a layout needs of a list. */
export interface Frames {
  readonly ratios: readonly number[];
  /** Undefined in a list without days. */
  readonly days: readonly string[] | undefined;
}

/** The frames of a list, and the index of the first image of each page. */
export interface ListFrames extends Frames {
  readonly starts: readonly number[];
}

/** Collects the frames of a list. Returns `before` if they are the same. */
export function framesOf(
  { pages }: ImageList,
  sort: ImageView['sort'],
  before?: { pages: readonly ImagePage[]; frames: ListFrames },
): ListFrames {
  const kept =
    before?.pages.length === pages.length &&
    pages.every(({ ratios, days }, index) => ratios === before.pages[index]?.ratios && days === before.pages[index]?.days);
  if (before && kept) return before.frames;
  const starts: number[] = [];
  let count = 0;
  for (const { ratios } of pages) {
    starts.push(count);
    count += ratios.length;
  }
  return {
    starts,
    ratios: pages.flatMap(({ ratios }) => ratios),
    days: hasDays(sort) ? pages.flatMap(({ days }) => days) : undefined,
  };
}

/** The page that holds an image. */
export function pageAt(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
