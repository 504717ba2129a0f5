import type { Metadata } from 'sharp';
import { countHiddenFrames, readGifCanvas } from './animation.ts';
import { ImageBytes } from './bytes.ts';
import type { Decoding } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import { decodingBytes, type Header, requireMemory } from './memory.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';
import { jpegSamples } from './strip/jpeg.ts';
import type { StripPlan } from './strip/plan.ts';
import { planStrip } from './strip.ts';
import type { ImageLimits, Probe, WebFormat } from './types.ts';

/** What is known of a picture whose structure is sound, before its pixels are looked at. */
export interface Probed extends Probe {
  /** How to remove its metadata. */
  readonly plan: StripPlan;
  readonly header: Header;
}

/**
 * Looks at the header and the structure of a picture, whose bytes said that it is a `format`. Bombs are refused
 * from the header; what is cut off is found by walking through the structure, because libvips forgives a lack of bytes
 * where the last rows can be guessed. Nothing is decoded.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probe(file: ImageBytes, format: WebFormat, limits: ImageLimits): Promise<Probed> {
  const header = await readHeader(file.path, limits);
  const found = describe(header, await countHiddenFrames(file, format));
  checkLimits(found, limits);
  if (format === 'gif') checkLimits({ ...found, ...(await readGifCanvas(file)) }, limits);
  requireMemory(decodingBytes(header), limits);
  return { ...found, header, plan: await planStrip(file, format) };
}

/** What can be told without decoding. */
export async function readHeader(input: string | Uint8Array, limits: ImageLimits): Promise<Metadata & Header> {
  const sharp = await loadSharp();
  const header = await withDecodeErrors(() => sharp(input, sharpInput(limits)).metadata());
  if (header.format !== 'jpeg' || !header.isProgressive || typeof input !== 'string') return header;
  await using file = await ImageBytes.open(input);
  return { ...header, samples: await jpegSamples(file) };
}

/** Refuses what is beyond the limits. HEIC and BMP call it with what their own headers say. */
export function checkLimits({ width, height, frames }: Pick<Probe, 'width' | 'height' | 'frames'>, limits: ImageLimits): void {
  const size = `${width} × ${height} pixels`;
  if (width < 1 || height < 1) throw new DamagedImageError();
  if (Math.max(width, height) > limits.side) {
    throw new ImageTooLargeError(`The picture has ${size}; a side may have at most ${limits.side}. Make it smaller and retry.`);
  }
  if (width * height > limits.pixels) {
    throw new ImageTooLargeError(
      `The picture has ${size}; at most ${limits.pixels / 1e6} megapixels are accepted. Make it smaller and retry.`,
    );
  }
  if (frames > limits.frames || width * height * frames > limits.totalPixels) {
    throw new ImageTooLargeError(`The animation has ${frames} frames of ${size}, which is too much. Make it shorter or smaller and retry.`);
  }
}

/** The size as people see it, and the frames that sharp sees or, where it sees none, those that it does not. */
export function describe(header: Metadata, hiddenFrames = 1): Probe {
  const frames = isAnimation(header) ? (header.pages ?? 1) : hiddenFrames;
  const { width, height } = header.autoOrient;
  return { width, height, frames, animated: frames > 1, hasAlpha: header.hasAlpha };
}

/** In HEIF and TIFF, pages are further pictures, not an animation. */
export function isAnimation({ format, pages = 1 }: Header): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp');
}

/**
 * Decodes a probed picture and throws its pixels away, which finds damage that leaves the structure whole. The output is an
 * eighth of the size, but nothing is left out on the way there: an average needs every row.
 *
 * A JPEG of a single scan is decoded down to its first rows only. Whatever its decoder refuses (tables, components, a scan that
 * does not fit them) stands before them; of damage behind, it makes grey or coloured blocks, as browsers do. See decision 045.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function decodeForTrial(path: string, probed: Probed, limits: ImageLimits, decoding: Decoding): Promise<void> {
  const { width, height, header } = probed;
  const sharp = await loadSharp();
  const reduced = (side: number) => Math.max(1, Math.round(side / 8));
  const image = sharp(path, { ...sharpInput(limits), pages: isAnimation(header) ? -1 : 1 });
  const trial =
    header.format === 'jpeg' && !header.isProgressive
      ? image.extract({ left: 0, top: 0, width: 1, height: 1 })
      : image.autoOrient().resize(reduced(width), reduced(height), { fit: 'fill' });
  const decode = () => trial.timeout({ seconds: limits.decodeSeconds }).raw().toBuffer();
  await decoding(decodingBytes(header), () => withDecodeErrors(decode));
}
