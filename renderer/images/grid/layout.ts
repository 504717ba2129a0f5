import type { Frames } from '#renderer/images/list/pages.ts';

export interface LayoutOptions {
  /** Of the rows, in CSS pixels. */
  width: number;
  /** The row height to aim at. */
  target: number;
  gap: number;
}

/** A day, or the part of one, in a row. */
export interface RowDay {
  day: string;
  first: number;
  /** Index after the day's last image in the whole list. */
  end: number;
  left: number;
  width: number;
}

/** A row of images, with a strip of day headings above them if a day begins in it. */
export interface Row {
  first: number;
  /** Distance from the top of the grid to the headings or, without them, to the images. */
  top: number;
  /** Of the headings; 0 without. */
  heading: number;
  /** Of the images. */
  height: number;
  lefts: readonly number[];
  widths: readonly number[];
  days: readonly RowDay[];
}

/** The rows of a whole list. Rows are computed when they are asked for; only their places are stored. */
export interface Layout {
  readonly frames: Frames;
  readonly options: LayoutOptions;
  readonly rows: number;
  /** Of all rows. */
  readonly height: number;
  rowAt(row: number): Row;
  /** Index of the row that holds an image. */
  rowOf(image: number): number;
  /** Index of the row at a distance from the top. */
  rowAtTop(top: number): number;
}

export const DAY_HEIGHT = 56;
/** Panoramas and long screenshots are cropped to these ratios of width to height; the viewer shows them whole. */
const MIN_RATIO = 0.5;
const MAX_RATIO = 2.8;
/** A row is stretched if it is at least this full, to keep the right edge even. */
const NEARLY_FULL = 0.82;
/** Days that together need up to this share of a row's width are squeezed into one. */
const SQUEEZED = 1.06;
/** Between two days in one row, and what a heading needs, in CSS pixels. */
const DAY_GAP = 20;
const MIN_DAY_WIDTH = 96;

/** A row as it is stored. `scale` is the exact height of its images. */
interface Place {
  first: number;
  end: number;
  top: number;
  scale: number;
  headed: boolean;
  full: boolean;
}

/** Lays images out in justified rows. A day begins in a row of its own, or shares one with other days where all of them fit. */
export function layOut(frames: Frames, options: LayoutOptions): Layout {
  const { ratios, days } = frames;
  const { width, target, gap } = options;
  const shapes = Float32Array.from(ratios, (ratio) => Math.min(MAX_RATIO, Math.max(MIN_RATIO, ratio)));
  const places: Place[] = [];
  let top = 0;

  const add = (first: number, end: number, scale: number, headed: boolean, full: boolean) => {
    places.push({ first, end, top, scale, headed, full });
    top += (headed ? DAY_HEIGHT : 0) + Math.round(scale) + gap;
  };

  /** Fills rows with images from `first` to `end`. */
  function fill(first: number, end: number, headed: boolean) {
    let start = first;
    let sum = 0;
    for (let index = first; index < end; index += 1) {
      const shape = shapes[index] as number;
      const before = index - start;
      const withIt = (width - before * gap) / (sum + shape);
      sum += shape;
      if (withIt > target) continue;
      // Add the image or leave it to the next row, whichever comes closer to the target height.
      const without = before ? (width - (before - 1) * gap) / (sum - shape) : Number.POSITIVE_INFINITY;
      if (without - target < target - withIt) {
        add(start, index, without, headed && start === first, true);
        start = index;
        sum = shape;
        // The image alone may fill its row.
        if (width / shape > target) continue;
        add(start, index + 1, width / shape, false, true);
      } else add(start, index + 1, withIt, headed && start === first, true);
      start = index + 1;
      sum = 0;
    }
    if (start < end) rest(start, end, sum, headed && start === first);
  }

  /** The last row of a day, which may stay short. */
  function rest(start: number, end: number, sum: number, headed: boolean) {
    const gaps = (end - start - 1) * gap;
    const full = sum * target + gaps >= width * NEARLY_FULL;
    add(start, end, full ? (width - gaps) / sum : target, headed, full);
  }

  /** The width of a day in one row at the target height. */
  function dayWidth(first: number, end: number): number {
    let sum = 0;
    for (let index = first; index < end; index += 1) {
      sum += shapes[index] as number;
      if (sum * target > width * 2) break;
    }
    return Math.max(MIN_DAY_WIDTH, sum * target + (end - first - 1) * gap);
  }

  function endOfDay(first: number): number {
    let end = first + 1;
    while (end < ratios.length && days?.[end] === days?.[first]) end += 1;
    return end;
  }

  if (!days) fill(0, ratios.length, false);
  else
    for (let first = 0; first < ratios.length; ) {
      let end = endOfDay(first);
      let used = dayWidth(first, end);
      if (used > width * SQUEEZED) fill(first, end, true);
      else {
        let others = 0;
        while (end < ratios.length) {
          const next = endOfDay(end);
          const wider = used + DAY_GAP + dayWidth(end, next);
          if (wider > width * SQUEEZED) break;
          used = wider;
          end = next;
          others += 1;
        }
        addDays(first, end, used, others);
      }
      first = end;
    }

  /** A row of whole days. Headings keep the room they need; the images take the rest. */
  function addDays(first: number, end: number, used: number, others: number) {
    let sum = 0;
    for (let index = first; index < end; index += 1) sum += shapes[index] as number;
    const fixed = used - sum * target;
    const scale = (width - fixed) / sum;
    // Headings wider than their images would make the images of other days huge.
    const full = used >= width * NEARLY_FULL && scale <= target * 1.3 && (others === 0 || scale > target * 0.7);
    const squeezed = used > width;
    add(first, end, full || squeezed ? scale : target, true, full || squeezed);
  }

  const cache = new Map<number, Row>();
  const layout: Layout = {
    frames,
    options,
    rows: places.length,
    height: top,
    rowAt(index) {
      const known = cache.get(index);
      if (known) return known;
      if (cache.size > 2_000) cache.clear();
      const row = toRow(places[index] as Place, shapes, frames, options);
      cache.set(index, row);
      return row;
    },
    rowOf: (image) => search(places, (place) => place.first <= image),
    rowAtTop: (at) => search(places, (place) => place.top <= at),
  };
  return layout;
}

function toRow({ first, end, top, scale, headed, full }: Place, shapes: Float32Array, { days }: Frames, options: LayoutOptions): Row {
  const { width, target, gap } = options;
  const [lefts, widths, parts]: [number[], number[], RowDay[]] = [[], [], []];
  let left = 0;
  let natural = 0;
  const close = () => {
    const part = parts.at(-1);
    if (!part) return;
    // The room that the layout kept for a heading.
    const missing = Math.max(0, MIN_DAY_WIDTH - natural);
    left += missing;
    part.width = left - gap - part.left;
  };
  for (let index = first; index < end; index += 1) {
    const day = days?.[index];
    if (headed && day !== undefined && day !== parts.at(-1)?.day) {
      if (index > first) {
        close();
        left += DAY_GAP - gap;
      }
      parts.push({ day, first: index, end: index, left, width: 0 });
      natural = -gap;
    }
    const shape = shapes[index] as number;
    const wide = Math.floor(shape * scale);
    natural += shape * target + gap;
    lefts.push(left);
    widths.push(wide);
    left += wide + gap;
    const part = parts.at(-1);
    if (part) part.end = index + 1;
  }
  close();
  // The last image gets what rounding took, so that all rows end on the same pixel.
  const last = widths.length - 1;
  const rest = width - ((lefts[last] ?? 0) + (widths[last] ?? 0));
  if (full && Math.abs(rest) <= widths.length + parts.length) widths[last] = (widths[last] ?? 0) + rest;
  const final = parts.at(-1);
  if (final) {
    if (days) while (days[final.end] === final.day) final.end += 1;
    final.width = width - final.left;
  }
  return { first, top, heading: headed ? DAY_HEIGHT : 0, height: Math.round(scale), lefts, widths, days: parts };
}

/** The last place for which `holds`, which must be true up to some place and false from there on. */
function search(places: readonly Place[], holds: (place: Place) => boolean): number {
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(places[middle] as Place)) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** The image above (`step` −1) or below (+1) another: the one whose middle is nearest. */
export function neighbour(layout: Layout, image: number, step: -1 | 1): number {
  const from = layout.rowOf(image);
  const to = from + step;
  if (to < 0 || to >= layout.rows) return image;
  const [start, row] = [layout.rowAt(from), layout.rowAt(to)];
  const middle = middleOf(start, image - start.first);
  const distances = row.widths.map((_, column) => Math.abs(middleOf(row, column) - middle));
  return row.first + distances.indexOf(Math.min(...distances));
}

const middleOf = ({ lefts, widths }: Row, column: number) => (lefts[column] ?? 0) + (widths[column] ?? 0) / 2;
