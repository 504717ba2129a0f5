import type { ImageLimits } from './types.ts';

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
