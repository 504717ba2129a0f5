import type { Decoded, LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { loadHeifProgram } from './heif-program.ts';
import type { DecodeJob } from './job.ts';
import { allocateTiff } from './tiff.ts';

/** Pages of 64 KiB: 896 MiB for libheif, which leaves room for the result below a gibibyte. */
const MAX_MEMORY_PAGES = 14_336;

/**
 * Decodes the primary picture of a HEIF file into an uncompressed TIFF. libheif assembles the tiles and applies `irot`,
 * `imir` and `clap`; 10 and 12 bits become 8; the colour profile is passed on unchanged.
 */
export async function decodeHeic(file: Uint8Array, job: DecodeJob): Promise<Uint8Array<ArrayBuffer>> {
  const { libheif, wasRefused } = loadHeifProgram(MAX_MEMORY_PAGES, job.compiled);
  try {
    return await decodePrimary(libheif, file, job);
  } catch (error) {
    if (wasRefused())
      throw new ImageTooLargeError('The picture takes too much memory to decode. Make it smaller and try again.', { cause: error });
    throw error;
  }
}

async function decodePrimary(libheif: LibHeif, file: Uint8Array, job: DecodeJob): Promise<Uint8Array<ArrayBuffer>> {
  const context = libheif.heif_context_alloc();
  check(libheif, libheif.heif_context_read_from_memory(context, file));
  const handle = libheif.heif_js_context_get_primary_image_handle(context);
  check(libheif, handle);
  requirePixels(libheif.heif_image_handle_get_width(handle) * libheif.heif_image_handle_get_height(handle), job);
  const hasAlpha = Boolean(libheif.heif_image_handle_has_alpha_channel(handle));
  const { heif_chroma_interleaved_RGB: rgb, heif_chroma_interleaved_RGBA: rgba } = libheif.heif_chroma;
  const decoded = await libheif.heif_js_decode_image2(handle, libheif.heif_colorspace.heif_colorspace_RGB, hasAlpha ? rgba : rgb);
  check(libheif, decoded);
  return toTiff(libheif, decoded as Decoded, hasAlpha ? 4 : 3, job);
}

/** The header may understate the size, so the pixel count is checked again before the pixels are copied. */
function toTiff(libheif: LibHeif, { channels }: Decoded, perPixel: 3 | 4, job: DecodeJob): Uint8Array<ArrayBuffer> {
  const plane = channels.find(({ id }) => id === libheif.heif_channel.heif_channel_interleaved);
  if (!plane || plane.data.length < plane.stride * (plane.height - 1) + plane.width * perPixel) throw new DamagedImageError();
  const { width, height, stride, data } = plane;
  requirePixels(width * height, job);
  const { icc, orientation } = job;
  const { tiff, pixels } = allocateTiff({ width, height, channels: perPixel, ...(icc && { icc }), ...(orientation && { orientation }) });
  const rowBytes = width * perPixel;
  for (let row = 0; row < height; row++) pixels.set(data.subarray(row * stride, row * stride + rowBytes), row * rowBytes);
  return tiff;
}

function requirePixels(pixels: number, job: DecodeJob): void {
  if (pixels > job.pixels) throw new ImageTooLargeError('The picture has more pixels than its header declares.');
}

/** Results have an error code only when something failed. */
function check(libheif: LibHeif, result: object): void {
  if (!('code' in result) || !result.code || result.code === libheif.heif_error_code.heif_error_Ok) return;
  const message = 'message' in result ? String(result.message) : 'unknown';
  if (result.code === libheif.heif_error_code.heif_error_Memory_allocation_error) throw new ImageTooLargeError(message);
  throw new DamagedImageError(message);
}
