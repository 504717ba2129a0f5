import { distanceToLine, type Point, type Rect, rectBetween } from '#renderer/editor/geometry.ts';
import { type Drag, type DrawnMark, drawnWith } from '#renderer/editor/tools/tool.ts';

/** A line as it was drawn by hand. */
export interface StrokeMark extends DrawnMark {
  /** x and y in turn, of at least one point. */
  readonly points: readonly number[];
}

const rounded = (value: number) => Math.round(value * 10) / 10;

export const strokeOf = (drag: Drag) => ({
  id: drag.id,
  ...drawnWith(drag),
  points: drag.trail.flatMap(({ x, y }) => [rounded(x), rounded(y)]),
});

const pointsOf = ({ points }: StrokeMark): Point[] =>
  Array.from({ length: points.length / 2 }, (_, at) => ({ x: points[2 * at] ?? 0, y: points[2 * at + 1] ?? 0 }));

function boundsOf(mark: StrokeMark): Rect {
  const all = pointsOf(mark);
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  return rectBetween({ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) });
}

/** Whether a point is on a stroke as wide as `widths` lines, or within `threshold` of it. */
export const isOnStroke = (mark: StrokeMark, point: Point, threshold: number, widths: number) =>
  pointsOf(mark).some((to, at, all) => distanceToLine(point, all[at - 1] ?? to, to) <= (mark.line * widths) / 2 + threshold);

/** What everything drawn by hand has in common. */
export const stroke = <M extends StrokeMark>() => ({
  isFreehand: true as const,
  bounds: boundsOf,
  withBounds(mark: M, next: Rect): M {
    const old = boundsOf(mark);
    // A straight stroke has no width to be scaled by.
    const scale = (value: number, from: number, length: number, to: number, longer: number) =>
      rounded(to + (length === 0 ? longer / 2 : ((value - from) * longer) / length));
    const points = mark.points.map((value, at) =>
      at % 2 === 0 ? scale(value, old.x, old.width, next.x, next.width) : scale(value, old.y, old.height, next.y, next.height),
    );
    return { ...mark, points };
  },
  move: (mark: M, by: Point): M => ({ ...mark, points: mark.points.map((value, at) => value + (at % 2 === 0 ? by.x : by.y)) }),
  isInvisiblySmall(mark: M, minimum: number) {
    const { width, height } = boundsOf(mark);
    return Math.max(width, height) < minimum;
  },
});
