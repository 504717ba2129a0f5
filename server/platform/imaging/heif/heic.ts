import type { FileContent } from '#server/platform/files/staged-file.ts';
import type { ImageBytes } from '../bytes.ts';
import { isHdr } from '../colour/description.ts';
import type { ForeignColours } from '../colour/icc/colours.ts';
import { decoders } from '../decoders.ts';
import type { Decoding } from '../decoding.ts';
import { checkLimits, DEFAULT_IMAGE_LIMITS } from '../limits.ts';
import { heicBytes, isEncodedFast, MAX_HEIC_THREADS, requireConvertible, requireMemory, tilesBytes } from '../memory.ts';
import { readExif } from '../metadata/exif.ts';
import type { Converted, ConvertOptions, ImageLimits, Size } from '../types.ts';
import { readHeifColours } from './colour.ts';
import { readGrid, type TileGrid } from './grid.ts';
import { type HeifMeta, propertiesOf } from './meta.ts';
import { exifRange } from './metadata.ts';

export interface HeicFacts {
  /** Passed to the decoder, which neither finds nor applies them. */
  readonly colours: ForeignColours;
  readonly orientation: number;
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
export async function convertHeic(
  file: FileContent & { size: number },
  { colours, orientation, pixels, grid }: HeicFacts,
  options: ConvertOptions,
  output: string,
  decoding: Decoding,
): Promise<Converted> {
  const { limits = DEFAULT_IMAGE_LIMITS } = options;
  requireMemory(file.size, limits);
  const to = options.ifTransparent ?? options.to;
  requireConvertible({ to, pixels, bytes: file.size }, limits);
  const picture = { pixels: limits.heicPixels, orientation };
  const convertIt = (isAlone = false) => {
    const job = grid ? { ...picture, grid, threads: isAlone ? MAX_HEIC_THREADS : 1 } : ({ ...picture, kind: 'heic' } as const);
    const conversion = { job, colours, options, limits, fast: options.to === 'jpg' || isEncodedFast(options.to, pixels) };
    return decoders.run('convertForeign', conversion, 2 * limits.decodeSeconds, { input: file, output });
  };
  const isDeep = colours.description !== undefined && isHdr(colours.description);
  const bytes = heicBytes({ fileSize: file.size, pixels, isDeep }, to);
  return decoding(grid ? Math.max(bytes, tilesBytes(file.size, pixels)) : bytes, convertIt, pixels * SLOWNESS);
}

/** Reads the table of contents and rejects bombs before a decoder sees the file. @throws DamagedImageError, ImageTooLargeError */
export async function readHeic(file: ImageBytes, meta: HeifMeta, limits: ImageLimits): Promise<HeicFacts> {
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
  return { colours: await readHeifColours(file, meta), orientation, pixels, ...(grid && { grid }) };
}

/**
 * All sizes that a HEIF file declares: those of its pictures and tiles (`ispe`), and those of the canvases for tiles
 * (`grid`) or overlays (`iovl`). The largest determines the cost of decoding.
 */
async function declaredSizes(file: ImageBytes, meta: HeifMeta): Promise<Size[]> {
  const sizes: Size[] = [];
  for (const { type, body, to } of meta.properties) {
    if (type !== 'ispe' || to - body < 12) continue;
    const box = await file.at(body, 12);
    sizes.push({ width: box.readUInt32BE(4), height: box.readUInt32BE(8) });
  }
  for (const item of meta.items) {
    const [extent] = meta.extents.get(item.id) ?? [];
    // After version and flags: rows and columns of a grid, the background colour of an overlay.
    const before = item.type === 'grid' ? 4 : item.type === 'iovl' ? 10 : undefined;
    if (!extent || before === undefined) continue;
    const isWide = ((await file.at(extent.from, 2)).readUInt8(1) & 1) === 1;
    const size = await file.at(extent.from + before, isWide ? 8 : 4);
    sizes.push(
      isWide
        ? { width: size.readUInt32BE(0), height: size.readUInt32BE(4) }
        : { width: size.readUInt16BE(0), height: size.readUInt16BE(2) },
    );
  }
  return sizes;
}
