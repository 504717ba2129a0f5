import { type Rect, type Size, wholePixels, wholeRect } from '#renderer/editor/stage/geometry.ts';
import type { BlurMark } from '#renderer/editor/tools/blur.ts';
import type { PixelateMark } from '#renderer/editor/tools/pixelate.ts';
import { averages, blockGrid, regionIn, smoothed } from './blocks.ts';
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
