import { clamp, clampPoint, type Point, type Rect, type Size, wholeRect } from '#renderer/editor/geometry.ts';
import type { TransformHandleType } from './marks.ts';

/** The smallest side that can be cropped to, in pixels. */
const MIN_SIDE = 8;

/** The shapes that a crop can have, as width by height; null: any. */
export const RATIOS = { free: null, original: 'original', square: [1, 1], fourThree: [4, 3], threeTwo: [3, 2], wide: [16, 9] } as const;
export type Ratio = keyof typeof RATIOS;

/** Width by height of a shape in the unturned picture, which is `sideways` where it is shown turned by 90°; undefined: any. */
export function ratioOf(ratio: Ratio, size: Size, { upright, sideways }: { upright: boolean; sideways: boolean }): number | undefined {
  const shape = RATIOS[ratio];
  if (shape === null) return undefined;
  if (shape === 'original') return size.width / size.height;
  const wide = shape[0] / shape[1];
  return upright === sideways ? wide : 1 / wide;
}

/** The largest rectangle of a shape inside `rect`, around its middle. */
export function withRatio(rect: Rect, ratio: number | undefined): Rect {
  if (ratio === undefined) return rect;
  const width = Math.min(rect.width, rect.height * ratio);
  const height = width / ratio;
  return { x: rect.x + (rect.width - width) / 2, y: rect.y + (rect.height - height) / 2, width, height };
}

/** Moves a crop inside the picture. */
export const moveCrop = (crop: Rect, by: Point, { width, height }: Size): Rect => ({
  ...crop,
  x: clamp(crop.x + by.x, 0, width - crop.width),
  y: clamp(crop.y + by.y, 0, height - crop.height),
});

/** A crop after one of its handles was dragged to a point. The opposite side stays; a shape is kept. */
export function resizeCrop(crop: Rect, handle: TransformHandleType, to: Point, size: Size, ratio: number | undefined): Rect {
  const [right, bottom] = [crop.x + crop.width, crop.y + crop.height];
  const least = { width: Math.min(MIN_SIDE, size.width), height: Math.min(MIN_SIDE, size.height) };
  const left = handle.includes('w') ? clamp(to.x, 0, right - least.width) : crop.x;
  const top = handle.includes('n') ? clamp(to.y, 0, bottom - least.height) : crop.y;
  const width = (handle.includes('e') ? clamp(to.x, crop.x + least.width, size.width) : right) - left;
  const height = (handle.includes('s') ? clamp(to.y, crop.y + least.height, size.height) : bottom) - top;
  if (ratio === undefined) return { x: left, y: top, width, height };
  return maintainRatio({ x: left, y: top, width, height }, crop, handle, size, ratio);
}

/** A crop dragged from one point to another; undefined while the points are too close together. */
export function drawnCrop(from: Point, to: Point, size: Size, ratio: number | undefined): Rect | undefined {
  if (Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y)) < MIN_SIDE) return undefined;
  const handle = `${to.y < from.y ? 'n' : 's'}${to.x < from.x ? 'w' : 'e'}` as const;
  return resizeCrop({ ...clampPoint(from, wholeRect(size)), width: 0, height: 0 }, handle, to, size, ratio);
}

/** Gives a dragged rectangle its shape. It grows from the side opposite to the handle, as far as the picture allows. */
function maintainRatio(dragged: Rect, crop: Rect, handle: TransformHandleType, size: Size, ratio: number): Rect {
  const centred = { x: handle === 'n' || handle === 's', y: handle === 'e' || handle === 'w' };
  const anchor = {
    x: centred.x ? crop.x + crop.width / 2 : handle.includes('w') ? crop.x + crop.width : crop.x,
    y: centred.y ? crop.y + crop.height / 2 : handle.includes('n') ? crop.y + crop.height : crop.y,
  };
  const room = {
    width: centred.x ? 2 * Math.min(anchor.x, size.width - anchor.x) : handle.includes('w') ? anchor.x : size.width - anchor.x,
    height: centred.y ? 2 * Math.min(anchor.y, size.height - anchor.y) : handle.includes('n') ? anchor.y : size.height - anchor.y,
  };
  const fullWidth = centred.x ? dragged.height * ratio : centred.y ? dragged.width : Math.max(dragged.width, dragged.height * ratio);
  const width = Math.min(fullWidth, room.width, room.height * ratio);
  const height = width / ratio;
  return {
    x: centred.x ? anchor.x - width / 2 : handle.includes('w') ? anchor.x - width : anchor.x,
    y: centred.y ? anchor.y - height / 2 : handle.includes('n') ? anchor.y - height : anchor.y,
    width,
    height,
  };
}

/** The crop on whole pixels, inside the picture and never empty. */
export function roundedCrop(crop: Rect, size: Size): Rect {
  const width = clamp(Math.round(crop.width), 1, size.width);
  const height = clamp(Math.round(crop.height), 1, size.height);
  return {
    x: clamp(Math.round(crop.x), 0, size.width - width),
    y: clamp(Math.round(crop.y), 0, size.height - height),
    width,
    height,
  };
}
