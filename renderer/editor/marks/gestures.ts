import { clampPoint, isInside, type Point, type Rect, type Size, wholePixels, wholeRect } from '#renderer/editor/stage/geometry.ts';
import { type DragTool, dragged, isDragTool, type Style, type Tool } from '#renderer/editor/tools.ts';
import { moveCrop, type Ratio, ratioOf, resizeCrop } from './crop.ts';
import { type Drawing, findMark, type Mark, remaining } from './drawing.ts';
import {
  boundsOf,
  hitTest,
  hitTestHandles,
  moveMark,
  rectTransformHandles,
  resizeMark,
  type TransformHandleType,
  transformHandlesOf,
} from './marks.ts';

/** The crop that is being chosen. */
export interface Cropping {
  readonly rect: Rect;
  readonly ratio: Ratio;
  /** Taller than wide, for the shapes that aren't square. */
  readonly upright: boolean;
}

/** What a pressed pointer does until it is released. */
export type Gesture =
  | { type: 'draw'; tool: DragTool; id: number; from: Point }
  | { type: 'move'; mark: Mark; from: Point }
  | { type: 'resize'; mark: Mark; handle: TransformHandleType }
  | { type: 'moveCrop'; crop: Rect; from: Point }
  | { type: 'resizeCrop'; crop: Rect; handle: TransformHandleType }
  | { type: 'text'; mark: Mark | undefined; at: Point }
  | { type: 'pan' };

/** What a gesture may depend on. Points are in pixels of the unturned picture. */
export interface Situation {
  drawing: Drawing;
  size: Size;
  tool: Tool;
  selected: number | undefined;
  cropping: Cropping | undefined;
  style: Style;
  /** The id for a new mark. */
  nextId: number;
  /** How close counts as touching, in pixels of the picture. */
  hitThreshold: number;
  /** The shortest edge that has a handle, in pixels of the picture. */
  minEdge: number;
}

/** Inside a small rectangle the handles reach less far, so that there is room to move it. */
const thresholdIn = (rect: Rect, point: Point, threshold: number) =>
  isInside(point, rect) ? Math.min(threshold, Math.min(rect.width, rect.height) / 3) : threshold;

/** What pressing the pointer at a point begins. */
export function beginGesture(point: Point, situation: Situation): Gesture {
  const { drawing, tool, selected, cropping, hitThreshold, minEdge, size, nextId } = situation;
  if (cropping) {
    const handle = hitTestHandles(rectTransformHandles(cropping.rect, minEdge), point, thresholdIn(cropping.rect, point, hitThreshold));
    if (handle) return { type: 'resizeCrop', crop: cropping.rect, handle };
    return isInside(point, cropping.rect) ? { type: 'moveCrop', crop: cropping.rect, from: point } : { type: 'pan' };
  }
  const chosen = findMark(drawing, selected);
  const handle = chosen && hitTestHandles(transformHandlesOf(chosen, minEdge), point, thresholdIn(boundsOf(chosen), point, hitThreshold));
  if (chosen && handle) return { type: 'resize', mark: chosen, handle };
  const content = remaining(drawing, size);
  if (tool === 'text') {
    const hit = hitTest(drawing.marks, point, hitThreshold / 2);
    return { type: 'text', mark: hit?.kind === 'text' ? hit : undefined, at: clampPoint(point, content) };
  }
  // The mark just drawn can be moved without changing the tool.
  const hit = hitTest(tool === 'select' ? drawing.marks : chosen ? [chosen] : [], point, hitThreshold / 2);
  if (hit) return { type: 'move', mark: hit, from: point };
  return isDragTool(tool) ? { type: 'draw', tool, id: nextId, from: clampPoint(point, content) } : { type: 'pan' };
}

/** The mark that a gesture has drawn or changed when its pointer is at a point. */
export function markOf(gesture: Gesture, point: Point, { drawing, size, style }: Situation): Mark | undefined {
  const content = remaining(drawing, size);
  if (gesture.type === 'draw') return dragged(gesture.tool, { ...gesture, to: clampPoint(point, content), style, content });
  if (gesture.type === 'move')
    return wholeMark(moveMark(gesture.mark, { x: point.x - gesture.from.x, y: point.y - gesture.from.y }, content), size);
  if (gesture.type === 'resize') return wholeMark(resizeMark(gesture.mark, gesture.handle, clampPoint(point, content)), size);
  return undefined;
}

/** Rectangles keep whole pixels, inside the picture. */
export function wholeMark(mark: Mark, size: Size): Mark {
  return mark.kind === 'arrow' || mark.kind === 'text' ? mark : { ...mark, ...wholePixels(mark, wholeRect(size)) };
}

/** The crop that a gesture has changed when its pointer is at a point. */
export function cropOf(gesture: Gesture, point: Point, { drawing, size, cropping }: Situation): Rect | undefined {
  if (!cropping) return undefined;
  if (gesture.type === 'moveCrop') return moveCrop(gesture.crop, { x: point.x - gesture.from.x, y: point.y - gesture.from.y }, size);
  if (gesture.type !== 'resizeCrop') return undefined;
  const ratio = ratioOf(cropping.ratio, size, { upright: cropping.upright, sideways: drawing.turns % 2 === 1 });
  return resizeCrop(gesture.crop, gesture.handle, point, size, ratio);
}
