import { ImageBytes } from '../bytes.ts';
import { isHdr } from '../colour/description.ts';
import { readHeifColours } from '../colour/heif.ts';
import type { ForeignColours } from '../colour/icc/colours.ts';
import { decoders } from '../decoders.ts';
import type { Decoding } from '../decoding.ts';
import { DamagedImageError } from '../errors.ts';
import { DEFAULT_IMAGE_LIMITS } from '../limits.ts';
import { heicBytes, isEncodedFast, MAX_HEIC_THREADS, requireConvertible, requireMemory, tilesBytes } from '../memory.ts';
import { readExif } from '../metadata/exif.ts';
import { checkLimits } from '../probe.ts';
import type { Converted, ConvertOptions, ImageLimits } from '../types.ts';
import { readGrid, type TileGrid } from './grid.ts';
import { propertiesOf, readHeifMeta } from './meta.ts';
import { exifRange } from './metadata.ts';
import { declaredSizes } from './sizes.ts';

interface HeicFacts {
  /** Passed to the decoder, which neither finds nor applies them. */
  readonly colours: ForeignColours;
  readonly orientation: number;
  readonly fileSize: number;
  /** Of the largest image in the file. */
  readonly pixels: number;
  /** The tiles of the primary picture, if they can be decoded separately. */
  readonly grid?: TileGrid;
}

/** Decoding a HEIC takes twice as long per pixel as other formats. */
const SLOWNESS = 2;

/**
 * Converts the primary picture of a HEIC or HEIF file, upright and in sRGB.
 *
 * Orientation: libheif applies `irot` and `imir`. EXIF's orientation counts only where the file has neither: Apple's and
 * Android's cameras write both with the same meaning, and applying both would rotate the picture twice; converters such as
 * ImageMagick write EXIF alone.
 *
 * @throws DamagedImageError, ImageTooLargeError
 */
export async function convertHeic(input: string, options: ConvertOptions, output: string, decoding: Decoding): Promise<Converted> {
  const limits = options.limits ?? DEFAULT_IMAGE_LIMITS;
  const { colours, orientation, fileSize, pixels, grid } = await readFacts(input, limits);
  requireMemory(fileSize, limits);
  const to = options.ifTransparent ?? options.to;
  requireConvertible({ to, pixels, bytes: fileSize }, limits);
  const picture = { pixels: limits.heicPixels, orientation };
  const convertIt = (isAlone = false) => {
    const job = grid ? { ...picture, grid, threads: isAlone ? MAX_HEIC_THREADS : 1 } : ({ ...picture, kind: 'heic' } as const);
    const conversion = { job, colours, options, limits, fast: options.to === 'jpg' || isEncodedFast(options.to, pixels) };
    return decoders.run('convertForeign', conversion, 2 * limits.decodeSeconds, { input, output });
  };
  const isDeep = colours.description !== undefined && isHdr(colours.description);
  const bytes = heicBytes({ fileSize, pixels, isDeep }, to);
  return decoding(grid ? Math.max(bytes, tilesBytes(fileSize, pixels)) : bytes, convertIt, pixels * SLOWNESS);
}

/**
 * Tries a tiny picture to find out whether this build decodes HEIC.
 *
 * @throws when no decoder could run the test, which says nothing about the build
 */
export function probeHeic(): Promise<boolean> {
  return decoders.run('decodesHeic', {}, DEFAULT_IMAGE_LIMITS.decodeSeconds);
}

/** Reads the table of contents and rejects bombs before a decoder sees the file. */
async function readFacts(path: string, limits: ImageLimits): Promise<HeicFacts> {
  await using file = await ImageBytes.open(path);
  if (file.size === 0) throw new DamagedImageError('The file is empty.');
  const meta = await readHeifMeta(file);
  let pixels = 0;
  for (const size of await declaredSizes(file, meta)) {
    checkLimits({ ...size, frames: 1 }, { ...limits, pixels: limits.heicPixels });
    pixels = Math.max(pixels, size.width * size.height);
  }
  const own = meta.primary === undefined ? [] : propertiesOf(meta, meta.primary);
  const isTurned = own.some(({ type }) => type === 'irot' || type === 'imir');
  const exif = isTurned ? undefined : await exifRange(file, meta);
  const { orientation } = exif ? await readExif(file, exif) : { orientation: 1 };
  const grid = await readGrid(file, meta);
  return { colours: await readHeifColours(file, meta), orientation, fileSize: file.size, pixels, ...(grid && { grid }) };
}
