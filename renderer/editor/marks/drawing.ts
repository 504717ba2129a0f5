import { type Point, type Rect, type Size, type Turns, toTurns, turnedSize, wholeRect } from '#renderer/editor/stage/geometry.ts';

export const COLOURS = ['#e5342b', '#f59f00', '#2f9e44', '#1c7ed6', '#141a1c', '#ffffff'] as const;
export type Colour = (typeof COLOURS)[number];

/** The kinds of marks that hide what is below them. */
export type Cover = 'pixelate' | 'blur';

interface Base {
  readonly id: number;
}

/** A rectangle that is blurred or pixelated. */
export interface CoverMark extends Base, Rect {
  readonly kind: Cover;
}

export interface Drawn extends Base {
  readonly colour: Colour;
  /** Width of the line, in pixels of the picture; texts derive their size from it. */
  readonly line: number;
}

export interface BoxMark extends Drawn, Rect {
  readonly kind: 'box';
  readonly filled: boolean;
}

export interface ArrowMark extends Drawn {
  readonly kind: 'arrow';
  readonly from: Point;
  readonly to: Point;
}

/** A text. `x` and `y` are the corner at its beginning; `turns` make it upright where the picture is turned. */
export interface TextMark extends Drawn, Point {
  readonly kind: 'text';
  readonly text: string;
  readonly turns: Turns;
  /** As measured, before it is turned. */
  readonly width: number;
  readonly height: number;
}

/** Something drawn on the picture, in pixels of the unturned and uncropped picture. */
export type Mark = CoverMark | BoxMark | ArrowMark | TextMark;

/** Everything that has been done to a picture. The bytes stay as they are until it is saved. */
export interface Drawing {
  readonly turns: Turns;
  /** What remains of the unturned picture; all of it if null. */
  readonly crop: Rect | null;
  /** From the bottom to the top. */
  readonly marks: readonly Mark[];
}

export const UNCHANGED: Drawing = { turns: 0, crop: null, marks: [] };

export const isUnchanged = ({ turns, crop, marks }: Drawing) => turns === 0 && crop === null && marks.length === 0;

/** What remains of a picture of this size. */
export const remaining = ({ crop }: Drawing, size: Size): Rect => crop ?? wholeRect(size);

/** The size of the result, in pixels. */
export const resultSize = (drawing: Drawing, size: Size): Size => turnedSize(remaining(drawing, size), drawing.turns);

export const turned = (drawing: Drawing, by: 1 | -1): Drawing => ({ ...drawing, turns: toTurns(drawing.turns + by) });

/** A crop of the whole picture is the same as no crop. */
export function cropped(drawing: Drawing, crop: Rect, { width, height }: Size): Drawing {
  const isWhole = crop.x === 0 && crop.y === 0 && crop.width === width && crop.height === height;
  return { ...drawing, crop: isWhole ? null : crop };
}

/** Replaces the mark with the same id, or puts a new one on top. */
export function withMark(drawing: Drawing, mark: Mark): Drawing {
  const isKnown = drawing.marks.some(({ id }) => id === mark.id);
  const marks = isKnown ? drawing.marks.map((known) => (known.id === mark.id ? mark : known)) : [...drawing.marks, mark];
  return { ...drawing, marks };
}

export const withoutMark = (drawing: Drawing, id: number): Drawing => ({
  ...drawing,
  marks: drawing.marks.filter((mark) => mark.id !== id),
});

export const findMark = ({ marks }: Drawing, id: number | undefined) => marks.find((mark) => mark.id === id);

/** The next mark from the bottom up, or the first one after the last. */
export function markAfter({ marks }: Drawing, id: number | undefined): Mark | undefined {
  return marks[(marks.findIndex((mark) => mark.id === id) + 1) % Math.max(1, marks.length)];
}
