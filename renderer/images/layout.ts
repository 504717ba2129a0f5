/** What a layout needs to know of a picture. */
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
  /** Index of the day's first picture. */
  first: number;
  height: number;
}

export interface ImageRow {
  kind: 'images';
  first: number;
  /** Of each picture in the row, whole pixels. */
  widths: readonly number[];
  /** Of the pictures; the gap below comes on top. */
  height: number;
}

export type Row = DayRow | ImageRow;

/** Rows of a timeline, and where to go on when more pictures come. */
export interface Layout<T extends Framed> {
  options: LayoutOptions<T>;
  pages: readonly (readonly T[])[];
  images: readonly T[];
  rows: readonly Row[];
  /** So many rows stay as they are whatever comes; they hold `settled` pictures. */
  closedRows: number;
  settled: number;
}

export const DAY_HEIGHT = 56;
/** Panoramas and long screenshots are cropped to these shapes in the timeline; the viewer shows them whole. */
const NARROWEST = 0.5;
const WIDEST = 2.8;
/** A day's last row is stretched when it is at least this full, so that the right edge stays calm. */
const NEARLY_FULL = 0.82;

const shapeOf = ({ width, height }: Framed) => Math.min(WIDEST, Math.max(NARROWEST, width && height ? width / height : 1));

/** Lays pictures out in justified rows under their days. Given the layout `before` of the same pages and some more, it only adds rows. */
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

/** Takes as many pictures as fill one row. `complete` is false when pictures still to come may belong into it. */
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
      // Take the picture in, or leave it to the next row: whichever comes closer to the height aimed at.
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
  // What rounding took goes to the last picture, so that all rows end on the same pixel.
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

/** Index of the row that holds a picture. */
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

/** The picture above (`step` −1) or below (+1) another, as the eye would find it: the one whose middle is nearest. */
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
