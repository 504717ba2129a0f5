import type { Metadata } from 'sharp';
import { countHiddenFrames, readGifCanvas } from './animation.ts';
import { PictureBytes } from './bytes.ts';
import { DamagedImageError, ImageTooLargeError } from './errors.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';
import { planFor } from './strip.ts';
import type { PictureLimits, Probe, SniffedFormat, WebFormat } from './types.ts';

/** How thoroughly a picture is looked at. */
export type ProbeDepth = 'header' | 'pixels';

const WEB_FORMATS: ReadonlySet<string> = new Set<WebFormat>(['jpeg', 'png', 'gif', 'webp', 'avif']);

/**
 * Looks at the picture in `path`, whose bytes said that it is a `format` that sharp reads (not HEIC, BMP, SVG).
 * Bombs are refused from the header, before anything is decoded. With depth `pixels` every pixel of every frame is
 * decoded once, which finds damage that leaves the structure whole; with `header` the caller has walked through the
 * structure (`planStrip`), which finds truncation.
 */
export async function probe(path: string, format: SniffedFormat, limits: PictureLimits, depth: ProbeDepth = 'pixels'): Promise<Probe> {
  const sharp = await loadSharp();
  const header = await withDecodeErrors(() => sharp(path, sharpInput(limits)).metadata());
  const found = describe(header, await countHiddenFrames(path, format));
  checkLimits(found, limits);
  if (format === 'gif') checkLimits({ ...found, ...(await readGifCanvas(path)) }, limits);
  if (depth === 'pixels') await decodeEverything(path, format, found, limits);
  return found;
}

/** Refuses what is beyond the limits. HEIC and BMP call it with what their own headers say. */
export function checkLimits({ width, height, frames }: Pick<Probe, 'width' | 'height' | 'frames'>, limits: PictureLimits): void {
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

function describe(header: Metadata, hiddenFrames: number): Probe {
  // In HEIF and TIFF, pages are further pictures, not an animation.
  const hasPages = isAnimatedBySharp(header.format) && (header.pages ?? 1) > 1;
  const frames = hasPages ? (header.pages ?? 1) : hiddenFrames;
  const { width, height } = header.autoOrient;
  return { width, height: hasPages ? (header.pageHeight ?? height) : height, frames, animated: frames > 1, hasAlpha: header.hasAlpha };
}

function isAnimatedBySharp(format: string): boolean {
  return format === 'gif' || format === 'webp';
}

/**
 * Decodes all pixels and throws them away. The output is an eighth of the size, but nothing is left out on the way
 * there: an average needs every row, an interlaced picture is read as a whole before the first row leaves libvips, and
 * JPEG's quick reduction still decodes every bit of entropy coding, which is where damage shows. The structure is
 * walked first, because libvips forgives a lack of bytes where the last rows can be guessed.
 */
async function decodeEverything(
  path: string,
  format: SniffedFormat,
  { width, height, frames }: Probe,
  limits: PictureLimits,
): Promise<void> {
  if (isWebFormat(format)) await PictureBytes.using(path, (file) => planFor(file, format));
  const sharp = await loadSharp();
  const reduced = (side: number) => Math.max(1, Math.round(side / 8));
  await withDecodeErrors(() =>
    sharp(path, { ...sharpInput(limits), pages: frames > 1 && isAnimatedBySharp(format) ? -1 : 1 })
      .autoOrient()
      .resize(reduced(width), reduced(height), { fit: 'fill' })
      .timeout({ seconds: limits.decodeSeconds })
      .raw()
      .toBuffer(),
  );
}

function isWebFormat(format: SniffedFormat): format is WebFormat {
  return WEB_FORMATS.has(format);
}
