import { hasTrait } from '#api/formats.ts';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import { type BmpFacts, readBmp } from './bmp/bmp.ts';
import { ImageBytes } from './bytes.ts';
import { decoders } from './decoders.ts';
import type { Decoding } from './decoding.ts';
import { readSvg } from './drawing.ts';
import { DamagedImageError, ImageError, UnshownJpegError } from './errors.ts';
import { readGifCanvas } from './gif/frames.ts';
import { countSequenceFrames } from './heif/avif.ts';
import { type HeicFacts, readHeic } from './heif/heic.ts';
import { type HeifMeta, readHeifMeta } from './heif/meta.ts';
import { hasAlpha, readHeifMetadata } from './heif/metadata.ts';
import { checkLimits } from './limits.ts';
import { decodingBytes, isAnimation, type PictureHeader, requireMemory } from './memory.ts';
import { type Metadata, NO_METADATA, readExif } from './metadata/exif.ts';
import { type KeptRights, planLength, type StripPlan, UnfinishedImageError } from './metadata/plan.ts';
import { planStrip, writeStripped } from './plan-strip.ts';
import { type PngFacts, readPng } from './png/check.ts';
import { countApngFrames } from './png/frames.ts';
import { sniffImage } from './sniff.ts';
import type { ForeignFormat, ImageLimits, Probe, Size, SniffedFormat, VideoFormat, WebFormat, WriteFile } from './types.ts';

/** What a picture says of itself. */
type Said = Pick<Metadata, 'takenAt' | 'rights'>;

/** A picture that can be served as it is, without its metadata: its structure is sound. */
export interface WebPicture extends Probe, Said {
  readonly kind: 'web';
  readonly format: WebFormat;
  readonly header: PictureHeader;
  /** Its metadata, and how to remove them. */
  readonly plan: StripPlan;
  /** The rest of a PNG that can be checked without decoding it. */
  readonly png?: PngFacts | undefined;
}

/** A picture that must be converted. */
export type ForeignPicture = Said & { readonly kind: 'foreign' } & (
    | { readonly format: 'tiff'; readonly header: PictureHeader }
    | { readonly format: 'bmp'; readonly bmp: BmpFacts }
    | { readonly format: 'heic' | 'heif'; readonly heic: HeicFacts; readonly hasAlpha?: boolean }
  );

/** A drawing, with its size in CSS pixels. */
export interface Drawing extends Size, Said {
  readonly kind: 'drawing';
  readonly format: 'svg';
}

export interface Video extends Said {
  readonly kind: 'video';
  readonly format: VideoFormat;
}

/** What is known of a file before any pixel is decoded. The other doors take it, so that nothing is read twice. */
export type Inspected = WebPicture | ForeignPicture | Drawing | Video;

/** What files of a format are found to be. */
type FoundIn<Format extends SniffedFormat, One extends Inspected = Inspected> = One extends Inspected
  ? Extract<Format, One['format']> extends never
    ? never
    : One
  : never;

/** The facts together with the file that they are of. */
export type Of<Facts, File = FileContent & { size: number }> = Facts & { readonly file: File };

interface InspectOptions<Format extends SniffedFormat> {
  /** Returns the detected format of a file of this size, or throws: it is called before anything else is read. */
  readonly accept: (format: SniffedFormat | undefined, size: number) => Format;
  readonly limits: ImageLimits;
  /** Whether artist and copyright are of interest; otherwise there are none. */
  readonly keepsRights?: boolean;
}

/** A file may lack its end and more. */
const MAX_COMPLETIONS = 3;

/**
 * Detects a file's format, and checks its header and its structure against the limits. The header reveals bombs; a walk through the
 * structure reveals truncation, which libvips forgives where it can guess the last rows. No picture is decoded.
 * @param write writes the whole file where one only lacks its end: whatever happens to it, programs need a whole one
 * @throws ImageError, and what `accept` throws
 */
export async function inspect<Format extends SniffedFormat, File extends FileContent & { size: number }>(
  file: File,
  options: InspectOptions<Format>,
  write: WriteFile<File>,
  decoding: Decoding,
): Promise<Of<FoundIn<Format>, File>> {
  let whole = file;
  for (let completions = 0; ; completions++) {
    try {
      const found = (await decoding.reading(() => inspectOnce(whole, options))) as FoundIn<Format>;
      return { ...found, file: whole };
    } catch (error) {
      if (!(error instanceof UnfinishedImageError) || completions === MAX_COMPLETIONS) throw error;
      const incomplete = whole;
      const plan = { pieces: error.whole };
      whole = await write(planLength(plan), (sink) => writeStripped(incomplete, plan, sink));
    }
  }
}

async function inspectOnce(file: FileContent, { accept, limits, keepsRights = false }: InspectOptions<SniffedFormat>): Promise<Inspected> {
  await using bytes = await ImageBytes.open(file);
  const format = accept(await sniffImage(bytes), bytes.size);
  if (format === 'svg') return { kind: 'drawing', format, rights: {}, ...(await readSvg(bytes)) };
  if (hasTrait(format, 'video')) return { kind: 'video', format, rights: {} };
  if (hasTrait(format, 'shown')) return await inspectPicture(bytes, format, limits, keepsRights ? 'own' : {});
  return await inspectForeign(bytes, format, limits, keepsRights);
}

async function inspectPicture(file: ImageBytes, format: WebFormat, limits: ImageLimits, kept: KeptRights): Promise<WebPicture> {
  const plan = () => planStrip(file, format, kept);
  if (format === 'jpeg' || format === 'png') return inspectSegments(file, format, limits, await plan());
  // Browsers turn them by no EXIF.
  const read = async () => checkHeader(file, format, await readHeader(file.content, limits), limits);
  const found = await read().catch(async (error: unknown) => {
    // A picture that only lacks its end isn't damaged.
    if (error instanceof DamagedImageError) await plan();
    throw error;
  });
  return { ...found, ...planned(await plan()) };
}

/** JPEG and PNG as most programs write them can be judged by their segments and chunks; a decoder reads only the others. */
async function inspectSegments(file: ImageBytes, format: 'jpeg' | 'png', limits: ImageLimits, plan: StripPlan): Promise<WebPicture> {
  const { unshown, orientation } = plan;
  if (unshown) {
    const header = await readHeader(file.content, limits).catch((error: unknown) => rethrowUnshown(error, unshown));
    return { ...(await checkHeader(file, format, header, limits, orientation)), ...planned(plan) };
  }
  const png = format === 'png' ? await readPng(file) : undefined;
  const header = png?.header ?? plan.jpeg ?? (await readHeader(file.content, limits));
  return { ...(await checkHeader(file, format, header, limits, orientation)), ...planned(plan), png };
}

const planned = (plan: StripPlan) => ({ plan, takenAt: plan.takenAt, rights: plan.rights });

/** A JPEG of a kind that browsers don't show must be converted. @throws UnshownJpegError where no decoder can read it */
export function rethrowUnshown(error: unknown, coding: string): never {
  throw error instanceof DamagedImageError ? new UnshownJpegError(coding, { cause: error }) : error;
}

async function checkHeader(file: ImageBytes, format: WebFormat, header: PictureHeader, limits: ImageLimits, orientation?: number) {
  const found = describe(header, orientation, await countHiddenFrames(file, format));
  checkLimits(found, limits);
  if (format === 'gif') checkLimits({ ...found, ...(await readGifCanvas(file)) }, limits);
  requireMemory(decodingBytes(header), limits);
  return { kind: 'web', format, ...found, header } as const;
}

/** Has a decoder read the metadata and decode the first rows of a JPEG with a single scan. */
export function readHeader(input: string | FileContent, limits: ImageLimits): Promise<PictureHeader> {
  return decoders.run('header', { limits }, limits.decodeSeconds, { input });
}

/**
 * The size with the orientation applied, of which those from 5 on turn the picture by a quarter, and the frames that sharp counts or,
 * where it misses them, `hiddenFrames`.
 */
function describe(header: PictureHeader, orientation = 1, hiddenFrames = 1): Probe {
  const frames = isAnimation(header) ? (header.pages ?? 1) : hiddenFrames;
  const [width, height] = orientation < 5 ? [header.width, header.height] : [header.height, header.width];
  return { width, height, frames, animated: frames > 1, hasAlpha: header.hasAlpha };
}

/** Counts the frames of animations in which sharp sees only the first frame: APNG and AVIF sequences. 1 for everything else. */
export async function countHiddenFrames(file: ImageBytes, format: SniffedFormat): Promise<number> {
  if (format === 'png') return countApngFrames(file);
  return format === 'avif' ? countSequenceFrames(file) : 1;
}

async function inspectForeign(file: ImageBytes, format: ForeignFormat, limits: ImageLimits, withRights: boolean): Promise<ForeignPicture> {
  const kind = 'foreign';
  if (format === 'bmp') return { kind, format, ...NO_METADATA, bmp: await readBmp(file, limits) };
  if (format === 'tiff') {
    const header = await readHeader(file.content, limits);
    checkLimits(describe(header), limits);
    return { kind, format, header, ...(await readForeignMetadata(file, format, withRights)) };
  }
  const meta = await readHeifMeta(file);
  return { kind, format, heic: await readHeic(file, meta, limits), ...(await readForeignMetadata(file, format, withRights, meta)) };
}

/**
 * What a picture that is converted says of itself. Nothing where that is damaged: whether the picture is sound is checked elsewhere.
 * @param withRights whether rights are of interest; otherwise there are none
 */
export async function readForeignMetadata(
  file: ImageBytes,
  format: ForeignFormat,
  withRights: boolean,
  known?: HeifMeta,
): Promise<Metadata & { readonly hasAlpha?: boolean }> {
  if (format === 'bmp') return NO_METADATA;
  try {
    if (format !== 'tiff') {
      const meta = known ?? (await readHeifMeta(file));
      return { ...(await readHeifMetadata(file, meta, withRights)), hasAlpha: await hasAlpha(file, meta) };
    }
    const exif = await readExif(file, { from: 0, to: file.size });
    return withRights ? exif : { ...exif, rights: {} };
  } catch (error) {
    if (error instanceof ImageError) return NO_METADATA;
    throw error;
  }
}
