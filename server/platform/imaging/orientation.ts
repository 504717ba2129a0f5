import { ImageBytes } from './bytes.ts';
import { DamagedImageError } from './errors.ts';
import { headSegments } from './jpeg/segments.ts';
import { readExif } from './metadata/exif.ts';
import { isIntact, pngChunks } from './png/chunks.ts';
import { sniffImage } from './sniff.ts';

const APP1 = 0xe1;
const EXIF_NAME = 'Exif\0';

/**
 * How EXIF turns a picture in browsers, which is how it is turned everywhere: in a JPEG the first one in front of the pixels, in a PNG the same if it is intact, elsewhere none. The
 * properties of an AVIF turn its pixels.
 * @returns undefined for a TIFF, which browsers don't show
 */
export async function orientationOf(picture: Uint8Array): Promise<number | undefined> {
  await using file = await ImageBytes.open(picture);
  const format = await sniffImage(file);
  if (format === 'tiff') return undefined;
  try {
    if (format === 'jpeg') return await inJpeg(file);
    return format === 'png' ? await inPng(file) : 1;
  } catch (error) {
    // The file ends before it.
    if (error instanceof DamagedImageError) return 1;
    throw error;
  }
}

async function inJpeg(file: ImageBytes): Promise<number> {
  for await (const { marker, from, to } of headSegments(file)) {
    const isExif = marker === APP1 && (await file.at(from, Math.min(to - from, 4 + EXIF_NAME.length))).toString('latin1', 4) === EXIF_NAME;
    if (isExif) return (await readExif(file, { from: Math.min(from + 10, to), to })).orientation;
  }
  return 1;
}

async function inPng(file: ImageBytes): Promise<number> {
  for await (const chunk of pngChunks(file)) {
    if (chunk.type === 'IDAT' || chunk.type === 'IEND') break;
    if (chunk.type === 'eXIf' && (await isIntact(file, chunk))) return (await readExif(file, chunk.data)).orientation;
  }
  return 1;
}
