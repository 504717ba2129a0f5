import type { Sharp } from 'sharp';
import type { Decoding } from './decoding.ts';
import { DEFAULT_IMAGE_LIMITS } from './limits.ts';
import { animationBytes, decodingBytes, decodingPixels, encodingBytes, type Header, requireMemory } from './memory.ts';
import { checkLimits, describe, isAnimation, readHeader } from './probe.ts';
import type { Rights } from './rights/rights.ts';
import { loadSharp } from './sharp.ts';
import { sharpInput, withDecodeErrors } from './sharp-input.ts';
import type { ConvertedExt, ImageLimits } from './types.ts';

export interface ConvertOptions {
  readonly to: ConvertedExt;
  /** Longer side in pixels at most; a smaller picture keeps its size. */
  readonly maxSide?: number;
  /** 1–100 for lossy formats; default 85. */
  readonly quality?: number;
  /** Keeps EXIF and XMP; the orientation is applied, so its tag goes. */
  readonly keepMetadata?: boolean;
  /** Leaves room for them in an EXIF, unless all metadata is kept. `planStrip` writes them there; a GIF has no EXIF. */
  readonly rights?: Rights;
  readonly limits?: ImageLimits;
}

export interface Converted {
  readonly width: number;
  /** Of one frame. */
  readonly height: number;
  /** Bytes written. */
  readonly size: number;
}

const DEFAULT_QUALITY = 85;

/** Formats that hold an animation; converting to another keeps the first frame. */
const ANIMATED: ReadonlySet<ConvertedExt> = new Set(['gif', 'webp']);

/**
 * Converts the image in `input` (any format that sharp reads), upright and in sRGB, into the file `output`.
 * JPEG flattens transparency onto white. GIF and WebP animations stay animated in GIF and WebP.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function convert(input: string, options: ConvertOptions, output: string, decoding: Decoding): Promise<Converted> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const header = await decoding.reading(() => readHeader(input, limits));
  checkLimits(describe(header), limits);
  const bytes = convertingBytes(header, options);
  requireMemory(bytes, limits);
  const sharp = await loadSharp();
  const image = sharp(input, { ...sharpInput(limits), pages: staysAnimated(header, options) ? -1 : 1 }).autoOrient();
  const pixels = decodingPixels(header, staysAnimated(header, options) ? header.pages : 1);
  return decoding(bytes, () => write(image, options, limits, output), pixels);
}

/** The same for an image that a decoder worker has decoded into a TIFF in memory. */
export async function convertTiff(tiff: Uint8Array, options: ConvertOptions, output: string): Promise<Converted> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const sharp = await loadSharp();
  return write(sharp(tiff, sharpInput(limits)).autoOrient(), options, limits, output);
}

/** Peak memory of `convert`, in bytes. */
export function convertingBytes(header: Header, options: Pick<ConvertOptions, 'to' | 'maxSide'>): number {
  const { width, height, pages = 1 } = header;
  const scale = options.maxSide ? Math.min(1, options.maxSide / Math.max(width, height)) : 1;
  const isAnimated = staysAnimated(header, options);
  const frames = isAnimated ? pages : 1;
  return (isAnimated ? animationBytes(header) : decodingBytes(header)) + encodingBytes(options.to, width * height * scale ** 2 * frames);
}

async function write(image: Sharp, options: ConvertOptions, limits: ImageLimits, output: string): Promise<Converted> {
  const encoded = encode(image, options).timeout({ seconds: limits.decodeSeconds });
  const info = await withDecodeErrors(() => encoded.toFile(output));
  return { width: info.width, height: info.pageHeight ?? info.height, size: info.size };
}

function staysAnimated(header: Header, { to }: Pick<ConvertOptions, 'to'>): boolean {
  return ANIMATED.has(to) && isAnimation(header);
}

/** Scales and encodes an image that is already upright. */
function encode(image: Sharp, { to, maxSide, quality = DEFAULT_QUALITY, keepMetadata, rights = {} }: ConvertOptions): Sharp {
  let result = maxSide ? image.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }) : image;
  if (keepMetadata) result = result.keepExif().keepXmp();
  else if (rights.artist || rights.copyright) result = result.withExif({ IFD0: placeholders(rights) });
  switch (to) {
    case 'jpg':
      return result.flatten({ background: 'white' }).jpeg({ quality });
    case 'png':
      return result.png();
    case 'webp':
      return result.webp({ quality });
    case 'gif':
      return result.gif();
    case 'avif':
      return result.avif({ quality });
  }
}

/** libvips writes ASCII only, so here are as many letters as the rights have bytes in UTF-8. */
function placeholders({ artist, copyright }: Rights): Record<string, string> {
  const letters = (text: string) => 'x'.repeat(Buffer.byteLength(text));
  return { ...(artist && { Artist: letters(artist) }), ...(copyright && { Copyright: letters(copyright) }) };
}
