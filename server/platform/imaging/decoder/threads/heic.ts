import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { type HeifProgram, loadHeifProgram, openPicture, tooMuchMemory } from './heif-program.ts';
import type { DecodeJob } from './job.ts';
import { allocateTiff } from './tiff.ts';

/** Pages of 64 KiB: 896 MiB for libheif, which leaves room for the result below a gibibyte. */
const MAX_MEMORY_PAGES = 14_336;

/**
 * Decodes the primary picture of a HEIF file into an uncompressed TIFF. libheif assembles the tiles and applies `irot`,
 * `imir` and `clap`; 10 and 12 bits become 8; the colour profile is passed on unchanged.
 */
export function decodeHeic(file: Uint8Array, job: DecodeJob): Uint8Array<ArrayBuffer> {
  const program = loadHeifProgram(MAX_MEMORY_PAGES, job.compiled);
  try {
    return decodePrimary(program, file, job);
  } catch (error) {
    if (program.wasRefused()) throw tooMuchMemory(error);
    throw error;
  }
}

function decodePrimary(program: HeifProgram, file: Uint8Array, job: DecodeJob): Uint8Array<ArrayBuffer> {
  const { libheif } = program;
  const { handle, hasAlpha, options, take, planeOf } = openPicture(program, file);
  requirePixels(libheif._heif_image_handle_get_width(handle) * libheif._heif_image_handle_get_height(handle), job);
  const { value: rgb } = libheif.heif_colorspace.heif_colorspace_RGB;
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = libheif.heif_chroma;
  const { value: chroma } = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const image = take((error, at) => libheif._heif_decode_image(error, handle, at, rgb, chroma, options));
  const { width, height, stride, bytes } = planeOf(image, libheif.heif_channel.heif_channel_interleaved.value);
  const channels = hasAlpha ? 4 : 3;
  const rowBytes = width * channels;
  if (stride < rowBytes) throw new DamagedImageError();
  // The header may understate the size.
  requirePixels(width * height, job);
  const { icc, orientation } = job;
  const rowOf = (row: number) => bytes.subarray(row * stride, row * stride + rowBytes);
  const kept = hasAlpha && !isEveryPixelOpaque(height, rowOf) ? 4 : 3;
  const { tiff, pixels } = allocateTiff({ width, height, channels: kept, ...(icc && { icc }), ...(orientation && { orientation }) });
  for (let row = 0; row < height; row++) {
    const line = pixels.subarray(row * width * kept, (row + 1) * width * kept);
    if (kept === channels) line.set(rowOf(row));
    else withoutAlpha(rowOf(row), line);
  }
  return tiff;
}

/** Some programs always write an alpha channel. */
function isEveryPixelOpaque(height: number, rowOf: (row: number) => Uint8Array): boolean {
  for (let row = 0; row < height; row++) {
    const line = rowOf(row);
    for (let at = 3; at < line.length; at += 4) if (line[at] !== 255) return false;
  }
  return true;
}

function withoutAlpha(rgba: Uint8Array, rgb: Uint8Array): void {
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = rgba[from] as number;
    rgb[to + 1] = rgba[from + 1] as number;
    rgb[to + 2] = rgba[from + 2] as number;
  }
}

function requirePixels(pixels: number, job: DecodeJob): void {
  if (pixels > job.pixels) throw new ImageTooLargeError('The picture has more pixels than its header declares.');
}
