import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import type { ImageLimits, Probe } from './types.ts';

/** The interface's limits: 100 megapixels, 30,000 pixels a side, HEIC 50 megapixels; the service stays below 600 MB. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  pixels: 100_000_000,
  side: 30_000,
  frames: 2_000,
  totalPixels: 1_000_000_000,
  heicPixels: 50_000_000,
  decodeSeconds: 30,
  memory: 280_000_000,
};

/** Processor time of a drawing. One that takes longer is unusable on a page, too. */
export const DRAW_SECONDS = 10;

/** Guests' pictures take less time: enough for any photo, and for animations of 50 megapixels, which take 200 MB. */
export const GUEST_IMAGE_LIMITS: ImageLimits = {
  ...DEFAULT_IMAGE_LIMITS,
  pixels: 50_000_000,
  frames: 500,
  totalPixels: 50_000_000,
  decodeSeconds: 8,
};

/** Checks what a header says. @throws DamagedImageError without pixels, ImageTooLargeError */
export function checkLimits({ width, height, frames }: Pick<Probe, 'width' | 'height' | 'frames'>, limits: ImageLimits): void {
  const size = `${width} × ${height} pixels`;
  if (width < 1 || height < 1) throw new DamagedImageError();
  if (Math.max(width, height) > limits.side) {
    throw new ImageTooLargeError(
      `The picture is ${size}, but each side can be at most ${limits.side} pixels. Make it smaller and try again.`,
    );
  }
  if (width * height > limits.pixels) {
    throw new ImageTooLargeError(
      `The picture is ${size}, but the limit is ${limits.pixels / 1e6} megapixels. Make it smaller and try again.`,
    );
  }
  if (frames > limits.frames || width * height * frames > limits.totalPixels) {
    throw new ImageTooLargeError(
      `The animation has ${frames} frames of ${size}, which is over the limit. Make it shorter or smaller and try again.`,
    );
  }
}
