import { type Point, type Rect, rectBetween, type Turns, toTurns } from '#renderer/editor/geometry.ts';
import { FONT, FONT_WEIGHT, fontSize, LINE_HEIGHT } from '#renderer/editor/tools/looks.ts';
import { type Drag, type DrawnMark, drawnWith } from '#renderer/editor/tools/tool.ts';

/** A text. `x` and `y` are the corner at its beginning; `turns` make it upright where the picture is turned. */
export interface WritingMark extends DrawnMark, Point {
  readonly text: string;
  readonly turns: Turns;
  /** As measured, before it is turned. */
  readonly width: number;
  readonly height: number;
  /** Lines that would be longer are wrapped. */
  readonly wrap?: number;
}

/** A new text that is upright in a picture turned so far. It has no size until it is measured. */
export const writingOf = (drag: Drag, { x, y }: Point) => ({
  id: drag.id,
  ...drawnWith(drag),
  x,
  y,
  text: '',
  turns: toTurns(-drag.turns),
  width: 0,
  height: 0,
});

/** The rectangle that a text fills. */
export function textBox({ x, y, width, height, turns }: WritingMark): Rect {
  const corners: Record<Turns, Point> = {
    0: { x: x + width, y: y + height },
    1: { x: x - height, y: y + width },
    2: { x: x - width, y: y - height },
    3: { x: x + height, y: y - width },
  };
  return rectBetween({ x, y }, corners[turns]);
}

/** What Konva needs for a text, besides its colours. */
export const textAttrs = (mark: WritingMark) => ({
  x: mark.x,
  y: mark.y,
  text: mark.text,
  rotation: mark.turns * 90,
  fontFamily: FONT,
  fontSize: fontSize(mark),
  fontStyle: FONT_WEIGHT,
  lineHeight: LINE_HEIGHT,
  ...(isWrapped(mark) && { width: mark.wrap, wrap: 'word' as const }),
});

/** Whether a text has lines that are wrapped. */
export const isWrapped = ({ width, wrap }: Pick<WritingMark, 'width' | 'wrap'>) => wrap !== undefined && width >= wrap;

export const isEmpty = ({ text }: WritingMark) => text.trim() === '';
