import type { Metadata } from 'sharp';
import { countHiddenFrames, readGifCanvas, webpFrameBytes, webpFrames } from './animation.ts';
import { ImageBytes } from './bytes.ts';
import type { Decoding } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import { decodingBytes, decodingPixels, type Header, requireMemory } from './memory.ts';
import type { Rights } from './rights/rights.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, tooLong, withDecodeErrors } from './sharp-input.ts';
import { jpegSamples } from './strip/jpeg.ts';
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

/** Reads the metadata. Nothing is decoded. */
export async function readHeader(input: string | Uint8Array, limits: ImageLimits): Promise<Metadata & Header> {
  const sharp = await loadSharp();
  const header = await withDecodeErrors(() => sharp(input, sharpInput(limits)).metadata());
  if (header.format !== 'jpeg' || !header.isProgressive || typeof input !== 'string') return header;
  await using file = await ImageBytes.open(input);
  return { ...header, samples: await jpegSamples(file) };
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
export function describe(header: Metadata, hiddenFrames = 1): Probe {
  const frames = isAnimation(header) ? (header.pages ?? 1) : hiddenFrames;
  const { width, height } = header.autoOrient;
  return { width, height, frames, animated: frames > 1, hasAlpha: header.hasAlpha };
}

/** In HEIF and TIFF, pages are separate pictures, not an animation. */
export function isAnimation({ format, pages = 1 }: Header): boolean {
  return pages > 1 && (format === 'gif' || format === 'webp');
}

/**
 * Decodes a probed image and discards its pixels, which finds damage that leaves the structure intact. The output has an
 * eighth of the size, but every row is decoded: averaging needs them all.
 *
 * For a JPEG with a single scan, the first rows are enough: everything that its decoder rejects (tables, components, a scan
 * that doesn't match them) comes before them, and damage after them only shows as grey or coloured blocks. See decision 045.
 * The frames of an animated WebP are decoded one by one: libvips would hold all of them.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function decodeForTrial(path: string, probed: Probed, limits: ImageLimits, decoding: Decoding): Promise<void> {
  const { width, height, header } = probed;
  const isBaseline = header.format === 'jpeg' && !header.isProgressive;
  const pixels = isBaseline ? 0 : decodingPixels(header, isAnimation(header) ? header.pages : 1);
  if (isAnimation(header) && header.format === 'webp') {
    await using file = await ImageBytes.open(path);
    return await decoding(decodingBytes(header) + (await webpFrameBytes(file)), () => decodeFrames(file, limits), pixels);
  }
  const sharp = await loadSharp();
  const reduced = (side: number) => Math.max(1, Math.round(side / 8));
  const image = sharp(path, { ...sharpInput(limits), pages: isAnimation(header) ? -1 : 1 });
  const trial = isBaseline
    ? image.extract({ left: 0, top: 0, width: 1, height: 1 })
    : image.autoOrient().resize(reduced(width), reduced(height), { fit: 'fill' });
  const decode = () => trial.timeout({ seconds: limits.decodeSeconds }).raw().toBuffer();
  await decoding(decodingBytes(header), () => withDecodeErrors(decode), pixels);
}

/** A WebP is always decoded as a whole; libwebp reduces it while it decodes. */
async function decodeFrames(file: ImageBytes, limits: ImageLimits): Promise<void> {
  const sharp = await loadSharp();
  const end = performance.now() + limits.decodeSeconds * 1000;
  for await (const frame of webpFrames(file)) {
    const seconds = Math.ceil((end - performance.now()) / 1000);
    if (seconds < 1) throw tooLong();
    const image = sharp(frame, sharpInput(limits)).resize(1, 1, { fit: 'fill' }).timeout({ seconds });
    await withDecodeErrors(() => image.raw().toBuffer());
  }
}
