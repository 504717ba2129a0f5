import type { ImageBytes } from '../bytes.ts';
import { DamagedImageError } from '../errors.ts';
import { checkJpeg, type JpegFacts } from './check.ts';
import { headSegments, isFrame, samplesPerPixel, TABLES } from './segments.ts';

/**
 * What the frame of a JPEG says; undefined if it is unusual, so that only a decoder can tell.
 * @throws DamagedImageError if the file ends before it
 */
export async function readJpegFrame(file: ImageBytes): Promise<JpegFacts | undefined> {
  const check = checkJpeg();
  for await (const { marker, from, to } of headSegments(file))
    if (isFrame(marker) || TABLES.has(marker)) check.take(marker, await file.at(from + 4, to - from - 4));
  return check.frame();
}

/**
 * Samples per pixel, from the sampling factors in the frame's header: 3 for 4:4:4, 1.5 for 4:2:0.
 * @throws DamagedImageError without a frame
 */
export async function jpegSamples(file: ImageBytes): Promise<number> {
  for await (const { marker, from, to } of headSegments(file))
    if (isFrame(marker)) return samplesOfFrame(await file.at(from + 4, to - from - 4));
  throw new DamagedImageError();
}

/** After precision, height and width: the number of components, and for each its id, its factors (four bits each) and its table. */
function samplesOfFrame(frame: Buffer): number {
  const components = frame[5] ?? 0;
  if (components === 0 || frame.length < 6 + 3 * components) throw new DamagedImageError();
  const factors = Array.from({ length: components }, (_, i) => frame.readUInt8(7 + 3 * i));
  const samples = samplesPerPixel(factors.map((both) => ({ across: both >> 4, down: both & 15 })));
  if (!Number.isFinite(samples)) throw new DamagedImageError();
  return samples;
}
