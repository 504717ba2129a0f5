import { isInside, type Point, type Rect, rectBetween, wholePixels } from '#renderer/editor/geometry.ts';
import { type BaseMark, type Drag, shifted } from '#renderer/editor/tools/tool.ts';

/** A mark that is a rectangle, or drawn into one. */
export interface AreaMark extends BaseMark, Rect {}

/** The rectangle of a drag. On whole pixels, so that its edges are sharp. */
export const areaOf = ({ from, to, content }: Drag): Rect => wholePixels(rectBetween(from, to), content);

/** What all areas have in common. */
export const area = <M extends AreaMark>() => ({
  isWhole: true as const,
  bounds: ({ x, y, width, height }: M): Rect => ({ x, y, width, height }),
  withBounds: (mark: M, { x, y, width, height }: Rect): M => ({ ...mark, x, y, width, height }),
  move: (mark: M, by: Point): M => ({ ...mark, ...shifted(mark, by) }),
  isHit: (mark: M, point: Point, threshold: number) => isInside(point, mark, threshold),
  isInvisiblySmall: ({ width, height }: M, minimum: number) => width < minimum || height < minimum,
});
