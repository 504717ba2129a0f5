import type { FileContent } from '#server/platform/files/staged-file.ts';
import { countHiddenFrames, readGifCanvas, webpFrameBytes } from './animation.ts';
import { ImageBytes } from './bytes.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { DamagedImageError, ImageTooLargeError, InseparableImageError, UnshownJpegError } from './errors.ts';
import { DECODED_BYTES, decodingBytes, decodingPixels, isAnimation, type PictureHeader, requireMemory } from './memory.ts';
import type { KeptRights, StripPlan } from './metadata/plan.ts';
import { planStrip } from './metadata/strip.ts';
import { hasSoundRows, PNG_CHECK_BYTES, type PngFacts, readPng } from './png/check.ts';
import type { ImageLimits, Probe, WebFormat } from './types.ts';

/** Facts about an image whose structure is sound, before any pixel is decoded. */
export interface Probed extends Probe {
  /** Its metadata, and how to remove them. */
  readonly plan: StripPlan;
  readonly header: PictureHeader;
  /** The rest of a PNG that can be checked without decoding it. */
  readonly png?: PngFacts | undefined;
}

/**
 * Checks the header and the structure of an image of a known format. The header reveals bombs; a walk through the
 * structure reveals truncation, which libvips forgives where it can guess the last rows. Nothing is decoded.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function probe(file: ImageBytes, format: WebFormat, limits: ImageLimits, rights?: KeptRights): Promise<Probed> {
  if (format === 'jpeg' || format === 'png') return probeSegments(file, format, limits, rights);
  // Browsers turn them by no EXIF.
  const read = async () => checkHeader(file, format, await readHeader(file.content, limits), 1, limits);
  const found = await read().catch(async (error: unknown) => {
    // A picture that only lacks its end isn't damaged.
    if (error instanceof DamagedImageError) await planStrip(file, format, rights);
    throw error;
  });
  return { ...found, plan: await planStrip(file, format, rights) };
}

/** JPEG and PNG as most programs write them can be judged by their segments and chunks; a decoder reads only the others. */
async function probeSegments(file: ImageBytes, format: 'jpeg' | 'png', limits: ImageLimits, rights?: KeptRights): Promise<Probed> {
  const plan = await planStrip(file, format, rights);
  const { unshown } = plan;
  if (unshown) {
    const header = await readHeader(file.content, limits).catch((error: unknown) => rethrowUnshown(error, unshown));
    return { ...(await checkHeader(file, format, header, plan.orientation, limits)), plan };
  }
  const png = format === 'png' ? await readPng(file) : undefined;
  const header = png?.header ?? plan.jpeg ?? (await readHeader(file.content, limits));
  return { ...(await checkHeader(file, format, header, plan.orientation, limits)), plan, png };
}

/** A JPEG of a kind that browsers don't show must be converted. @throws UnshownJpegError where no decoder can read it */
export function rethrowUnshown(error: unknown, coding: string): never {
  throw error instanceof DamagedImageError ? new UnshownJpegError(coding, { cause: error }) : error;
}

async function checkHeader(file: ImageBytes, format: WebFormat, header: PictureHeader, orientation: number, limits: ImageLimits) {
  const found = describe(header, orientation, await countHiddenFrames(file, format));
  checkLimits(found, limits);
  if (format === 'gif') checkLimits({ ...found, ...(await readGifCanvas(file)) }, limits);
  requireMemory(decodingBytes(header), limits);
  return { ...found, header };
}

/** Has a decoder read the metadata and decode the first rows of a JPEG with a single scan. */
export function readHeader(input: string | FileContent, limits: ImageLimits): Promise<PictureHeader> {
  return decoders.run('header', { limits }, limits.decodeSeconds, { input });
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

/** The size with the orientation applied, of which those from 5 on turn the picture by a quarter, and the frames that sharp counts or, where it misses them, `hiddenFrames`. */
export function describe(header: PictureHeader, orientation = 1, hiddenFrames = 1): Probe {
  const frames = isAnimation(header) ? (header.pages ?? 1) : hiddenFrames;
  const [width, height] = orientation < 5 ? [header.width, header.height] : [header.height, header.width];
  return { width, height, frames, animated: frames > 1, hasAlpha: header.hasAlpha };
}

/** An upload, and what is stored of it if that is another file: one without metadata. */
interface Outcome {
  readonly file: FileContent;
  readonly stored?: FileContent;
}

/**
 * Tests whether what is stored of a probed image can be decoded, which finds damage that leaves the structure intact (decision 045), and whether it is
 * still the same picture without its metadata (decision 125).
 *
 * A JPEG was tried with its segments, or with its header if it has a single scan. Of a usual PNG, the first rows are inflated. Everything else is decoded and
 * discarded. The frames of an animated WebP are decoded one by one: libvips would hold all of them.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function decodeForTrial(
  { file, stored = file }: Outcome,
  probed: Probed,
  limits: ImageLimits,
  decoding: Decoding,
): Promise<void> {
  const { header, plan, png } = probed;
  if (!plan.isRisky && (plan.jpeg || (header.format === 'jpeg' && !header.isProgressive))) return;
  const pixels = decodingPixels(header, isAnimation(header) ? header.pages : 1);
  if (png && (await decoding(PNG_CHECK_BYTES, () => withBytes(file, (bytes) => hasSoundRows(bytes, png)), pixels))) return;
  const { size, frame } = await withBytes(stored, async (bytes) => ({
    size: bytes.size,
    frame: isAnimation(header) && header.format === 'webp' ? await webpFrameBytes(bytes) : 0,
  }));
  const bytes = size + decodingBytes(header) + frame;
  if (!plan.isRisky || stored === file) {
    return decoding(bytes, () => decoders.run('trial', { header, limits }, limits.decodeSeconds, { input: stored }), pixels);
  }
  const hash = (input: FileContent) => decoders.run('pixels', { header, limits }, limits.decodeSeconds, { input });
  await decoding(
    bytes + header.width * header.height * DECODED_BYTES,
    async () => {
      if ((await hash(stored)) !== (await hash(file))) throw new InseparableImageError();
    },
    2 * pixels,
  );
}

async function withBytes<T>(file: FileContent, use: (bytes: ImageBytes) => Promise<T>): Promise<T> {
  await using bytes = await ImageBytes.open(file);
  return await use(bytes);
}
