import { type Rect, type Size, type Turns, toTurns, turnRect, wholeRect } from '#renderer/editor/geometry.ts';
import type { Mark } from '#renderer/editor/tools/tools.ts';
import { type Frame, framed } from './frame.ts';

/** Everything that has been done to a picture, as plain data. The bytes stay as they are until it is saved. */
export interface Drawing {
  readonly turns: Turns;
  /** What remains of the unturned picture; all of it if null. */
  readonly crop: Rect | null;
  /** From the bottom to the top. */
  readonly marks: readonly Mark[];
  /** What is around what remains; nothing if null. */
  readonly frame: Frame | null;
}

export const UNCHANGED: Drawing = { turns: 0, crop: null, marks: [], frame: null };

/** A drawing as it was kept as text; null: nothing is drawn. */
export const readDrawing = (kept: string | null): Drawing =>
  kept === null ? UNCHANGED : { ...UNCHANGED, ...(JSON.parse(kept) as Drawing) };

export const isUnchanged = ({ turns, crop, marks, frame }: Drawing) => turns === 0 && crop === null && marks.length === 0 && frame === null;

/** What remains of a picture of this size. */
export const remaining = ({ crop }: Drawing, size: Size): Rect => crop ?? wholeRect(size);

/** The place of the result in the turned picture, with its frame. */
export const resultRect = (drawing: Drawing, size: Size): Rect =>
  framed(turnRect(remaining(drawing, size), drawing.turns, size), drawing.frame);

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

/** An id for a new mark: one that no other mark has. */
export const nextId = ({ marks }: Drawing) => Math.max(0, ...marks.map(({ id }) => id)) + 1;

export const findMark = ({ marks }: Drawing, id: number | undefined) => marks.find((mark) => mark.id === id);

/** The next mark from the bottom up, or the first one after the last. */
export function markAfter({ marks }: Drawing, id: number | undefined): Mark | undefined {
  return marks[(marks.findIndex((mark) => mark.id === id) + 1) % Math.max(1, marks.length)];
}

/** The place of a mark among those of its kind, from 1: the number of a step. */
export const numberOf = ({ marks }: Drawing, mark: Mark) =>
  marks.filter(({ kind }) => kind === mark.kind).findIndex(({ id }) => id === mark.id) + 1;
