import { type AreaMark, area, areaOf } from './families/area.ts';
import type { Colour, MarkTool } from './tool.ts';

/** A rectangle of one colour: nothing remains of what is below it, not even the tone. */
export interface CoverMark extends AreaMark {
  readonly kind: 'cover';
  readonly colour: Colour;
}

export const cover: MarkTool<CoverMark> = {
  ...area<CoverMark>(),
  kind: 'cover',
  key: 'K',
  options: ['colour'],
  first: { colour: '#141a1c' },
  isCover: true,
  draw: (drag) => ({ id: drag.id, kind: 'cover', ...areaOf(drag), colour: drag.style.colour }),
  // Without an outline, and with sharp corners: nothing of what is below may remain.
  shapes: ({ x, y, width, height, colour }) => [{ type: 'Rect', attrs: { x, y, width, height, fill: colour } }],
};
