import type { Point, Rect } from '#renderer/editor/geometry.ts';
import type { Mark } from '#renderer/editor/tools/tools.ts';
import { boundsOf } from './marks.ts';

/** Places along both axes that others may be aligned with. */
export interface Lines {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** A line that something is aligned with, shown while it is dragged. */
export interface Guide {
  readonly axis: 'x' | 'y';
  readonly at: number;
}

/** The edges and the middle of a rectangle. */
export const linesOf = ({ x, y, width, height }: Rect): Lines => ({
  x: [x, x + width / 2, x + width],
  y: [y, y + height / 2, y + height],
});

/** What a mark can be aligned with: the edges and middles of the picture and of the other marks. */
export function snapTargets(marks: readonly Mark[], content: Rect, id: number): Lines {
  const all = [content, ...marks.filter((mark) => mark.id !== id).map(boundsOf)].map(linesOf);
  return { x: all.flatMap(({ x }) => x), y: all.flatMap(({ y }) => y) };
}

/** The shortest way from any of the lines to a target that is no further than `threshold`. */
function nearest(lines: readonly number[], targets: readonly number[], threshold: number): { by: number; at: number } | undefined {
  const ways = lines.flatMap((line) => targets.map((at) => ({ by: at - line, at })));
  return ways.filter(({ by }) => Math.abs(by) <= threshold).sort((one, other) => Math.abs(one.by) - Math.abs(other.by))[0];
}

/** How far lines have to move to be aligned with what is near, and with what. */
export function snap(lines: Lines, targets: Lines, threshold: number): { by: Point; guides: Guide[] } {
  const x = nearest(lines.x, targets.x, threshold);
  const y = nearest(lines.y, targets.y, threshold);
  return {
    by: { x: x?.by ?? 0, y: y?.by ?? 0 },
    guides: [...(x ? [{ axis: 'x' as const, at: x.at }] : []), ...(y ? [{ axis: 'y' as const, at: y.at }] : [])],
  };
}

/** The point at the same distance from another one, in the nearest direction that is a multiple of 45°. */
export function inEightDirections(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const angle = (Math.round(Math.atan2(to.y - from.y, to.x - from.x) / (Math.PI / 4)) * Math.PI) / 4;
  return { x: from.x + length * Math.cos(angle), y: from.y + length * Math.sin(angle) };
}

/** The nearest point that makes a square with another one. */
export function inSquare(from: Point, to: Point): Point {
  const side = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  return { x: from.x + (to.x < from.x ? -side : side), y: from.y + (to.y < from.y ? -side : side) };
}
