import type { ArrowConfig } from 'konva/lib/shapes/Arrow.js';
import type { EllipseConfig } from 'konva/lib/shapes/Ellipse.js';
import type { LineConfig } from 'konva/lib/shapes/Line.js';
import type { RectConfig } from 'konva/lib/shapes/Rect.js';
import type { TextConfig } from 'konva/lib/shapes/Text.js';
import type { Point, Rect, Size, Turns } from '#renderer/editor/geometry.ts';

export const COLOURS = ['#e5342b', '#f59f00', '#ffd43b', '#2f9e44', '#1c7ed6', '#141a1c', '#ffffff'] as const;
export type Colour = (typeof COLOURS)[number];

/** Widths of lines, in thousandths of the picture's longer side; of one that is long and narrow, of twice its shorter side. */
export const WEIGHTS = { thin: 1.5, medium: 3, thick: 6 } as const;
export type Weight = keyof typeof WEIGHTS;
export const WEIGHT_NAMES = ['thin', 'medium', 'thick'] as const satisfies readonly Weight[];

/** How new marks look. */
export interface Style {
  readonly colour: Colour;
  readonly weight: Weight;
  /** Boxes and ellipses are filled. */
  readonly filled: boolean;
}

export const FIRST_STYLE: Style = { colour: COLOURS[0], weight: 'medium', filled: false };

/** Pictures that are smaller, or far longer than wide, count as if they weren't: lines must be seen, and marks not cover everything. */
const MIN_SIDE = 1000;
const MAX_RATIO = 2;

/** The width of a line in a picture of this size. */
export const lineWidth = (weight: Weight, { width, height }: Size) => {
  const longer = Math.min(Math.max(width, height), Math.min(width, height) * MAX_RATIO);
  return WEIGHTS[weight] * (Math.max(MIN_SIDE, longer) / 1000);
};

/** The weight that a mark's line was drawn with. */
export const weightOf = (line: number, size: Size): Weight =>
  WEIGHT_NAMES.findLast((weight) => line >= lineWidth(weight, size) * 0.99) ?? 'thin';

/** What all marks have: plain data, in pixels of the unturned and uncropped picture. */
export interface BaseMark {
  readonly id: number;
  readonly kind: string;
}

/** A mark with a colour and a line. */
export interface DrawnMark extends BaseMark {
  readonly colour: Colour;
  /** Width of the line, in pixels of the picture; texts derive their size from it. */
  readonly line: number;
}

/** The end of a mark that can be dragged alone. */
export type EndType = 'from' | 'to' | 'tip';

/** A shape as Konva draws it, with what it needs. */
export type ShapeSpec =
  | { type: 'Rect'; attrs: RectConfig }
  | { type: 'Ellipse'; attrs: EllipseConfig }
  | { type: 'Line'; attrs: LineConfig & { points: number[] } }
  | { type: 'Arrow'; attrs: ArrowConfig & { points: number[] } }
  | { type: 'Text'; attrs: TextConfig };

/** A drag from one point to another, and what a new mark takes from its surroundings. */
export interface Drag {
  id: number;
  from: Point;
  to: Point;
  /** All points that the pointer passed, `from` and `to` included. */
  trail: readonly Point[];
  style: Style;
  /** What remains of the picture: lines depend on it. */
  content: Rect;
  /** Turns of the picture: texts are upright as seen. */
  turns: Turns;
}

/** Everything about one kind of mark. A tool is an object of this type in a file of its own; `tools.ts` lists them. */
export interface MarkTool<M extends BaseMark> {
  readonly kind: M['kind'];
  /** The letter that chooses the tool. */
  readonly key: string;
  readonly options: readonly (keyof Style)[];
  /** How the first mark of the kind looks. */
  readonly first?: Partial<Style>;
  /** Hides what is below it, so that nothing of that is saved. */
  readonly isCover?: true;
  /** The text is written once the mark has been drawn. */
  readonly isWritten?: true;
  /** Follows the pointer, and snaps to nothing. */
  readonly isFreehand?: true;
  /** Has edges on whole pixels. */
  readonly isWhole?: true;
  /** A click suffices to draw the mark. */
  readonly isPlaced?: true;
  draw(drag: Drag): M;
  /** What is drawn, the lowest first. `number`: its place among the marks of its kind, from 1. */
  shapes(mark: M, number: number): ShapeSpec[];
  bounds(mark: M): Rect;
  isHit(mark: M, point: Point, threshold: number): boolean;
  move(mark: M, by: Point): M;
  /** The mark fitted into other bounds, if it is resized by its corners and edges. */
  withBounds?(mark: M, bounds: Rect): M;
  /** The points by which it is resized otherwise; the last one moves with the keyboard. */
  ends?(mark: M): readonly (Point & { readonly type: EndType })[];
  withEnd?(mark: M, end: EndType, to: Point): M;
  /** Where the lines of its text are wrapped, in pixels before it is turned. */
  wrapAt?(mark: M, content: Rect): number;
  /** The mark moved into what remains of the picture, once it has its size. */
  within?(mark: M, content: Rect): M;
  /** Whether a new mark is no more than a click, or an empty text. */
  isInvisiblySmall(mark: M, minimum: number): boolean;
}

/** The colour and line of a new mark. */
export const drawnWith = ({ style, content }: Pick<Drag, 'style' | 'content'>) => ({
  colour: style.colour,
  line: lineWidth(style.weight, content),
});

export const shifted = ({ x, y }: Point, by: Point): Point => ({ x: x + by.x, y: y + by.y });
