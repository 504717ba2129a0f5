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

/** A handle by which a mark is resized: the corners and edges of a rectangle by their directions, the ends of an arrow. */
export type Handle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'from' | 'to';

interface Held extends Point {
  readonly handle: Handle;
}

/** The smallest rectangle around a mark. */
export function boxOf(mark: Mark): Rect {
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

/** The topmost mark at a point; `margin` is how close to it counts. */
export function markAt(marks: readonly Mark[], point: Point, margin: number): Mark | undefined {
  return marks.findLast((mark) => {
    if (mark.kind === 'arrow') return distanceToLine(point, mark.from, mark.to) <= mark.line * 1.5 + margin;
    if (mark.kind !== 'box' || mark.filled) return isInside(point, boxOf(mark), margin);
    // An empty box lets through what is inside it.
    const edge = mark.line / 2 + margin;
    return isInside(point, mark, edge) && !isInside(point, mark, -edge);
  });
}

/** The handles of a rectangle: its corners, and the middles of edges that are at least `least` long, where there is room for them. */
export function rectHandles({ x, y, width, height }: Rect, least: number): Held[] {
  const [right, bottom, middle, centre] = [x + width, y + height, y + height / 2, x + width / 2];
  const level: Held[] = [
    { handle: 'n', x: centre, y },
    { handle: 's', x: centre, y: bottom },
  ];
  const upright: Held[] = [
    { handle: 'w', x, y: middle },
    { handle: 'e', x: right, y: middle },
  ];
  return [
    ...(width >= least ? level : []),
    ...(height >= least ? upright : []),
    { handle: 'nw', x, y },
    { handle: 'ne', x: right, y },
    { handle: 'sw', x, y: bottom },
    { handle: 'se', x: right, y: bottom },
  ];
}

export function handlesOf(mark: Mark, least: number): Held[] {
  if (mark.kind === 'text') return [];
  if (mark.kind === 'arrow')
    return [
      { handle: 'from', ...mark.from },
      { handle: 'to', ...mark.to },
    ];
  return rectHandles(mark, least);
}

/** The handle within `reach` of a point. */
export function handleAt(handles: readonly Held[], { x, y }: Point, reach: number): Handle | undefined {
  return handles.findLast((held) => Math.hypot(held.x - x, held.y - y) <= reach)?.handle;
}

/** Moves a mark; its middle stays within `bounds`. */
export function moved(mark: Mark, by: Point, bounds: Rect): Mark {
  const centre = centreOf(boxOf(mark));
  const target = clampPoint({ x: centre.x + by.x, y: centre.y + by.y }, bounds);
  // By whole pixels, so that rectangles keep their size on them.
  const [dx, dy] = [Math.round(target.x - centre.x), Math.round(target.y - centre.y)];
  const shift = ({ x, y }: Point) => ({ x: x + dx, y: y + dy });
  if (mark.kind === 'arrow') return { ...mark, from: shift(mark.from), to: shift(mark.to) };
  return { ...mark, ...shift(mark) };
}

/** A mark after one of its handles was dragged to a point. */
export function resized(mark: Mark, handle: Handle, to: Point): Mark {
  if (mark.kind === 'text') return mark;
  if (mark.kind === 'arrow') return handle === 'from' ? { ...mark, from: to } : { ...mark, to };
  return { ...mark, ...stretched(mark, handle, to) };
}

/** A rectangle after one of its handles was dragged to a point; the opposite side stays. */
export function stretched({ x, y, width, height }: Rect, handle: Handle, to: Point): Rect {
  const from = { x: handle.includes('w') ? x + width : x, y: handle.includes('n') ? y + height : y };
  const end = {
    x: /[ew]/.test(handle) ? to.x : x + width,
    y: /[ns]/.test(handle) ? to.y : y + height,
  };
  return rectBetween(from, end);
}

/** Whether a new mark is more than a click next to something: a text says something, others have a length or sides of at least `minimum`. */
export function isMeant(mark: Mark, minimum: number): boolean {
  if (mark.kind === 'text') return mark.text.trim() !== '';
  if (mark.kind === 'arrow') return lengthOf(mark) >= minimum;
  return mark.width >= minimum && mark.height >= minimum;
}

const lengthOf = ({ from, to }: ArrowMark) => Math.hypot(to.x - from.x, to.y - from.y);
