import type { FormatWith } from '#api/formats.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import { MAX_SVG_MEMORY } from './decoder/threads/job.ts';
import { decoders } from './decoders.ts';
import { type Decoding, UNKNOWN_PIXELS } from './decoding.ts';
import { tryDrawing } from './drawing.ts';
import { type Drawing, inspect, type Of, type WebPicture } from './inspect.ts';
import { DEFAULT_IMAGE_LIMITS, DRAW_SECONDS } from './limits.ts';
import { DECODED_BYTES, decodingBytes, decodingPixels, withFile } from './memory.ts';
import type { Emblem, EmblemOptions, ImageLimits, SniffedFormat, WriteFile } from './types.ts';

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
  sent: Upload,
  formats: readonly EmblemFormat[],
  options: EmblemOptions,
  decoding: Decoding,
): Promise<Emblem & { format: SniffedFormat }> {
  const accept = (format: SniffedFormat | undefined) => {
    const accepted = formats.find((one) => one === format);
    if (accepted) return accepted;
    throw new RequestError('ext_not_allowed', `This file can’t be used here. Supported formats: ${formats.join(', ')}.`, {
      allowed_exts: [...formats],
    });
  };
  const found = await inspect(sent, { accept, limits: LIMITS }, inMemory, decoding);
  const { file, format } = found;
  const { bytes, pixels } = await needsOf(found, decoding);
  const memory = bytes + options.side ** 2 * DECODED_BYTES * 2;
  const seconds = format === 'svg' ? DRAW_SECONDS : LIMITS.decodeSeconds;
  const make = () => decoders.run('emblem', { ...options, format, limits: LIMITS }, seconds, { input: file });
  return { format, ...(await decoding(memory, make, pixels)) };
}

/** An upload for an emblem is small. */
const inMemory: WriteFile<Upload> = async (size, fill) => {
  const parts: Uint8Array[] = [];
  await fill({ write: async (part) => void parts.push(Uint8Array.from(part)) });
  return { path: '', bytes: Buffer.concat(parts), size };
};

async function needsOf(found: Of<Drawing | WebPicture, Upload>, decoding: Decoding) {
  const { file } = found;
  if (found.kind === 'drawing') {
    await tryDrawing(file, decoding);
    return { bytes: file.size + MAX_SVG_MEMORY, pixels: UNKNOWN_PIXELS };
  }
  if (found.animated)
    throw new InvalidRequestError('Animated pictures can’t be used here. Choose a still one.', { field: 'file', problem: 'animated' });
  return { bytes: withFile(found.header, file.size, decodingBytes(found.header)), pixels: decodingPixels(found.header) };
}
