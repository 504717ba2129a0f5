import { clampPoint, isInside, type Point, type Rect, type Size } from '#renderer/editor/geometry.ts';
import type { Style } from '#renderer/editor/tools/tool.ts';
import { isMarkKind, isWriting, type Mark, type MarkKind, type Tool, toolOf } from '#renderer/editor/tools/tools.ts';
import { drawnCrop, moveCrop, type Ratio, ratioOf, resizeCrop } from './crop.ts';
import { type Drawing, findMark, nextId, remaining } from './drawing.ts';
import {
  boundsOf,
  hitTest,
  hitTestHandles,
  isEnd,
  moveMark,
  rectTransformHandles,
  resizeMark,
  type TransformHandleType,
  transformHandlesOf,
  wholeMark,
} from './marks.ts';
import { type Guide, inEightDirections, inSquare, linesOf, snap, snapTargets } from './snapping.ts';

/** The crop that is being chosen. */
export interface Cropping {
  readonly rect: Rect;
  readonly ratio: Ratio;
  /** Taller than wide, for the shapes that aren't square. */
  readonly upright: boolean;
}

/** What a pressed pointer does until it is released. */
export type Gesture =
  | { type: 'draw'; kind: MarkKind; id: number; trail: readonly [Point, ...Point[]] }
  | { type: 'write'; mark: Mark }
  | { type: 'move'; mark: Mark; from: Point }
  | { type: 'resize'; mark: Mark; handle: TransformHandleType }
  | { type: 'drawCrop'; crop: Rect; from: Point }
  | { type: 'moveCrop'; crop: Rect; from: Point }
  | { type: 'resizeCrop'; crop: Rect; handle: TransformHandleType }
  | { type: 'pan' };

/** What a gesture may depend on. Points are in pixels of the unturned picture. */
export interface Situation {
  drawing: Drawing;
  size: Size;
  tool: Tool;
  selected: number | undefined;
  cropping: Cropping | undefined;
  style: Style;
  /** How close counts as touching, in pixels of the picture. */
  hitThreshold: number;
  /** How large a handle is drawn, in pixels of the picture. */
  handleRadius: number;
  /** How close is aligned, in pixels of the picture; 0 aligns nothing. */
  snapThreshold: number;
  /** The shortest edge that has a handle, in pixels of the picture. */
  minEdge: number;
  /** Lines in eight directions, rectangles as squares. */
  isConstrained: boolean;
}

/** Whether a crop leaves everything. */
export const isWhole = ({ width, height }: Rect, size: Size) => width >= size.width && height >= size.height;

/** Inside a small rectangle the handles reach less far, so that there is room to move it. */
const thresholdIn = (rect: Rect, point: Point, threshold: number) =>
  isInside(point, rect) ? Math.min(threshold, Math.min(rect.width, rect.height) / 3) : threshold;

/** What pressing the pointer at a point begins. */
export function beginGesture(point: Point, situation: Situation): Gesture {
  const { drawing, tool, selected, cropping, hitThreshold, minEdge, size } = situation;
  if (cropping) {
    const handle = hitTestHandles(rectTransformHandles(cropping.rect, minEdge), point, thresholdIn(cropping.rect, point, hitThreshold));
    if (handle) return { type: 'resizeCrop', crop: cropping.rect, handle };
    // The whole picture couldn't be moved anyway.
    if (isWhole(cropping.rect, size)) return { type: 'drawCrop', crop: cropping.rect, from: point };
    return isInside(point, cropping.rect) ? { type: 'moveCrop', crop: cropping.rect, from: point } : { type: 'pan' };
  }
  const chosen = findMark(drawing, selected);
  const handle = chosen && grabbedHandle(chosen, point, situation);
  if (chosen && handle) return { type: 'resize', mark: chosen, handle };
  const hit = hitTest(drawing.marks, point, hitThreshold / 2);
  if (hit && isWriting(hit) && hit.kind === tool) return { type: 'write', mark: hit };
  if (hit && !isMarkKind(tool)) return { type: 'move', mark: hit, from: point };
  if (!isMarkKind(tool)) return { type: 'pan' };
  const from = snapped(clampPoint(point, remaining(drawing, size)), nextId(drawing), tool, situation);
  return { type: 'draw', kind: tool, id: nextId(drawing), trail: [from.point] };
}

/**
 * The handle of the selected mark that a press grabs. With a tool that draws, only a visible corner or edge of what it has just drawn: lines often
 * begin where another one ends, and strokes everywhere.
 */
export function grabbedHandle(
  mark: Mark,
  point: Point,
  { tool, hitThreshold, handleRadius, minEdge }: Grabbing,
): TransformHandleType | undefined {
  const handles = transformHandlesOf(mark, minEdge);
  if (!isMarkKind(tool)) return hitTestHandles(handles, point, thresholdIn(boundsOf(mark), point, hitThreshold));
  return mark.kind === tool && toolOf(tool).isWhole ? hitTestHandles(handles, point, handleRadius) : undefined;
}

type Grabbing = Pick<Situation, 'tool' | 'hitThreshold' | 'handleRadius' | 'minEdge'>;

/** A point, aligned with what is near unless it is drawn freehand. */
function snapped(point: Point, id: number, kind: MarkKind, { drawing, size, snapThreshold }: Situation, axes = { x: true, y: true }) {
  if (toolOf(kind).isFreehand) return { point, guides: [] };
  const targets = snapTargets(drawing.marks, remaining(drawing, size), id);
  const lines = { x: axes.x ? [point.x] : [], y: axes.y ? [point.y] : [] };
  const { by, guides } = snap(lines, targets, snapThreshold);
  return { point: { x: point.x + by.x, y: point.y + by.y }, guides };
}

/** The gesture with another point that the pointer has passed, if it is at least `minStep` from the last one. */
export function passing(gesture: Gesture, point: Point, minStep: number, { drawing, size }: Situation): Gesture {
  if (gesture.type !== 'draw' || !toolOf(gesture.kind).isFreehand) return gesture;
  const [to, last] = [clampPoint(point, remaining(drawing, size)), gesture.trail.at(-1) ?? point];
  return Math.hypot(to.x - last.x, to.y - last.y) < minStep ? gesture : { ...gesture, trail: [...gesture.trail, to] };
}

/** A mark that a gesture draws or changes, and what it is aligned with. */
export interface Drawn {
  mark: Mark;
  guides: readonly Guide[];
}

/** What a gesture has drawn or changed when its pointer is at a point. */
export function drawnBy(gesture: Gesture, point: Point, situation: Situation): Drawn | undefined {
  const { drawing, size } = situation;
  const content = remaining(drawing, size);
  if (gesture.type === 'draw') return newMark(gesture, clampPoint(point, content), situation);
  if (gesture.type === 'move') {
    const { mark, from } = gesture;
    const moved = moveMark(mark, { x: point.x - from.x, y: point.y - from.y }, content);
    const { by, guides } = snap(linesOf(boundsOf(moved)), snapTargets(drawing.marks, content, mark.id), situation.snapThreshold);
    return { mark: wholeMark(moveMark(moved, by, content), size), guides };
  }
  if (gesture.type !== 'resize') return undefined;
  const { mark, handle } = gesture;
  const axes = { x: isEnd(handle) || /[ew]/.test(handle), y: isEnd(handle) || /[ns]/.test(handle) };
  const to = snapped(clampPoint(point, content), mark.id, mark.kind, situation, axes);
  return { mark: wholeMark(resizeMark(mark, handle, constrainedEnd(gesture, to.point, situation)), size), guides: to.guides };
}

/** The mark that a drag draws. */
function newMark(gesture: Extract<Gesture, { type: 'draw' }>, point: Point, situation: Situation): Drawn {
  const { drawing, size, style, isConstrained } = situation;
  const { kind, id, trail } = gesture;
  const [tool, content, [from]] = [toolOf(kind), remaining(drawing, size), trail];
  const { point: aligned, guides } = snapped(point, id, kind, situation);
  const to = isConstrained ? clampPoint((tool.isWhole ? inSquare : inEightDirections)(from, aligned), content) : aligned;
  // Held straight, a freehand line leaves out the points between.
  const passed = isConstrained || !tool.isFreehand ? [from, to] : [...trail, to];
  const mark = tool.draw({ id, from, to, trail: passed, style, content, turns: drawing.turns });
  return { mark, guides: isConstrained ? [] : guides };
}

/** The end of a line that is dragged, in one of eight directions from the other end. */
function constrainedEnd({ mark, handle }: Extract<Gesture, { type: 'resize' }>, to: Point, { isConstrained }: Situation): Point {
  const other = toolOf(mark.kind)
    .ends?.(mark)
    .find(({ type }) => type !== handle);
  return isConstrained && other ? inEightDirections(other, to) : to;
}

/** The crop that a gesture has changed when its pointer is at a point. */
export function cropOf(gesture: Gesture, point: Point, { drawing, size, cropping }: Situation): Rect | undefined {
  if (!cropping) return undefined;
  if (gesture.type === 'moveCrop') return moveCrop(gesture.crop, { x: point.x - gesture.from.x, y: point.y - gesture.from.y }, size);
  const ratio = ratioOf(cropping.ratio, size, { upright: cropping.upright, sideways: drawing.turns % 2 === 1 });
  if (gesture.type === 'drawCrop') return drawnCrop(gesture.from, point, size, ratio) ?? gesture.crop;
  if (gesture.type !== 'resizeCrop') return undefined;
  return resizeCrop(gesture.crop, gesture.handle, point, size, ratio);
}
