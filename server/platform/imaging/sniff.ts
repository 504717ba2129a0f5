import type { ImageBytes } from './bytes.ts';
import type { SniffedFormat } from './types.ts';

/** The number of leading bytes that `sniff` needs; fewer are fine when the file is shorter. */
const SNIFF_BYTES = 4096;

/**
 * Detects the format from the leading bytes, never from a name or a declared type. The rest may still be damaged.
 * `undefined`: not a known image format.
 */
export function sniff(head: Uint8Array): SniffedFormat | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, SNIFF_BYTES)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (text.startsWith('ftyp', 4)) return sniffBrands(text);
  if (/^(II[*+]\0|MM\0[*+])/.test(text)) return 'tiff';
  if (text.startsWith('BM') && BMP_HEADER_SIZES.has(text.charCodeAt(14)) && text.startsWith('\0\0\0', 15)) return 'bmp';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return text.slice(0, EBML_HEAD_BYTES).includes('\x42\x82\x84webm') ? 'webm' : undefined;
  // As QuickTime began before there were brands.
  if (/^[\s\S]{4}(moov|mdat|wide|free|skip|pnot)/.test(text)) return 'mov';
  return isSvg(text) ? 'svg' : undefined;
}

/** The format of an open file; undefined when it isn't a known image format. */
export async function sniffImage(file: ImageBytes): Promise<SniffedFormat | undefined> {
  return file.size === 0 ? undefined : sniff(await file.some(0));
}

/** Many texts begin with “BM”, so the size of the second header must match, too. */
const BMP_HEADER_SIZES: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

const HEVC_BRANDS: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);

/** The header of a WebM, which names its type, is shorter. */
const EBML_HEAD_BYTES = 128;

/** Major brands of videos: ISO/IEC 14496-12, MPEG-4, 3GPP, and those of cameras. Others, such as raw pictures, are in such a container as well. */
const MP4_BRANDS = /^(iso[\dmc]|mp4[12]|avc1|hvc1|hev1|av01|M4V[ HP]|MSNV|XAVC|dash|msdh|cmf\w|f4v |3g[pres2][\w ]|mmp4|NDSH)/;

/** Brands of ISO/IEC 23008-12: the major brand decides; where it is generic, the first specific compatible brand. */
function sniffBrands(text: string): SniffedFormat | undefined {
  const size = text.charCodeAt(2) * 256 + text.charCodeAt(3);
  const brands = [text.slice(8, 12), ...(text.slice(16, Math.max(16, size)).match(/[\s\S]{4}/g) ?? [])];
  for (const brand of brands) {
    if (brand === 'avif' || brand === 'avis') return 'avif';
    if (HEVC_BRANDS.has(brand)) return 'heic';
  }
  if (brands.some((brand) => brand === 'mif1' || brand === 'msf1' || brand === 'mif2')) return 'heif';
  if (brands[0] === 'qt  ') return 'mov';
  return MP4_BRANDS.test(brands[0] as string) ? 'mp4' : undefined;
}

function isSvg(text: string): boolean {
  const start = text
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
  return /^<svg[\s>:]/i.test(start) || (/^<(\?xml|!--|!doctype\s+svg)/i.test(start) && /<(\w+:)?svg[\s>]/i.test(start));
}
