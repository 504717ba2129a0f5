/** A place in a picture, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Rect extends Point, Size {}

/** Quarter turns clockwise. */
export type Turns = 0 | 1 | 2 | 3;

/** Numbers from outside the range of turns wrap around. */
export const toTurns = (quarters: number): Turns => (((quarters % 4) + 4) % 4) as Turns;

export const turnedSize = ({ width, height }: Size, turns: Turns): Size =>
  turns % 2 === 0 ? { width, height } : { width: height, height: width };

/** Where a point of a picture of this size is once the picture has been turned. */
export function turnPoint({ x, y }: Point, turns: Turns, { width, height }: Size): Point {
  if (turns === 1) return { x: height - y, y: x };
  if (turns === 2) return { x: width - x, y: height - y };
  if (turns === 3) return { x: y, y: width - x };
  return { x, y };
}

/** The reverse of {@link turnPoint}; `size` is that of the unturned picture. */
export const unturnPoint = (point: Point, turns: Turns, size: Size): Point => turnPoint(point, toTurns(-turns), turnedSize(size, turns));

export function turnRect(rect: Rect, turns: Turns, size: Size): Rect {
  return rectBetween(turnPoint(rect, turns, size), turnPoint({ x: rect.x + rect.width, y: rect.y + rect.height }, turns, size));
}

/** The matrix (a, b, c, d, e, f) that turns a picture around so that its corner stays at 0, 0. Its numbers are exact. */
export function turnMatrix(turns: Turns, { width, height }: Size): [number, number, number, number, number, number] {
  if (turns === 1) return [0, 1, -1, 0, height, 0];
  if (turns === 2) return [-1, 0, 0, -1, width, height];
  if (turns === 3) return [0, -1, 1, 0, 0, width];
  return [1, 0, 0, 1, 0, 0];
}

export function rectBetween(one: Point, other: Point): Rect {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return { x, y, width: Math.abs(one.x - other.x), height: Math.abs(one.y - other.y) };
}

export const wholeRect = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height });

export const centreOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

export const isInside = ({ x, y }: Point, rect: Rect, margin = 0): boolean =>
  x >= rect.x - margin && y >= rect.y - margin && x <= rect.x + rect.width + margin && y <= rect.y + rect.height + margin;

export const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max));

export const clampPoint = ({ x, y }: Point, { x: left, y: top, width, height }: Rect): Point => ({
  x: clamp(x, left, left + width),
  y: clamp(y, top, top + height),
});

/** The part of a rectangle inside another one, on whole pixels; empty where they don't meet. */
export function wholePixels(rect: Rect, bounds: Rect): Rect {
  const from = clampPoint({ x: Math.floor(rect.x), y: Math.floor(rect.y) }, bounds);
  const to = clampPoint({ x: Math.ceil(rect.x + rect.width), y: Math.ceil(rect.y + rect.height) }, bounds);
  return { ...from, width: to.x - from.x, height: to.y - from.y };
}

/** The distance from a point to the line between two others. */
export function distanceToLine({ x, y }: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const at = length === 0 ? 0 : clamp(((x - from.x) * dx + (y - from.y) * dy) / length, 0, 1);
  return Math.hypot(x - from.x - at * dx, y - from.y - at * dy);
}

/** How the turned picture is shown: a point at `p` is at `p × scale + (x, y)` on the screen, in CSS pixels. */
export interface View extends Point {
  readonly scale: number;
}

/** The largest scale at which a picture that fits is shown: small ones aren't enlarged. */
const MAX_FIT = 1;
const MIN_SCALE = 0.02;
const MAX_SCALE = 32;

/** Shows `content`, a part of the turned picture, in the middle of the screen and as large as fits with `padding` around it, but not enlarged. */
export function fitView(content: Rect, screen: Size, padding: number): View {
  const scale = clamp(
    Math.min((screen.width - 2 * padding) / content.width, (screen.height - 2 * padding) / content.height),
    MIN_SCALE,
    MAX_FIT,
  );
  const { x, y } = centreOf(content);
  return { scale, x: screen.width / 2 - x * scale, y: screen.height / 2 - y * scale };
}

/** Zooms by a factor; the place under `at`, a point of the screen, stays there. */
export function zoomView(view: View, factor: number, at: Point): View {
  const scale = clamp(view.scale * factor, MIN_SCALE, MAX_SCALE);
  const ratio = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio };
}

/** Moves the view so that some of the content stays on the screen. */
export function keepVisible(view: View, content: Rect, screen: Size): View {
  const margin = 48;
  const [left, top] = [content.x * view.scale, content.y * view.scale];
  return {
    scale: view.scale,
    x: clamp(view.x, margin - left - content.width * view.scale, screen.width - margin - left),
    y: clamp(view.y, margin - top - content.height * view.scale, screen.height - margin - top),
  };
}

export const toScreen = ({ x, y }: Point, view: View): Point => ({ x: x * view.scale + view.x, y: y * view.scale + view.y });

export const fromScreen = ({ x, y }: Point, view: View): Point => ({ x: (x - view.x) / view.scale, y: (y - view.y) / view.scale });
