import type { ByteRange, ImageBytes } from '../bytes.ts';
import { ImageError } from '../errors.ts';
import { readExifRights } from '../exif.ts';
import { exifRange } from '../heif/exif.ts';
import { readHeifMeta } from '../heif/meta.ts';
import { headSegments } from '../jpeg-segments.ts';
import type { SniffedFormat } from '../types.ts';
import { iptcRights } from './iptc.ts';
import { pngSources } from './png.ts';
import { combined, decodeText, type Rights } from './rights.ts';
import { XMP_PREFIX, xmpRights } from './xmp.ts';

/** Packets in use take a few kilobytes. */
const MAX_PACKET_BYTES = 256 * 1024;

/**
 * Artist and copyright from EXIF, IPTC, XMP and a PNG's texts, in this order. Fields that can't be read are absent: the
 * metadata of a sound picture may be broken.
 */
export async function readRights(file: ImageBytes, format: SniffedFormat): Promise<Rights> {
  try {
    return combined(await sourcesOf(file, format));
  } catch (error) {
    // Whether the picture is sound is checked elsewhere.
    if (error instanceof ImageError) return {};
    throw error;
  }
}

async function sourcesOf(file: ImageBytes, format: SniffedFormat): Promise<Rights[]> {
  switch (format) {
    case 'jpeg':
      return jpegSources(file);
    case 'png':
      return pngSources(file);
    case 'webp':
      return webpSources(file);
    case 'tiff':
      return [await readExifRights(file, { from: 0, to: file.size })];
    case 'avif':
    case 'heic':
    case 'heif':
      return heifSources(file);
    default:
      return [];
  }
}

async function jpegSources(file: ImageBytes): Promise<Rights[]> {
  const [exif, iptc, xmp]: [Rights[], Rights[], Rights[]] = [[], [], []];
  for await (const { marker, from, to } of headSegments(file)) {
    const content = { from: from + 4, to };
    if (marker === 0xe1 && exif.length === 0 && (await startsWith(file, content, 'Exif\0')))
      exif.push(await readExifRights(file, { from: from + 10, to }));
    else if (marker === 0xe1 && (await startsWith(file, content, XMP_PREFIX))) xmp.push(await packetRights(file, content));
    else if (marker === 0xed) iptc.push(iptcRights(await file.copy(content)));
  }
  return [...exif, ...iptc, ...xmp];
}

async function startsWith(file: ImageBytes, { from, to }: ByteRange, word: string): Promise<boolean> {
  return to - from >= word.length && (await file.at(from, word.length)).toString('latin1') === word;
}

async function packetRights(file: ImageBytes, { from, to }: ByteRange): Promise<Rights> {
  return xmpRights(decodeText(await file.copy({ from, to: Math.min(to, from + MAX_PACKET_BYTES) })));
}

async function webpSources(file: ImageBytes): Promise<Rights[]> {
  const [exif, xmp]: [Rights[], Rights[]] = [[], []];
  const end = Math.min(file.size, 8 + (await file.at(4, 4)).readUInt32LE());
  for (let at = 12; at + 8 <= end; ) {
    const head = await file.at(at, 8);
    const type = head.toString('latin1', 0, 4);
    const content = { from: at + 8, to: at + 8 + head.readUInt32LE(4) };
    at = content.to + (content.to % 2);
    if (type === 'XMP ') xmp.push(await packetRights(file, content));
    if (type !== 'EXIF' || exif.length > 0) continue;
    // Some writers put JPEG's prefix before the TIFF structure.
    const isPrefixed = await startsWith(file, content, 'Exif\0\0');
    exif.push(await readExifRights(file, { from: content.from + (isPrefixed ? 6 : 0), to: content.to }));
  }
  return [...exif, ...xmp];
}

async function heifSources(file: ImageBytes): Promise<Rights[]> {
  const meta = await readHeifMeta(file);
  const exif = await exifRange(file, meta);
  const sources = exif ? [await readExifRights(file, exif)] : [];
  for (const item of meta.items.filter(({ type }) => type === 'mime')) {
    const [extent] = meta.extents.get(item.id) ?? [];
    if (extent) sources.push(await packetRights(file, extent));
  }
  return sources;
}
