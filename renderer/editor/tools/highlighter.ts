import { isOnStroke, type StrokeMark, stroke, strokeOf } from './families/stroke.ts';
import type { MarkTool } from './tool.ts';

export interface HighlighterMark extends StrokeMark {
  readonly kind: 'highlighter';
}

/** How wide a stroke is, in lines: as high as a line of text. */
const WIDTHS = 4;

export const highlighter: MarkTool<HighlighterMark> = {
  ...stroke<HighlighterMark>(),
  kind: 'highlighter',
  key: 'H',
  options: ['colour', 'weight'],
  first: { colour: '#ffd43b' },
  draw: (drag) => ({ ...strokeOf(drag), kind: 'highlighter' }),
  shapes({ points, colour, line }) {
    const look = { points: [...points], stroke: colour, strokeWidth: line * WIDTHS, lineJoin: 'round' as const, tension: 0.4 };
    // Multiplied, text stays as dark as it is; the second stroke is what shows on a dark picture.
    return [
      { type: 'Line', attrs: { ...look, opacity: 0.6, globalCompositeOperation: 'multiply' } },
      { type: 'Line', attrs: { ...look, opacity: 0.22 } },
    ];
  },
  isHit: (mark, point, threshold) => isOnStroke(mark, point, threshold, WIDTHS),
};
