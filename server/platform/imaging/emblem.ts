import type { FormatWith } from '#api/formats.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import { type FileContent, onDisk } from '#server/platform/files/staged-file.ts';
import { ImageBytes } from './bytes.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS, DRAW_SECONDS } from './limits.ts';
import { DECODED_BYTES, decodingBytes, decodingPixels, withFile } from './memory.ts';
import type { StripPlan } from './metadata/plan.ts';
import { readWhole, writeStripped } from './metadata/strip.ts';
import { probe } from './probe.ts';
import { sniffImage } from './sniff.ts';
import { probeSvg } from './svg.ts';
import type { Emblem, EmblemOptions, ImageLimits, SniffedFormat } from './types.ts';

// An emblem is a small picture that stands for a site (its logo) or for a user (an avatar). It is made from an upload and never shown as uploaded,
// except for drawings.

type EmblemFormat = FormatWith<'avatar' | 'logo'>;
type Upload = FileContent & { size: number };

/** What is made from an upload has a few hundred pixels a side. */
const LIMITS: ImageLimits = { ...DEFAULT_IMAGE_LIMITS, pixels: 50_000_000, side: 10_000 };

/**
 * Makes an emblem from an upload.
 * @throws ImageError for a fault of the picture; RequestError `ext_not_allowed` for another format, `invalid_request` for an animation
 */
export async function makeEmblem(
  file: Upload,
  formats: readonly EmblemFormat[],
  options: EmblemOptions,
  decoding: Decoding,
): Promise<Emblem & { format: SniffedFormat }> {
  const { file: input, found } = await readWhole(file, (sent) => inspect(sent, formats, decoding), inMemory);
  const { format, bytes, pixels } = found;
  const memory = bytes + options.side ** 2 * DECODED_BYTES * 2;
  const seconds = format === 'svg' ? DRAW_SECONDS : LIMITS.decodeSeconds;
  const make = () => decoders.run('emblem', { ...options, format, limits: LIMITS }, seconds, { input });
  return { format, ...(await decoding(memory, make, pixels)) };
}

/** An upload for an emblem is small. */
async function inMemory(file: Upload, plan: Pick<StripPlan, 'pieces'>): Promise<Upload> {
  const parts: Uint8Array[] = [];
  await writeStripped(file, plan, { write: async (part) => void parts.push(Uint8Array.from(part)) });
  const bytes = Buffer.concat(parts);
  return { path: `${file.path}-whole`, bytes, size: bytes.length };
}

async function inspect(file: Upload, formats: readonly EmblemFormat[], decoding: Decoding) {
  const sniffed = await decoding.reading(async () => {
    await using bytes = await ImageBytes.open(file);
    return sniffImage(bytes);
  });
  const format = formats.find((accepted) => accepted === sniffed);
  if (!format) throw otherFormat(formats);
  if (format === 'svg') {
    await probeSvg(await onDisk(file), decoding);
    return { format, bytes: file.size + MAX_SVG_MEMORY, pixels: UNKNOWN_PIXELS };
  }
  const { header, animated } = await decoding.reading(async () => {
    await using bytes = await ImageBytes.open(file);
    return probe(bytes, format, LIMITS);
  });
  if (animated)
    throw new InvalidRequestError('Animated pictures can’t be used here. Choose a still one.', { field: 'file', problem: 'animated' });
  return { format, bytes: withFile(header, file.size, decodingBytes(header)), pixels: decodingPixels(header) };
}

const otherFormat = (formats: readonly EmblemFormat[]) =>
  new RequestError('ext_not_allowed', `This file can’t be used here. Supported formats: ${formats.join(', ')}.`, {
    allowed_exts: [...formats],
  });
