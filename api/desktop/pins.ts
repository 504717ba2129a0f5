import { z } from 'zod';
import type { Call } from './call.ts';
import { preferences } from './preferences.ts';
import { MAX_PASTED_BYTES } from './uploads.ts';

/** The least opacity of a pinned picture: a window that can't be seen can't be closed. */
export const MIN_PIN_OPACITY = 0.2;

const id = z.uuid();
const png = z.instanceof(Uint8Array).refine((bytes) => bytes.byteLength > 0 && bytes.byteLength <= MAX_PASTED_BYTES);
const side = z.int().min(1).max(65_535);
/** Device-independent pixels. */
const distance = z.int().min(-100_000).max(100_000);
/** A share of the window's width or height. */
const share = z.number().min(0).max(1);

/** A picture in a window above all others. */
const pin = z.object({
  name: z.string(),
  bytes: z.instanceof(Uint8Array),
  language: preferences.shape.language,
  /** False where windows can't be translucent. */
  canFade: z.boolean(),
});

export const pinCalls = {
  /** Pins a PNG of this size in pixels. */
  pinPicture: {
    pages: ['edit'],
    input: z.tuple([z.string().min(1).max(255), png, z.object({ width: side, height: side })]),
    output: z.undefined(),
  },
  /** Null once it is closed. */
  getPin: { pages: ['pin'], input: z.tuple([id]), output: pin.nullable() },
  /** Moves the window by a distance: only main knows where it is. */
  movePin: { pages: ['pin'], input: z.tuple([id, z.strictObject({ x: distance, y: distance })]), output: z.undefined() },
  /** Resizes the window around a point of it; null: until a pixel of the picture is one of the screen. */
  resizePin: {
    pages: ['pin'],
    input: z.tuple([id, z.number().min(0.01).max(100).nullable(), z.strictObject({ x: share, y: share })]),
    output: z.undefined(),
  },
  fadePin: { pages: ['pin'], input: z.tuple([id, z.number().min(MIN_PIN_OPACITY).max(1)]), output: z.undefined() },
  closePin: { pages: ['pin'], input: z.tuple([id]), output: z.undefined() },
} as const satisfies Record<string, Call>;
