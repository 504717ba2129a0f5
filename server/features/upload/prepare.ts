import type { Context } from '#server/core/context.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { convertBmp } from '#server/platform/imaging/bmp.ts';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { convert, convertingBytes } from '#server/platform/imaging/convert.ts';
import { HeicUnsupportedError } from '#server/platform/imaging/errors.ts';
import { convertHeic } from '#server/platform/imaging/heic.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { decodeForTrial, type Probed, probe } from '#server/platform/imaging/probe.ts';
import { sniffImage } from '#server/platform/imaging/sniff.ts';
import type { StripPlan } from '#server/platform/imaging/strip/plan.ts';
import { isUnchanged, planLength, writeStripped } from '#server/platform/imaging/strip.ts';
import { probeSvg } from '#server/platform/imaging/svg.ts';
import { readTakenAt, takenAtFrom } from '#server/platform/imaging/taken-at.ts';
import type { ConvertedExt, WebFormat } from '#server/platform/imaging/types.ts';
import type { StagedFile } from '#server/platform/storage/staging.ts';
import { type ForeignFormat, formatOfExt, isStoredAsIs, requireAllowed, type StoredFormat } from './formats.ts';
import { processForeign, processNative } from './processing.ts';

/** A picture as it will be stored. */
export interface PreparedImage {
  file: StagedFile;
  format: StoredFormat;
  /** Size in pixels as people see it. */
  width: number;
  height: number;
  /** When it was taken, by its EXIF data. */
  takenAt: Date | undefined;
}

/** What preparing needs from the service. */
export type ImageTools = Pick<Context, 'staging' | 'decoding' | 'heic'>;

const LIMITS = DEFAULT_IMAGE_LIMITS;

type Use<T> = (image: PreparedImage) => Promise<T>;

/**
 * Checks a received file and makes of it what the storage policy wants; further files that this takes in `tmp/` are
 * removed when `use` is done.
 * @throws PictureError or RequestError when the picture cannot be accepted
 */
export async function withPrepared<T>(
  tools: ImageTools,
  file: StagedFile,
  policy: PolicyRow,
  allowed: readonly string[],
  use: Use<T>,
): Promise<T> {
  const { format, found, takenAt } = await ImageBytes.using(file.path, (bytes) => look(bytes, allowed));
  // A drawing keeps its lines and its text, whatever the policy does to pixels.
  if (format === 'svg') return use({ file, format, ...(await probeSvg(file.path, tools.decoding)), takenAt });
  const encode = (to: ConvertedExt) => withEncoded(tools, file, format, to, policy, (encoded) => use({ ...encoded, takenAt }));
  if (!found) return encode(processForeign(format, policy));
  const processing = processNative(format, found, policy);
  if (processing.kind === 'encode' && fitsMemory(found, processing.to, policy)) return encode(processing.to);
  await decodeForTrial(file.path, found, LIMITS, tools.decoding);
  return withStripped(tools, file, found.plan, policy, (stripped) =>
    use({ file: stripped, format, width: found.width, height: found.height, takenAt }),
  );
}

type Look = { takenAt: Date | undefined } & ({ format: WebFormat; found: Probed } | { format: ForeignFormat | 'svg'; found?: undefined });

/** What can be told before any pixel is decoded. */
async function look(bytes: ImageBytes, allowed: readonly string[]): Promise<Look> {
  const format = requireAllowed(await sniffImage(bytes), allowed);
  if (format === 'svg' || !isStoredAsIs(format)) return { format, takenAt: await readTakenAt(bytes, format) };
  const found = await probe(bytes, format, LIMITS);
  return { format, found, takenAt: await takenAtFrom(bytes, found.plan.exif) };
}

/** What takes too much memory to be encoded is left as it is, like an animation that another format cannot hold. */
function fitsMemory({ header }: Probed, to: ConvertedExt, { max_side }: PolicyRow): boolean {
  return convertingBytes(header, { to, maxSide: max_side }) <= LIMITS.memory;
}

/** Removes metadata without touching pixels; a file that has none is taken as it lies. */
async function withStripped<T>(
  { staging }: ImageTools,
  file: StagedFile,
  plan: StripPlan,
  { keep_metadata }: PolicyRow,
  use: (file: StagedFile) => Promise<T>,
): Promise<T> {
  if (keep_metadata === 1 || isUnchanged(plan, file.size)) return use(file);
  const writer = await staging.create(planLength(plan));
  try {
    await writeStripped(file.path, plan, writer);
    return await use(await writer.finish());
  } finally {
    await writer.discard();
  }
}

/** Decodes and encodes anew: upright, in sRGB, in the policy's size and quality. */
async function withEncoded<T>(
  tools: ImageTools,
  file: StagedFile,
  format: WebFormat | ForeignFormat,
  to: ConvertedExt,
  policy: PolicyRow,
  use: (image: Omit<PreparedImage, 'takenAt'>) => Promise<T>,
): Promise<T> {
  const encode = await encoderOf(tools, format);
  const output = tools.staging.newPath();
  try {
    const options = { to, maxSide: policy.max_side, quality: policy.quality, keepMetadata: policy.keep_metadata === 1 };
    const { width, height } = await encode(file.path, options, output, tools.decoding);
    return await use({ file: await tools.staging.adopt(output), format: formatOfExt(to), width, height });
  } finally {
    await tools.staging.remove(output);
  }
}

type Encoder = typeof convert;

async function encoderOf({ heic }: ImageTools, format: WebFormat | ForeignFormat): Promise<Encoder> {
  if (format === 'bmp') return convertBmp;
  if (format !== 'heic' && format !== 'heif') return convert;
  if (!(await heic.isSupported()))
    throw new HeicUnsupportedError('This server cannot decode HEIC pictures. Export the picture as JPEG and upload that.');
  return (input, options, output, decoding) =>
    convertHeic(input, { ...options, to: options.to === 'webp' ? 'webp' : 'jpg' }, output, decoding);
}
