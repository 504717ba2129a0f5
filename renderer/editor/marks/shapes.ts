import type { ArrowConfig } from 'konva/lib/shapes/Arrow.js';
import type { RectConfig } from 'konva/lib/shapes/Rect.js';
import type { TextConfig } from 'konva/lib/shapes/Text.js';
import { theme } from '#renderer/theme/theme.ts';
import type { ArrowMark, BoxMark, Colour, Drawn, TextMark } from './drawing.ts';

/** A shape as Konva draws it, with what it needs. */
export type ShapeSpec = { type: 'Rect'; attrs: RectConfig } | { type: 'Arrow'; attrs: ArrowConfig } | { type: 'Text'; attrs: TextConfig };

export const FONT = theme.fontFamily ?? 'sans-serif';
export const FONT_WEIGHT = '600';
export const LINE_HEIGHT = 1.25;

/** The size of a text, in pixels of the picture. */
export const fontSize = ({ line }: Pick<Drawn, 'line'>) => line * 6;

/** An outline around each mark, so that it is visible on any picture. */
const seamOf = (colour: Colour) => (colour === '#ffffff' || colour === '#f59f00' ? 'rgb(20 26 28 / 70%)' : 'rgb(255 255 255 / 85%)');
const seamWidth = (line: number) => Math.max(1, line * 0.3);

/** What a mark is drawn with, the lowest first. */
export function shapesOf(mark: BoxMark | ArrowMark | TextMark): ShapeSpec[] {
  if (mark.kind === 'box') return boxShapes(mark);
  return mark.kind === 'arrow' ? arrowShapes(mark) : [textShape(mark)];
}

function boxShapes({ x, y, width, height, line, colour, filled }: BoxMark): ShapeSpec[] {
  const place = { x, y, width, height };
  // Without an outline, and with sharp corners: nothing of what is below may remain.
  if (filled) return [{ type: 'Rect', attrs: { ...place, fill: colour } }];
  const cornerRadius = Math.min(line * 1.2, width / 2, height / 2);
  return [
    { type: 'Rect', attrs: { ...place, cornerRadius, stroke: seamOf(colour), strokeWidth: line + 2 * seamWidth(line) } },
    { type: 'Rect', attrs: { ...place, cornerRadius, stroke: colour, strokeWidth: line } },
  ];
}

function arrowShapes({ from, to, line, colour }: ArrowMark): ShapeSpec[] {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const head = Math.min(line * 4, Math.max(length, 1));
  const common = {
    points: [from.x, from.y, to.x, to.y],
    pointerLength: head,
    pointerWidth: head,
    lineCap: 'round' as const,
    lineJoin: 'round' as const,
  } satisfies ArrowConfig;
  const seam = seamWidth(line);
  return [
    { type: 'Arrow', attrs: { ...common, stroke: seamOf(colour), fill: seamOf(colour), strokeWidth: line + 2 * seam } },
    { type: 'Arrow', attrs: { ...common, stroke: colour, fill: colour, strokeWidth: line } },
  ];
}

function textShape(mark: TextMark): ShapeSpec {
  const { x, y, text, colour, line, turns } = mark;
  return {
    type: 'Text',
    attrs: {
      x,
      y,
      text,
      rotation: turns * 90,
      fontFamily: FONT,
      fontSize: fontSize(mark),
      fontStyle: FONT_WEIGHT,
      lineHeight: LINE_HEIGHT,
      fill: colour,
      stroke: seamOf(colour),
      strokeWidth: line,
      lineJoin: 'round',
      fillAfterStrokeEnabled: true,
    },
  };
}
