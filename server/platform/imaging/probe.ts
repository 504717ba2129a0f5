import { countHiddenFrames, readGifCanvas, webpFrameBytes } from './animation.ts';
import { ImageBytes } from './bytes.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import { decodingBytes, decodingPixels, type Header, isAnimation, type PictureHeader, requireMemory } from './memory.ts';
import type { Rights } from './rights/rights.ts';
import type { StripPlan } from './strip/plan.ts';
import { planStrip } from './strip.ts';
import type { ImageLimits, Probe, WebFormat } from './types.ts';

/** Facts about an image whose structure is sound, before any pixel is decoded. */
export interface Probed extends Probe {
  /** How to remove its metadata. */
  readonly plan: StripPlan;
  readonly header: Header;
}

/**
 * Checks the header and the structure of an image of a known format. The header reveals bombs; a walk through the
 * structure reveals truncation, which libvips forgives where it can guess the last rows. Nothing is decoded.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probe(file: ImageBytes, format: WebFormat, limits: ImageLimits, rights?: Rights): Promise<Probed> {
  const header = await readHeader(file.path, limits);
  const found = describe(header, await countHiddenFrames(file, format));
  checkLimits(found, limits);
  if (format === 'gif') checkLimits({ ...found, ...(await readGifCanvas(file)) }, limits);
  requireMemory(decodingBytes(header), limits);
  return { ...found, header, plan: await planStrip(file, format, rights) };
}

/** Reads the metadata, and decodes the first rows of a JPEG with a single scan. */
export function readHeader(input: string, limits: ImageLimits): Promise<PictureHeader> {
  return decoders.run('header', { input, limits }, limits.decodeSeconds);
}

/** Checks the limits. HEIC and BMP pass the values of their own headers. */
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

/** The size with the orientation applied, and the frames that sharp counts or, where it misses them, `hiddenFrames`. */
export function describe(header: PictureHeader, hiddenFrames = 1): Probe {
  const frames = isAnimation(header) ? (header.pages ?? 1) : hiddenFrames;
  const { width, height } = header.autoOrient;
  return { width, height, frames, animated: frames > 1, hasAlpha: header.hasAlpha };
}

/**
 * Decodes a probed image and discards its pixels, which finds damage that leaves the structure intact. The output has an
 * eighth of the size, but every row is decoded: averaging needs them all.
 *
 * A JPEG with a single scan has been tried with its header.
 * The frames of an animated WebP are decoded one by one: libvips would hold all of them.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function decodeForTrial(path: string, probed: Probed, limits: ImageLimits, decoding: Decoding): Promise<void> {
  const { width, height, header } = probed;
  if (header.format === 'jpeg' && !header.isProgressive) return;
  const pixels = decodingPixels(header, isAnimation(header) ? header.pages : 1);
  const trial = { input: path, header, width, height, limits };
  const bytes = decodingBytes(header) + (isAnimation(header) && header.format === 'webp' ? await frameBytes(path) : 0);
  await decoding(bytes, () => decoders.run('trial', trial, limits.decodeSeconds), pixels);
}

async function frameBytes(path: string): Promise<number> {
  await using file = await ImageBytes.open(path);
  return await webpFrameBytes(file);
}
