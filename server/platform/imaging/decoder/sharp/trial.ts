import { createHash } from 'node:crypto';
import { ImageBytes } from '../../bytes.ts';
import { DamagedImageError } from '../../errors.ts';
import { type Header, isAnimation } from '../../memory.ts';
import type { ImageLimits } from '../../types.ts';
import { webpFrames } from '../../webp/frames.ts';
import type { Files } from '../files.ts';
import { openForTrial, withDecodeErrors } from './open.ts';

interface Trial {
  header: Header;
  limits: ImageLimits;
}

/** Decodes a probed image and discards its pixels (decision 045). */
export async function decodeForTrial({ header, limits }: Trial, { picture }: Files): Promise<void> {
  if (isAnimatedWebp(header)) return decodeFrames(picture, header, limits);
  const reduced = (side: number) => Math.max(1, Math.round(side / 8));
  const image = await openForTrial(picture, { limits, pages: isAnimation(header) ? -1 : 1 });
  const trial = image.resize(reduced(header.width), reduced(header.height), { fit: 'fill' });
  await withDecodeErrors(() => trial.raw().toBuffer());
}

/** A hash of all pixels, as they are in the file, of a picture whose decoding was tried or is tried by this. */
export async function hashPixels({ header, limits }: Trial, { picture }: Files): Promise<string> {
  const hashed = createHash('sha256');
  if (isAnimatedWebp(header)) await decodeFrames(picture, header, limits, (pixels) => void hashed.update(pixels));
  else {
    const image = await openForTrial(picture, { limits });
    const { data, info } = await withDecodeErrors(() => image.raw().toBuffer({ resolveWithObject: true }));
    hashed.update(`${info.width} ${info.channels}`).update(data);
  }
  return hashed.digest('hex');
}

const isAnimatedWebp = (header: Header) => isAnimation(header) && header.format === 'webp';

/**
 * A WebP is always decoded as a whole; libwebp reduces it while it decodes.
 * @param take called with all pixels of each frame; without it, only one is made
 */
async function decodeFrames(picture: Uint8Array, header: Header, limits: ImageLimits, take?: (pixels: Buffer) => void): Promise<void> {
  const whole = await openForTrial(picture, { limits });
  const { pages } = await withDecodeErrors(() => whole.metadata());
  if (pages !== header.pages) throw new DamagedImageError();
  await using file = await ImageBytes.open(picture);
  for await (const frame of webpFrames(file)) {
    const image = await openForTrial(frame, { limits });
    const pixels = await withDecodeErrors(() => (take ? image : image.resize(1, 1, { fit: 'fill' })).raw().toBuffer());
    take?.(pixels);
  }
}
