import { type Point, type Rect, type Size, type Turns, toTurns, turnedSize, turnRect, unturnPoint } from '#renderer/editor/geometry.ts';
import { type Mark, toolOf } from '#renderer/editor/tools/tools.ts';
import { moveCrop, resizeCrop } from './crop.ts';
import { moveMark, wholeMark } from './marks.ts';

/** A step on the screen as one in the unturned picture. */
function toUnturnedStep(step: Point, turns: Turns, size: Size): Point {
  const [origin, end] = [unturnPoint({ x: 0, y: 0 }, turns, size), unturnPoint(step, turns, size)];
  return { x: end.x - origin.x, y: end.y - origin.y };
}

interface Shown {
  turns: Turns;
  size: Size;
  content: Rect;
}

/** Moves a mark by a key. `step` is as seen, in pixels of the picture. */
export const moveMarkByStep = (mark: Mark, step: Point, { turns, size, content }: Shown): Mark =>
  wholeMark(moveMark(mark, toUnturnedStep(step, turns, size), content), size);

/** Resizes a mark by a key: its right and lower edges move, as seen, or the last of its ends, such as the head of an arrow. */
export function resizeMarkByStep(mark: Mark, step: Point, { turns, size }: Shown): Mark {
  const tool = toolOf(mark.kind);
  if (!tool.withBounds) {
    const end = tool.ends?.(mark).at(-1);
    const by = toUnturnedStep(step, turns, size);
    return (end && tool.withEnd?.(mark, end.type, { x: end.x + by.x, y: end.y + by.y })) ?? mark;
  }
  const seen = turnRect(tool.bounds(mark), turns, size);
  const larger = { ...seen, width: Math.max(4, seen.width + step.x), height: Math.max(4, seen.height + step.y) };
  return wholeMark(tool.withBounds(mark, turnRect(larger, toTurns(-turns), turnedSize(size, turns))), size);
}

export const moveCropByStep = (crop: Rect, step: Point, { turns, size }: Shown): Rect =>
  moveCrop(crop, toUnturnedStep(step, turns, size), size);

/** Resizes a crop by a key: its right and lower edges move, as seen. */
export function resizeCropByStep(crop: Rect, step: Point, ratio: number | undefined, { turns, size }: Shown): Rect {
  const shown = turnedSize(size, turns);
  const seen = turnRect(crop, turns, size);
  const corner = { x: seen.x + seen.width + step.x, y: seen.y + seen.height + step.y };
  const seenRatio = ratio === undefined || turns % 2 === 0 ? ratio : 1 / ratio;
  // One edge alone, so that a shape follows it, whether it grows or shrinks.
  const handle = step.x === 0 ? 's' : 'e';
  return turnRect(resizeCrop(seen, ratio === undefined ? 'se' : handle, corner, shown, seenRatio), toTurns(-turns), shown);
}
