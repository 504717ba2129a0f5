import { stat } from 'node:fs/promises';
import type { FormatWith } from '#api/formats.ts';
import { convert } from '#server/platform/imaging/convert.ts';
import type { Decoding } from '#server/platform/imaging/decoding.ts';
import { DamagedImageError } from '#server/platform/imaging/errors.ts';
import { inspect } from '#server/platform/imaging/inspect.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import type { ConvertOptions, SniffedFormat } from '#server/platform/imaging/types.ts';
import { unbounded } from './decoding.ts';

/** What an upload of this format is found to be, whatever its first bytes say. */
export async function inspected<Format extends SniffedFormat>(
  path: string,
  format: Format,
  limits = DEFAULT_IMAGE_LIMITS,
  decoding: Decoding = unbounded,
) {
  const { size } = await stat(path);
  return inspect({ path, size }, { accept: () => format, limits }, refuseIncomplete, decoding);
}

/** An upload that lacks its end is completed. */
const refuseIncomplete = () => Promise.reject(new DamagedImageError());

/** Converts a file of this format as an upload. */
export async function convertFile(
  input: string,
  format: Exclude<SniffedFormat, FormatWith<'drawing' | 'video'>>,
  options: ConvertOptions,
  output: string,
  decoding: Decoding = unbounded,
) {
  return convert(await inspected(input, format, options.limits, decoding), options, output, decoding);
}
