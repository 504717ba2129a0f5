/** The part of an image that a layout needs. */
export interface Framed {
  width: number;
  height: number;
}

interface RowOptions {
  /** Of the rows, in CSS pixels. */
  width: number;
  /** The row height to aim at. */
  target: number;
  gap: number;
}

export interface LayoutOptions<T extends Framed> extends RowOptions {
  /** The day that an image is shown under; '' for none. */
  dayOf: (image: T) => string;
}

export interface DayRow {
  kind: 'day';
  day: string;
  /** Index of the day's first image. */
  first: number;
  height: number;
}

export interface ImageRow {
  kind: 'images';
  first: number;
  /** Of each image in the row, in whole pixels. */
  widths: readonly number[];
  /** Of the images, without the gap below. */
  height: number;
}

export type Row = DayRow | ImageRow;

/** The rows of a grid, and where to continue when more images arrive. */
export interface Layout<T extends Framed> {
  options: LayoutOptions<T>;
  pages: readonly (readonly T[])[];
  images: readonly T[];
  rows: readonly Row[];
  /** Number of leading rows that more images can't change; they hold `settled` images. */
  closedRows: number;
  settled: number;
}

export const DAY_HEIGHT = 56;
/** Panoramas and long screenshots are cropped to these ratios of width to height; the viewer shows them whole. */
const MIN_RATIO = 0.5;
const MAX_RATIO = 2.8;
/** A day's last row is stretched if it is at least this full, to keep the right edge even. */
const NEARLY_FULL = 0.82;

const shapeOf = ({ width, height }: Framed) => Math.min(MAX_RATIO, Math.max(MIN_RATIO, width && height ? width / height : 1));

/** Lays images out in justified rows under their days. Given `before`, the layout of the first of these pages, it only adds rows. */
export function layOut<T extends Framed>(pages: readonly (readonly T[])[], options: LayoutOptions<T>, before?: Layout<T>): Layout<T> {
  const images = pages.flat();
  const kept = before && before.options === options && before.pages.every((page, index) => page === pages[index]) ? before : undefined;
  const rows: Row[] = kept ? kept.rows.slice(0, kept.closedRows) : [];
  let first = kept?.settled ?? 0;
  let day = first > 0 ? options.dayOf(images[first - 1] as T) : '';
  let closedRows = rows.length;
  while (first < images.length) {
    const current = options.dayOf(images[first] as T);
    if (current !== day) rows.push({ kind: 'day', day: current, first, height: DAY_HEIGHT });
    day = current;
    const { row, complete } = takeRow(images, first, options);
    rows.push(row);
    if (!complete) break;
    first += row.widths.length;
    closedRows = rows.length;
  }
  return { options, pages, images, rows, closedRows, settled: first };
}

/** Takes as many images as fill one row. `complete` is false if images of the next page may belong to it. */
function takeRow<T extends Framed>(images: readonly T[], first: number, options: LayoutOptions<T>): { row: ImageRow; complete: boolean } {
  const { width, target, gap, dayOf } = options;
  const day = dayOf(images[first] as T);
  const shapes: number[] = [];
  let sum = 0;
  for (let index = first; index < images.length; index += 1) {
    const image = images[index] as T;
    if (dayOf(image) !== day) return { row: lastOfDay(first, shapes, sum, options), complete: true };
    const shape = shapeOf(image);
    const room = width - shapes.length * gap;
    if (room / (sum + shape) <= target) {
      // Add the image or leave it to the next row, whichever comes closer to the target height.
      const without = shapes.length ? (room + gap) / sum : Number.POSITIVE_INFINITY;
      const withIt = room / (sum + shape);
      if (without - target < target - withIt) return { row: justified(first, shapes, sum, options), complete: true };
      return { row: justified(first, [...shapes, shape], sum + shape, options), complete: true };
    }
    shapes.push(shape);
    sum += shape;
  }
  return { row: lastOfDay(first, shapes, sum, options), complete: false };
}

function justified(first: number, shapes: readonly number[], sum: number, { width, gap }: RowOptions): ImageRow {
  const room = width - (shapes.length - 1) * gap;
  const height = room / sum;
  const widths = shapes.map((shape) => Math.floor(shape * height));
  // The last image gets what rounding took, so that all rows end on the same pixel.
  const rest = room - widths.reduce((total, each) => total + each, 0);
  widths[widths.length - 1] = (widths.at(-1) ?? 0) + rest;
  return { kind: 'images', first, widths, height: Math.round(height) };
}

function lastOfDay(first: number, shapes: readonly number[], sum: number, options: RowOptions): ImageRow {
  const { width, target, gap } = options;
  const natural = sum * target + (shapes.length - 1) * gap;
  if (natural >= width * NEARLY_FULL) return justified(first, shapes, sum, options);
  return { kind: 'images', first, widths: shapes.map((shape) => Math.floor(shape * target)), height: Math.round(target) };
}

/** Index of the row that holds an image. */
export function rowOf(rows: readonly Row[], image: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rows[middle] as Row).first <= image) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The image above (`step` −1) or below (+1) another: the one whose middle is nearest. */
export function neighbour(rows: readonly Row[], image: number, step: -1 | 1, gap: number): number {
  const from = rowOf(rows, image);
  const start = rows[from];
  if (start?.kind !== 'images') return image;
  const middle = middleOf(start, image - start.first, gap);
  for (let index = from + step; index >= 0 && index < rows.length; index += step) {
    const row = rows[index];
    if (row?.kind !== 'images') continue;
    const distances = row.widths.map((_, column) => Math.abs(middleOf(row, column, gap) - middle));
    return row.first + distances.indexOf(Math.min(...distances));
  }
  return image;
}

function middleOf(row: ImageRow, column: number, gap: number): number {
  const before = row.widths.slice(0, column).reduce((total, each) => total + each + gap, 0);
  return before + (row.widths[column] ?? 0) / 2;
}
