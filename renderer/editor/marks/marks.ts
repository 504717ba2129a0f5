import { centreOf, clampPoint, type Point, type Rect, rectBetween, type Size, wholePixels, wholeRect } from '#renderer/editor/geometry.ts';
import type { EndType } from '#renderer/editor/tools/tool.ts';
import { type Mark, toolOf } from '#renderer/editor/tools/tools.ts';

/** The corners and edges of a rectangle by their directions. */
export type RectHandleType = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w';
export type TransformHandleType = RectHandleType | EndType;

/** A handle by which a mark is resized. */
interface TransformHandle extends Point {
  readonly type: TransformHandleType;
}

/** The smallest rectangle around a mark. */
export const boundsOf = (mark: Mark): Rect => toolOf(mark.kind).bounds(mark);

/** The topmost mark within `threshold` of a point. Spotlights are below everything else, however late they were drawn. */
export function hitTest(marks: readonly Mark[], point: Point, threshold: number): Mark | undefined {
  const isHit = (mark: Mark) => toolOf(mark.kind).isHit(mark, point, threshold);
  return marks.findLast((mark) => mark.kind !== 'spotlight' && isHit(mark)) ?? marks.findLast(isHit);
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

export function transformHandlesOf(mark: Mark, minEdge: number): readonly TransformHandle[] {
  const tool = toolOf(mark.kind);
  if (tool.withBounds) return rectTransformHandles(tool.bounds(mark), minEdge);
  return tool.ends?.(mark) ?? [];
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
  return toolOf(mark.kind).move(mark, { x: Math.round(target.x - centre.x), y: Math.round(target.y - centre.y) });
}

export const isEnd = (handle: TransformHandleType): handle is EndType => handle === 'from' || handle === 'to' || handle === 'tip';

/** A mark after one of its handles was dragged to a point. */
export function resizeMark(mark: Mark, handle: TransformHandleType, to: Point): Mark {
  const tool = toolOf(mark.kind);
  if (isEnd(handle)) return tool.withEnd?.(mark, handle, to) ?? mark;
  return tool.withBounds?.(mark, resizeRect(tool.bounds(mark), handle, to)) ?? mark;
}

/** A rectangle after one of its handles was dragged to a point; the opposite side stays. */
function resizeRect({ x, y, width, height }: Rect, handle: RectHandleType, to: Point): Rect {
  const from = { x: handle.includes('w') ? x + width : x, y: handle.includes('n') ? y + height : y };
  const end = {
    x: /[ew]/.test(handle) ? to.x : x + width,
    y: /[ns]/.test(handle) ? to.y : y + height,
  };
  return rectBetween(from, end);
}

/** Marks that have edges keep them on whole pixels, inside the picture. */
export function wholeMark(mark: Mark, size: Size): Mark {
  const tool = toolOf(mark.kind);
  return tool.isWhole ? (tool.withBounds?.(mark, wholePixels(tool.bounds(mark), wholeRect(size))) ?? mark) : mark;
}

/** Whether a new mark is no more than a click next to something: an empty text, or a length or a side below `minimum`. */
export const isInvisiblySmall = (mark: Mark, minimum: number): boolean => toolOf(mark.kind).isInvisiblySmall(mark, minimum);
