import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { freeBuffer } from '#server/platform/base/free-buffer.ts';
import { readHeifColours, withHeifProfile } from '#server/platform/imaging/heif/colour.ts';
import { orientationOf } from '#server/platform/imaging/orientation.ts';
import { pngChannels, readPngColours, withPngProfile } from '#server/platform/imaging/png/colour.ts';
import { withWebpProfile } from '#server/platform/imaging/webp/colour.ts';
import { ImageBytes } from '../../bytes.ts';
import type { Colours } from '../../colour/description.ts';
import { coloursOf, type ProfileSpace } from '../../colour/icc/colours.ts';
import { inkProfile, profileOf } from '../../colour/profile.ts';
import { DamagedImageError, ImageError, ImageTooLargeError, UnsupportedImageError } from '../../errors.ts';
import { readGifCanvas, readGifFrame } from '../../gif/frames.ts';
import { type HeifMeta, readHeifMeta } from '../../heif/meta.ts';
import { readJpegColours, withJpegProfile } from '../../jpeg/profile.ts';
import { type FirstFrame, hiddenApngFrame } from '../../png/frames.ts';
import { sniffImage } from '../../sniff.ts';
import type { ImageLimits, Size, SniffedFormat } from '../../types.ts';
import { allocateTiff } from '../threads/tiff.ts';
import { sharp } from './sharp.ts';

interface Opening {
  limits: ImageLimits;
  /** Frames of an animation, from the first one; all: -1. */
  pages?: number;
  /** Whether it is a stored picture, whose faults browsers forgive. */
  isStored?: boolean;
}

/** Opens a picture whose pixels are only checked. Their numbers and their order are those in the file, whatever they mean. */
export function openForTrial(picture: Uint8Array, { limits, pages = 1 }: Opening): Promise<Sharp> {
  return withDecodeErrors(async () => sharp(await readable(picture), { ...sharpInput(limits), pages, ignoreIcc: true }));
}

/** A picture that is upright. */
interface Opened {
  readonly image: Sharp;
  /** Whether it lies in the file, so that width and height are exchanged. */
  readonly isTurned: boolean;
}

/**
 * Opens a picture to show it: upright, and the numbers of its pixels become sRGB, whatever they are in the file (decision 163). libvips applies ICC profiles only, so a
 * picture with other colours gets a profile that describes them, in a copy. Takes over the picture's bytes.
 */
export function openPicture(picture: Uint8Array, opening: Opening): Promise<Opened> {
  return withDecodeErrors(async () => {
    const orientation = await orientationOf(picture);
    return upright(await inSrgb(picture, opening), orientation);
  });
}

/** What each orientation asks for: a rotation, then a reflection from left to right. */
const TURNS: Readonly<Record<number, readonly [angle: number, isReflected?: boolean]>> = {
  ...{ 2: [0, true], 3: [180], 4: [180, true] },
  ...{ 5: [90, true], 6: [90], 7: [270, true], 8: [270] },
};

/**
 * Turns a picture as browsers do. libvips turns it, too, but some pictures otherwise: it follows what browsers ignore, and ignores what they follow. What that
 * leaves to do is done afterwards.
 */
async function upright(image: Sharp, orientation: number | undefined): Promise<Opened> {
  const { orientation: found = 1 } = await image.metadata();
  const wanted = orientation ?? found;
  const [[angle, isReflected = false] = [0], [doneAngle, wasReflected = false] = [0]] = [TURNS[wanted], TURNS[found]];
  // sharp reflects before it rotates.
  const left = ((isReflected ? doneAngle - angle : angle - doneAngle) + 360) % 360;
  let turned = image.autoOrient();
  if (left > 0) turned = turned.rotate(left);
  if (isReflected !== wasReflected) turned = turned.flop();
  return { image: turned, isTurned: wanted >= 5 };
}

async function inSrgb(picture: Uint8Array, { limits, pages = 1, isStored = false }: Opening): Promise<Sharp> {
  const source = await readable(picture);
  await using file = await ImageBytes.open(source);
  const format = await sniffImage(file);
  const options = { ...sharpInput(limits), ...(isStored && leniency(format)), pages };
  const metadata = format === 'jpeg' || format === 'gif' ? undefined : await sharp(source, options).metadata();
  if (format === 'tiff' && metadata && isMisread(metadata)) throw new UnsupportedImageError(OTHER_TIFF);
  if (format === 'gif' && pages === 1) return onCanvas(source, file, options);
  const heif = format === 'avif' ? await readHeifMeta(file) : undefined;
  if (heif && isPremultiplied(heif)) return inSrgb(await divided(source, file, heif, options), { limits });
  const frame = format === 'png' ? await hiddenApngFrame(file) : undefined;
  if (frame && metadata) return onPngCanvas(frame, metadata, { limits, isStored });
  const read = { file, format, metadata, heif };
  const colours = await readColours(read);
  if (colours === 'srgb') return sharp(source, { ...options, ignoreIcc: true });
  const described = await withColours(source, read, colours);
  if (described !== source) freeBuffer(source);
  const image = sharp(described, options);
  return metadata ? inFullDepth(image, metadata) : image;
}

/** What is known of a picture. */
interface Read {
  readonly file: ImageBytes;
  readonly format: SniffedFormat | undefined;
  readonly metadata: Metadata | undefined;
  /** Of an AVIF. */
  readonly heif: HeifMeta | undefined;
}

const OTHER_TIFF = 'This TIFF has a compression, a colour space or a depth that isn’t supported. Save it as PNG and try again.';

/** libvips takes numbers with a sign, and integers of 32 bits, for those of 8 bits. In Lab, they have a sign. */
function isMisread({ depth, space }: Metadata): boolean {
  return ['char', 'int', 'uint'].includes(depth) || (depth === 'short' && space !== 'labs');
}

/**
 * libvips converts pixels of 16 bits to Display P3, of which sharp then takes the numbers as they are, unless they are converted again. It doesn't convert those in grey at all, so these
 * become 8 bits first.
 */
function inFullDepth(image: Sharp, { space }: Metadata): Sharp {
  if (space === 'grey16') return image.pipelineColourspace('b-w');
  return space === 'rgb16' ? image.withIccProfile('srgb', { attach: false }) : image;
}

const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 };

/** The first frame of a GIF. Where it doesn't cover the canvas, nothing can be seen, but libvips makes that black unless the frame has transparent pixels itself. */
async function onCanvas(source: Uint8Array, file: ImageBytes, options: SharpOptions): Promise<Sharp> {
  const image = sharp(source, options);
  const [frame, canvas] = [await readGifFrame(file), await readGifCanvas(file)];
  if (!frame || (frame.width >= canvas.width && frame.height >= canvas.height)) return image;
  const { width, height, hasAlpha } = await image.metadata();
  const { left, top } = frame;
  const [right, bottom] = [width - left - frame.width, height - top - frame.height];
  if (hasAlpha || right < 0 || bottom < 0) return image;
  const whole = image.extract(frame).extend({ left, top, right, bottom, background: NOTHING });
  return sharp(await whole.png({ compressionLevel: 0 }).toBuffer(), { limitInputPixels: false });
}

/** The first frame of an animation where it is on the canvas. */
async function onPngCanvas(frame: FirstFrame, canvas: Size, opening: Opening): Promise<Sharp> {
  const { left, top, width, height, picture } = frame;
  const image = await inSrgb(picture, opening);
  const [right, bottom] = [canvas.width - left - width, canvas.height - top - height];
  const whole = image.ensureAlpha().extend({ left, top, right, bottom, background: NOTHING });
  return sharp(await whole.png({ compressionLevel: 0 }).toBuffer(), { limitInputPixels: false });
}

/** Whether the colours of an AVIF are multiplied by its alpha channel, as libvips then leaves them (ISO/IEC 23000-22 §7.3.5.2). */
function isPremultiplied({ primary, references }: HeifMeta): boolean {
  return references.some(({ type, from }) => type === 'prem' && from === primary);
}

/** Such a picture as a TIFF, with its colours divided by its alpha channel, and its profile. */
async function divided(source: Uint8Array, file: ImageBytes, heif: HeifMeta, options: SharpOptions): Promise<Uint8Array> {
  const { description, icc = description && profileOf(description, 3) } = await readHeifColours(file, heif);
  const { data, info } = await sharp(source, { ...options, ignoreIcc: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { tiff, pixels } = allocateTiff({ width: info.width, height: info.height, channels: 4, ...(icc && { icc }) });
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] as number;
    for (let colour = at; colour < at + 3; colour++)
      pixels[colour] = alpha && Math.min(255, Math.round(((data[colour] as number) * 255) / alpha));
    pixels[at + 3] = alpha;
  }
  freeBuffer(data);
  return tiff;
}

/** By libvips' names. */
const SPACES: Readonly<Record<string, ProfileSpace>> = { 'b-w': 'GRAY', grey16: 'GRAY', cmyk: 'CMYK' };

async function readColours({ file, format, metadata, heif }: Read): Promise<Colours> {
  if (format === 'jpeg') return readJpegColours(file).catch(isForgiven);
  if (format === 'png') return readPngColours(file, metadata?.icc);
  if (heif) {
    const { icc, description } = await readHeifColours(file, heif);
    return description ?? (icc ? 'profile' : 'srgb');
  }
  if (!metadata?.icc) return 'srgb';
  const colours = coloursOf(metadata.icc, SPACES[metadata.space] ?? 'RGB ');
  // Nothing else than libvips shows a TIFF.
  return format === 'webp' || typeof colours === 'string' ? colours : 'profile';
}

/** Decoders show what they can of a damaged head. */
function isForgiven(error: unknown): Colours {
  if (error instanceof ImageError) return 'profile';
  throw error;
}

async function withColours(source: Uint8Array, { file, format, heif }: Read, colours: Exclude<Colours, 'srgb'>): Promise<Uint8Array> {
  if (colours === 'profile') return source;
  if (colours === 'ink') return withJpegProfile(source, file, inkProfile());
  if (format === 'png') return withPngProfile(source, file, profileOf(colours, await pngChannels(file)));
  const profile = profileOf(colours, 3);
  if (format === 'jpeg') return withJpegProfile(source, file, profile);
  return heif ? withHeifProfile(source, heif, profile) : withWebpProfile(source, file, profile);
}

/**
 * Options for opening every image. `error` fails on truncated files and decoder errors, but not on warnings: cameras write
 * files full of those.
 */
function sharpInput(limits: ImageLimits): SharpOptions {
  return { failOn: 'error', limitInputPixels: limits.totalPixels, sequentialRead: true };
}

/**
 * Options for stored pictures. libvips gives up on one with faults in its coded pixels, where browsers show what they can. Uploads aren't checked
 * for those (decisions 099, 106).
 */
function leniency(format: SniffedFormat | undefined): SharpOptions {
  return format === 'jpeg' ? { unlimited: true } : format === 'png' ? { failOn: 'none' } : {};
}

/** `ftyp` and the major brand, after the length of their box. */
const BRAND = { from: 4, to: 12 };

/**
 * What sharp opens of a picture. The major brand of an animated AVIF, `avis`, only says that players show its sequence first, but libvips doesn't know it.
 * It reads the still picture that nearly all of these files have as well. Of an AVIF that is cropped (`clap`), browsers show the whole.
 * @throws UnsupportedImageError for an animated AVIF without a still picture
 */
async function readable(picture: Uint8Array): Promise<Uint8Array> {
  await using file = await ImageBytes.open(picture);
  if ((await sniffImage(file)) !== 'avif') return picture;
  const isSequence = (await file.at(BRAND.from, BRAND.to - BRAND.from)).toString('latin1') === 'ftypavis';
  const { primary, properties } = await readHeifMeta(file);
  const crops = properties.filter(({ type }) => type === 'clap');
  if (!isSequence && crops.length === 0) return picture;
  if (isSequence && primary === undefined)
    throw new UnsupportedImageError(
      'This animated AVIF has no still picture, which previews need. Save it as an animated WebP and upload that.',
    );
  const still = await file.copy({ from: 0, to: file.size });
  still.write('ftypavif', BRAND.from, 'latin1');
  for (const { from } of crops) still.write('free', from + 4, 'latin1');
  return still;
}

/** Runs a decoder and translates its errors into faults of the image. Faults of the machine (no memory, disk full) pass through. */
export async function withDecodeErrors<T>(decode: () => Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    throw named(error);
  }
}

function named(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ImageError || 'syscall' in error) return error;
  if (/exceeds pixel limit|dimensions? exceed|too many pixels/i.test(error.message)) {
    return new ImageTooLargeError('The picture has too many pixels. Make it smaller and try again.', { cause: error });
  }
  if (
    /bad labq format|tiff2vips: .*(not configured|not supported|unsupported|whole number of bytes|out of range|not \d+ b)/i.test(
      error.message,
    )
  )
    return new UnsupportedImageError(OTHER_TIFF, { cause: error });
  if (/no space left/i.test(error.message)) return Object.assign(error, { code: 'ENOSPC' }); // the code that the file system uses
  // A damaged image may also end in “unable to write”; for faults of the machine the message includes the system's error.
  if (/out of memory|file is missing|unable to open|(system|windows) error:/i.test(error.message)) return error;
  return new DamagedImageError(undefined, { cause: error });
}
