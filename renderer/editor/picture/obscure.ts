import { type Rect, type Size, wholePixels, wholeRect } from '#renderer/editor/geometry.ts';
import type { BlurMark } from '#renderer/editor/tools/blur.ts';
import type { PixelateMark } from '#renderer/editor/tools/pixelate.ts';
import { newCanvas } from './canvas.ts';

/** How many pixels a blurred block is made of, along each side. */
const SMOOTH_FACTOR = 12;
/** Regions whose pixels are cached for drawing again. */
const MAX_CACHED = 60;

type Obscured = Pick<PixelateMark | BlurMark, 'kind' | keyof Rect>;

/** Draws what covers regions of a picture. A region looks the same each time, with the same noise. */
export class Covers {
  readonly #pixels: CanvasRenderingContext2D;
  readonly #size: Size;
  readonly #cache = new Map<string, HTMLCanvasElement>();

  /** @param pixels the picture, perhaps smaller than `size` */
  constructor(pixels: CanvasRenderingContext2D, size: Size) {
    this.#pixels = pixels;
    this.#size = size;
  }

  /** Replaces a region, whose pixels are then gone: none of them is below the blocks, not even where those are transparent. */
  draw(context: CanvasRenderingContext2D, mark: Obscured): void {
    const region = wholePixels(mark, wholeRect(this.#size));
    if (region.width < 1 || region.height < 1) return;
    const canvas = this.#find(mark.kind, region);
    context.save();
    context.beginPath();
    context.rect(region.x, region.y, region.width, region.height);
    context.clip();
    context.clearRect(region.x, region.y, region.width, region.height);
    context.imageSmoothingEnabled = mark.kind === 'blur';
    context.drawImage(canvas, region.x, region.y, region.width, region.height);
    context.restore();
  }

  #find(kind: Obscured['kind'], region: Rect): HTMLCanvasElement {
    const name = `${kind} ${region.x} ${region.y} ${region.width} ${region.height}`;
    const known = this.#cache.get(name);
    if (known) return known;
    const made = this.#make(kind, region);
    this.#cache.set(name, made);
    const [oldest = name] = this.#cache.keys();
    if (this.#cache.size > MAX_CACHED) this.#cache.delete(oldest);
    return made;
  }

  #make(kind: Obscured['kind'], region: Rect): HTMLCanvasElement {
    const { x, y, width: wide, height: high } = regionIn(this.#pixels.canvas, this.#size, region);
    const pixels = this.#pixels.getImageData(x, y, wide, high);
    const blocks = averages(pixels, blockGrid(region), randomNumbers());
    const { width, height, data } = kind === 'blur' ? smoothed(blocks, SMOOTH_FACTOR) : blocks;
    const { canvas, context } = newCanvas({ width, height });
    context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0);
    return canvas;
  }
}

/** Numbers from 0 to 1 that can't be guessed. */
function randomNumbers(): () => number {
  const numbers = new Uint16Array(1024);
  let at = numbers.length;
  return () => {
    if (at === numbers.length) {
      crypto.getRandomValues(numbers);
      at = 0;
    }
    const number = numbers[at] ?? 0;
    at += 1;
    return number / 0xffff;
  };
}

/** Pixels as a canvas has them: four bytes each, red, green, blue and alpha. */
interface Pixels extends Size {
  readonly data: Uint8ClampedArray;
}

/** The smallest block, in pixels of the picture. */
const MIN_BLOCK = 16;
/** The most blocks along the longer and the shorter side of a region. */
const MAX_ALONG = 16;
const MAX_ACROSS = 3;
/** How much a block may be lighter or darker than its average, of 255. */
const NOISE = 12;

/**
 * The side of the blocks that a region is reduced to, in pixels of the picture. Few enough that text can't be found by trying
 * texts and comparing the results (decision 072).
 */
export function blockSide({ width, height }: Size): number {
  return Math.ceil(Math.max(MIN_BLOCK, Math.max(width, height) / MAX_ALONG, Math.min(width, height) / MAX_ACROSS));
}

/**
 * How many blocks a region is divided into. All are the same, and at least as large as {@link blockSide}: a narrow one at the end would be
 * the average of few pixels.
 */
export function blockGrid(region: Size): Size {
  const side = blockSide(region);
  return { width: Math.max(1, Math.floor(region.width / side)), height: Math.max(1, Math.floor(region.height / side)) };
}

/** The same region in a smaller copy of the picture: at least one pixel, and none outside the copy, which would count as transparent. */
export function regionIn(copy: Size, size: Size, { x, y, width, height }: Rect): Rect {
  const along = (from: number, length: number, of: number, whole: number) => {
    const start = Math.min(of - 1, Math.floor((from * of) / whole));
    return [start, Math.max(1, Math.min(of, Math.round(((from + length) * of) / whole)) - start)] as const;
  };
  const [left, wide] = along(x, width, copy.width, size.width);
  const [top, high] = along(y, height, copy.height, size.height);
  return { x: left, y: top, width: wide, height: high };
}

/**
 * Reduces pixels to one per block: its average, with noise.
 * @param noise returns numbers from 0 to 1
 */
export function averages(pixels: Pixels, grid: Size, noise: () => number): Pixels {
  const data = new Uint8ClampedArray(grid.width * grid.height * 4);
  for (let row = 0, at = 0; row < grid.height; row += 1)
    for (let column = 0; column < grid.width; column += 1, at += 4)
      data.set(average(pixels, blockOf(pixels, grid, column, row), noise), at);
  return { ...grid, data };
}

/** The pixels of a block: at least one. */
function blockOf({ width, height }: Size, grid: Size, column: number, row: number): Rect {
  const x = Math.min(width - 1, Math.floor((column * width) / grid.width));
  const y = Math.min(height - 1, Math.floor((row * height) / grid.height));
  const right = Math.max(x + 1, Math.floor(((column + 1) * width) / grid.width));
  const bottom = Math.max(y + 1, Math.floor(((row + 1) * height) / grid.height));
  return { x, y, width: right - x, height: bottom - y };
}

function average({ data, width: stride }: Pixels, { x, y, width, height }: Rect, noise: () => number): number[] {
  const sums = [0, 0, 0];
  let alphas = 0;
  for (let row = y; row < y + height; row += 1)
    for (let at = (row * stride + x) * 4, end = at + width * 4; at < end; at += 4) {
      // What is transparent has no colour to show.
      const alpha = data[at + 3] ?? 0;
      alphas += alpha;
      for (let channel = 0; channel < 3; channel += 1) sums[channel] = (sums[channel] ?? 0) + (data[at + channel] ?? 0) * alpha;
    }
  // The same for all channels: three different ones could be averaged to less noise.
  const shift = (noise() * 2 - 1) * NOISE;
  const colour = sums.map((sum) => (alphas === 0 ? 0 : sum / alphas) + shift);
  return [...colour, alphas / (width * height)];
}

/** Enlarges pixels `factor` times without edges, by cubic B-splines. Nothing comes in that wasn't in the pixels. */
export function smoothed(pixels: Pixels, factor: number): Pixels {
  const wide = along(premultiplied(pixels), pixels.width, pixels.height, factor);
  // Transposed, so that the same loop does the other direction.
  const whole = along(wide.data, pixels.height, wide.width, factor);
  return { width: wide.width, height: whole.width, data: unmultiplied(whole.data) };
}

function premultiplied({ data }: Pixels): Float32Array {
  const result = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += 1)
    result[at] = at % 4 === 3 ? (data[at] ?? 0) : ((data[at] ?? 0) * (data[at - (at % 4) + 3] ?? 0)) / 255;
  return result;
}

function unmultiplied(data: Float32Array): Uint8ClampedArray {
  const result = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at += 1) {
    const alpha = data[at - (at % 4) + 3] ?? 0;
    result[at] = at % 4 === 3 ? alpha : alpha === 0 ? 0 : ((data[at] ?? 0) * 255) / alpha;
  }
  return result;
}

/** Enlarges in one direction, and returns the columns as rows. */
function along(data: Float32Array, width: number, height: number, factor: number): { width: number; data: Float32Array } {
  const wide = width * factor;
  const result = new Float32Array(wide * height * 4);
  for (let x = 0; x < wide; x += 1) {
    const middle = (x + 0.5) / factor - 0.5;
    const first = Math.floor(middle) - 1;
    const weights = splineWeights(middle - Math.floor(middle));
    for (let y = 0; y < height; y += 1)
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (const [step, weight] of weights.entries()) {
          const column = Math.min(width - 1, Math.max(0, first + step));
          sum += weight * (data[(y * width + column) * 4 + channel] ?? 0);
        }
        result[(x * height + y) * 4 + channel] = sum;
      }
  }
  return { width: wide, data: result };
}

/** The weights of the four neighbours of a place; `t` is how far it is from the second to the third. */
function splineWeights(t: number): number[] {
  return [(1 - t) ** 3 / 6, (3 * t ** 3 - 6 * t ** 2 + 4) / 6, (-3 * t ** 3 + 3 * t ** 2 + 3 * t + 1) / 6, t ** 3 / 6];
}
