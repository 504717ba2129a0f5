import type { FileContent } from '#server/platform/files/staged-file.ts';
import { ImageBytes } from './bytes.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { tryDrawing } from './drawing.ts';
import { InseparableImageError } from './errors.ts';
import type { Drawing, Of, WebPicture } from './inspect.ts';
import { DECODED_BYTES, decodingBytes, decodingPixels, isAnimation } from './memory.ts';
import { planLength } from './metadata/plan.ts';
import type { Rights } from './metadata/rights.ts';
import { isUnchanged, planStrip, writeStripped } from './plan-strip.ts';
import { hasSoundRows, PNG_CHECK_BYTES } from './png/check.ts';
import type { ImageLimits, WebFormat, WriteFile } from './types.ts';
import { webpFrameBytes } from './webp/frames.ts';

type Sized = FileContent & { size: number };

/**
 * What is stored of a picture that keeps its pixels: a copy without metadata, or the file itself where nothing goes. A decoder has tried
 * it, or its structure proves enough. A drawing stays as it is.
 * @param keepsMetadata keeps the file itself in any case
 * @throws DamagedImageError, ImageTooLargeError, InseparableImageError
 */
export async function strip<File extends Sized>(
  found: Of<WebPicture | Drawing, File>,
  { keepsMetadata, limits }: { keepsMetadata: boolean; limits: ImageLimits },
  write: WriteFile<File>,
  decoding: Decoding,
): Promise<File> {
  const { file } = found;
  if (found.kind === 'drawing') {
    await tryDrawing(file, decoding);
    return file;
  }
  const { plan } = found;
  const isKept = keepsMetadata || isUnchanged(plan, file.size);
  const stored = isKept ? file : await write(planLength(plan), (sink) => writeStripped(file, plan, sink));
  await decodeForTrial({ ...found, stored }, limits, decoding);
  return stored;
}

/** A copy of a converted picture with these rights in its EXIF, where `convert` has left room for them. */
export async function writeRights<File>(path: string, format: WebFormat, rights: Rights, write: WriteFile<File>): Promise<File> {
  await using bytes = await ImageBytes.open(path);
  const plan = await planStrip(bytes, format, rights);
  return await write(planLength(plan), (sink) => writeStripped({ path }, plan, sink));
}

/**
 * Tests whether what is stored of a picture can be decoded, which finds damage that leaves the structure intact (decision 045), and whether it is
 * still the same picture without its metadata (decision 125).
 *
 * A JPEG was tried with its segments, or with its header if it has a single scan. Of a usual PNG, the first rows are inflated. Everything else is decoded and
 * discarded. The frames of an animated WebP are decoded one by one: libvips would hold all of them.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function decodeForTrial(
  { file, stored, header, plan, png }: Of<Pick<WebPicture, 'header' | 'plan' | 'png'>, FileContent> & { stored: FileContent },
  limits: ImageLimits,
  decoding: Decoding,
): Promise<void> {
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
