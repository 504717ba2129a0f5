import { type Point, type Turns, toTurns } from '#renderer/editor/geometry.ts';
import { FONT, inkOn, seamOf, seamWidth } from './looks.ts';
import { type DrawnMark, drawnWith, type MarkTool, shifted } from './tool.ts';

/** A number in a circle. The number isn't stored: it is the place among the steps, so that they are always numbered without gaps. */
export interface StepMark extends DrawnMark, Point {
  readonly kind: 'step';
  /** The turns that make the number upright. */
  readonly turns: Turns;
}

const radiusOf = ({ line }: StepMark) => line * 5;

export const step: MarkTool<StepMark> = {
  kind: 'step',
  key: 'N',
  options: ['colour', 'weight'],
  isPlaced: true,
  draw: (drag) => ({ id: drag.id, kind: 'step', ...drawnWith(drag), ...drag.to, turns: toTurns(-drag.turns) }),
  shapes(mark, number) {
    const { x, y, line, colour, turns } = mark;
    const radius = radiusOf(mark);
    const [seam, side] = [seamWidth(line), 2 * radius];
    // Longer numbers are smaller.
    const size = radius * (1.45 - 0.2 * String(number).length);
    return [
      { type: 'Ellipse', attrs: { x, y, radiusX: radius + seam, radiusY: radius + seam, fill: seamOf(colour) } },
      { type: 'Ellipse', attrs: { x, y, radiusX: radius, radiusY: radius, fill: colour } },
      {
        type: 'Text',
        attrs: {
          ...{ x, y, width: side, height: side, offsetX: radius, offsetY: radius, rotation: turns * 90 },
          ...{ align: 'center', verticalAlign: 'middle', text: String(number) },
          ...{ fontFamily: FONT, fontSize: size, fontStyle: '700', fill: inkOn(colour) },
        },
      },
    ];
  },
  bounds(mark) {
    const radius = radiusOf(mark);
    return { x: mark.x - radius, y: mark.y - radius, width: 2 * radius, height: 2 * radius };
  },
  isHit: (mark, point, threshold) => Math.hypot(point.x - mark.x, point.y - mark.y) <= radiusOf(mark) + threshold,
  move: (mark, by) => ({ ...mark, ...shifted(mark, by) }),
  isInvisiblySmall: () => false,
};
