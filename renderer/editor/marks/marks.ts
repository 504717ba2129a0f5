import {
  centreOf,
  clampPoint,
  distanceToLine,
  isInside,
  type Point,
  type Rect,
  rectBetween,
  type Turns,
} from '#renderer/editor/stage/geometry.ts';
import type { ArrowMark, Mark, TextMark } from './drawing.ts';

/** The corners and edges of a rectangle by their directions, the ends of an arrow. */
export type TransformHandleType = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'from' | 'to';

/** A handle by which a mark is resized. */
interface TransformHandle extends Point {
  readonly type: TransformHandleType;
}

/** The smallest rectangle around a mark. */
export function boundsOf(mark: Mark): Rect {
  if (mark.kind === 'arrow') return rectBetween(mark.from, mark.to);
  return mark.kind === 'text' ? textBox(mark) : mark;
}

function textBox({ x, y, width, height, turns }: TextMark): Rect {
  const corners: Record<Turns, Point> = {
    0: { x: x + width, y: y + height },
    1: { x: x - height, y: y + width },
    2: { x: x - width, y: y - height },
    3: { x: x + height, y: y - width },
  };
  return rectBetween({ x, y }, corners[turns]);
}

/** The topmost mark within `threshold` of a point. */
export function hitTest(marks: readonly Mark[], point: Point, threshold: number): Mark | undefined {
  return marks.findLast((mark) => {
    if (mark.kind === 'arrow') return distanceToLine(point, mark.from, mark.to) <= mark.line * 1.5 + threshold;
    if (mark.kind !== 'box' || mark.filled) return isInside(point, boundsOf(mark), threshold);
    // An empty box lets through what is inside it.
    const edge = mark.line / 2 + threshold;
    return isInside(point, mark, edge) && !isInside(point, mark, -edge);
  });
}

/** The handles of a rectangle: its corners, and the middles of edges that are at least `minEdge` long, where there is room for them. */
export function rectTransformHandles({ x, y, width, height }: Rect, minEdge: number): TransformHandle[] {
  const [right, bottom, middle, centre] = [x + width, y + height, y + height / 2, x + width / 2];
  const level: TransformHandle[] = [
    { type: 'n', x: centre, y },
    { type: 's', x: centre, y: bottom },
  ];
  const upright: TransformHandle[] = [
    { type: 'w', x, y: middle },
    { type: 'e', x: right, y: middle },
  ];
  return [
    ...(width >= minEdge ? level : []),
    ...(height >= minEdge ? upright : []),
    { type: 'nw', x, y },
    { type: 'ne', x: right, y },
    { type: 'sw', x, y: bottom },
    { type: 'se', x: right, y: bottom },
  ];
}

export function transformHandlesOf(mark: Mark, minEdge: number): TransformHandle[] {
  if (mark.kind === 'text') return [];
  if (mark.kind === 'arrow')
    return [
      { type: 'from', ...mark.from },
      { type: 'to', ...mark.to },
    ];
  return rectTransformHandles(mark, minEdge);
}

/** The handle within `threshold` of a point. */
export function hitTestHandles(handles: readonly TransformHandle[], { x, y }: Point, threshold: number): TransformHandleType | undefined {
  return handles.findLast((handle) => Math.hypot(handle.x - x, handle.y - y) <= threshold)?.type;
}

/** Moves a mark; its middle stays within `bounds`. */
export function moveMark(mark: Mark, by: Point, bounds: Rect): Mark {
  const centre = centreOf(boundsOf(mark));
  const target = clampPoint({ x: centre.x + by.x, y: centre.y + by.y }, bounds);
  // By whole pixels, so that rectangles keep their size on them.
  const [dx, dy] = [Math.round(target.x - centre.x), Math.round(target.y - centre.y)];
  const shift = ({ x, y }: Point) => ({ x: x + dx, y: y + dy });
  if (mark.kind === 'arrow') return { ...mark, from: shift(mark.from), to: shift(mark.to) };
  return { ...mark, ...shift(mark) };
}

/** A mark after one of its handles was dragged to a point. */
export function resizeMark(mark: Mark, handle: TransformHandleType, to: Point): Mark {
  if (mark.kind === 'text') return mark;
  if (mark.kind === 'arrow') return handle === 'from' ? { ...mark, from: to } : { ...mark, to };
  return { ...mark, ...resizeRect(mark, handle, to) };
}

/** A rectangle after one of its handles was dragged to a point; the opposite side stays. */
function resizeRect({ x, y, width, height }: Rect, handle: TransformHandleType, to: Point): Rect {
  const from = { x: handle.includes('w') ? x + width : x, y: handle.includes('n') ? y + height : y };
  const end = {
    x: /[ew]/.test(handle) ? to.x : x + width,
    y: /[ns]/.test(handle) ? to.y : y + height,
  };
  return rectBetween(from, end);
}

/** Whether a new mark is no more than a click next to something: an empty text, or a length or a side below `minimum`. */
export function isInvisiblySmall(mark: Mark, minimum: number): boolean {
  if (mark.kind === 'text') return mark.text.trim() === '';
  if (mark.kind === 'arrow') return lengthOf(mark) < minimum;
  return mark.width < minimum || mark.height < minimum;
}

const lengthOf = ({ from, to }: ArrowMark) => Math.hypot(to.x - from.x, to.y - from.y);
