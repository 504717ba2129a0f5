import { distanceToLine, type Point, rectBetween } from '#renderer/editor/geometry.ts';
import { type Drag, type DrawnMark, drawnWith, type EndType, shifted } from '#renderer/editor/tools/tool.ts';

/** A straight line from one point to another. */
export interface SegmentMark extends DrawnMark {
  readonly from: Point;
  readonly to: Point;
}

export const segmentOf = (drag: Drag) => ({ id: drag.id, ...drawnWith(drag), from: drag.from, to: drag.to });

/** What all straight lines have in common. */
export const segment = <M extends SegmentMark>() => ({
  bounds: ({ from, to }: M) => rectBetween(from, to),
  move: (mark: M, by: Point): M => ({ ...mark, from: shifted(mark.from, by), to: shifted(mark.to, by) }),
  ends: ({ from, to }: M) => [
    { type: 'from' as const, ...from },
    { type: 'to' as const, ...to },
  ],
  withEnd: (mark: M, end: EndType, to: Point): M => (end === 'from' ? { ...mark, from: to } : { ...mark, to }),
  isInvisiblySmall: ({ from, to }: M, minimum: number) => Math.hypot(to.x - from.x, to.y - from.y) < minimum,
});

/** Whether a point is on a straight line, or within `threshold` of it. */
export const isOnSegment = ({ from, to, line }: SegmentMark, point: Point, threshold: number, widths: number) =>
  distanceToLine(point, from, to) <= line * widths + threshold;
