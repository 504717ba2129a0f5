import { createHash } from 'node:crypto';
import { ImageBytes } from '../../bytes.ts';
import { DamagedImageError } from '../../errors.ts';
import { jpegSamples } from '../../jpeg/check.ts';
import { type Header, isAnimation, type PictureHeader } from '../../memory.ts';
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

/**
 * Reads the metadata. Of a JPEG with a single scan, the first rows are decoded: everything that its decoder rejects (tables, components, a scan
 * that doesn't match them) comes before them, and damage after them only shows as grey or coloured blocks (decision 045).
 */
export async function readHeader({ limits }: { limits: ImageLimits }, { picture }: Files): Promise<PictureHeader> {
  const image = await openForTrial(picture, { limits });
  const metadata = await withDecodeErrors(() => image.metadata());
  const { format, width, height, pages, channels, depth, isProgressive, hasAlpha } = metadata;
  const header = { format, width, height, channels, depth, isProgressive, hasAlpha, ...(pages !== undefined && { pages }) };
  if (format !== 'jpeg') return header;
  if (!isProgressive) {
    const first = image.clone().extract({ left: 0, top: 0, width: 1, height: 1 });
    await withDecodeErrors(() => first.raw().toBuffer());
    return header;
  }
  await using file = await ImageBytes.open(picture);
  return { ...header, samples: await jpegSamples(file) };
}
