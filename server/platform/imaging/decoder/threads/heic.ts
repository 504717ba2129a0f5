import type { LibHeif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { placesOf, type TilePlaces } from '../../heif/grid.ts';
import { type HeifProgram, loadHeifProgram, openPicture, tooMuchMemory } from './heif-program.ts';
import { type DecodeJob, TILE_CHANNELS, type Tile, type TileJob } from './job.ts';
import { allocateTiff } from './tiff.ts';

/** Pages of 64 KiB: 896 MiB for libheif, which leaves room for the result below a gibibyte. */
const MAX_MEMORY_PAGES = 14_336;

/**
 * Decodes the primary picture of a HEIF file into an uncompressed TIFF. libheif assembles the tiles and applies `irot`,
 * `imir` and `clap`; 10 and 12 bits become 8, or 16 where the job says so; the colour profile is passed on unchanged. An alpha channel without transparency goes: some programs always write one.
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

/** The numbers of a row, or of some: 8 or 16 bits each. */
type Numbers = Uint8Array | Uint16Array;

function decodePrimary(program: HeifProgram, file: Uint8Array, job: DecodeJob): Uint8Array<ArrayBuffer> {
  const { libheif } = program;
  const { handle, hasAlpha, options, take, planeOf } = openPicture(program, file);
  requirePixels(libheif._heif_image_handle_get_width(handle) * libheif._heif_image_handle_get_height(handle), job);
  const isDeep = job.isDeep === true && libheif._heif_image_handle_get_luma_bits_per_pixel(handle) > 8;
  const { value: rgb } = libheif.heif_colorspace.heif_colorspace_RGB;
  const chroma = chromaOf(libheif, isDeep, hasAlpha);
  const image = take((error, at) => libheif._heif_decode_image(error, handle, at, rgb, chroma, options));
  const { value: channel } = libheif.heif_channel.heif_channel_interleaved;
  const { width, height, stride, bytes } = planeOf(image, channel);
  const bits = libheif._heif_image_get_bits_per_pixel_range(image, channel);
  const channels = hasAlpha ? 4 : 3;
  const rowBytes = width * channels * (isDeep ? 2 : 1);
  if (stride < rowBytes || (isDeep && (bits <= 8 || bits > 16))) throw new DamagedImageError();
  // The header may understate the size.
  requirePixels(width * height, job);
  const { icc, orientation } = job;
  const numbersIn = (part: Uint8Array): Numbers => (isDeep ? new Uint16Array(part.buffer, part.byteOffset, part.length / 2) : part);
  const rowOf = (row: number) => numbersIn(bytes.subarray(row * stride, row * stride + rowBytes));
  const kept = hasAlpha && !isOpaque(height, rowOf, isDeep ? 2 ** bits - 1 : 255) ? 4 : 3;
  const depth = isDeep ? 16 : 8;
  const { tiff, pixels } = allocateTiff({ width, height, channels: kept, depth, ...(icc && { icc }), ...(orientation && { orientation }) });
  const numbers = numbersIn(pixels);
  for (let row = 0; row < height; row++) {
    const line = numbers.subarray(row * width * kept, (row + 1) * width * kept);
    if (kept === channels) line.set(rowOf(row));
    else copyWithoutAlpha(rowOf(row), line);
    if (isDeep) spread(line, bits);
  }
  return tiff;
}

function chromaOf({ heif_chroma }: LibHeif, isDeep: boolean, hasAlpha: boolean): number {
  const { heif_chroma_interleaved_RGB, heif_chroma_interleaved_RGBA } = heif_chroma;
  const { heif_chroma_interleaved_RRGGBB_LE, heif_chroma_interleaved_RRGGBBAA_LE } = heif_chroma;
  if (isDeep) return (hasAlpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE).value;
  return (hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB).value;
}

function isOpaque(height: number, rowOf: (row: number) => Numbers, opaque: number): boolean {
  for (let row = 0; row < height; row++) {
    const line = rowOf(row);
    for (let at = 3; at < line.length; at += 4) if (line[at] !== opaque) return false;
  }
  return true;
}

function copyWithoutAlpha(rgba: Numbers, rgb: Numbers): void {
  for (let from = 0, to = 0; to < rgb.length; from += 4, to += 3) {
    rgb[to] = rgba[from] as number;
    rgb[to + 1] = rgba[from + 1] as number;
    rgb[to + 2] = rgba[from + 2] as number;
  }
}

/** Spreads numbers of some bits over 16, such that white stays white. */
function spread(numbers: Numbers, bits: number): void {
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    numbers[at] = (number << (16 - bits)) | (number >> (2 * bits - 16));
  }
}

function requirePixels(pixels: number, job: DecodeJob): void {
  if (pixels > job.pixels) throw new ImageTooLargeError('The picture has more pixels than its header declares.');
}

/** Pages of 64 KiB: 128 MiB, several times what a tile and the file take. */
const MAX_TILE_MEMORY_PAGES = 2_048;

/** Decodes the tiles that no other thread has taken, one after the other. @throws where only the whole can be decoded */
export function decodeTiles({ source, grid, taken, compiled }: TileJob, send: (tile: Tile) => void): void {
  const program = loadHeifProgram(MAX_TILE_MEMORY_PAGES, compiled);
  try {
    const decode = openTiles(program, source);
    const { tiles } = placesOf(grid);
    for (let tile = Atomics.add(taken, 0, 1); tile < tiles.length; tile = Atomics.add(taken, 0, 1))
      send({ tile, pixels: decode(tiles[tile] as TilePlaces) });
  } catch (error) {
    if (program.wasRefused()) throw tooMuchMemory(error);
    throw error;
  }
}

/** @returns a function that decodes the visible part of a tile */
function openTiles(program: HeifProgram, source: Uint8Array) {
  const { libheif } = program;
  const { handle, hasAlpha, options, take, planeOf } = openPicture(program, source);
  if (hasAlpha) throw new DamagedImageError('Its alpha channel belongs to the whole picture.');
  const { value: rgb } = libheif.heif_colorspace.heif_colorspace_RGB;
  const { value: interleaved } = libheif.heif_chroma.heif_chroma_interleaved_RGB;
  const { value: channel } = libheif.heif_channel.heif_channel_interleaved;

  return ({ cell, size, visible }: TilePlaces): Uint8Array<ArrayBuffer> => {
    const image = take((error, at) =>
      libheif._heif_image_handle_decode_image_tile(error, handle, at, rgb, interleaved, options, cell.x, cell.y),
    );
    const { width, height, stride, bytes } = planeOf(image, channel);
    if (width !== size.width || height !== size.height) throw new DamagedImageError();
    const rowBytes = visible.width * TILE_CHANNELS;
    const pixels = new Uint8Array(rowBytes * visible.height);
    for (let row = 0; row < visible.height; row++) {
      const at = (visible.y + row) * stride + visible.x * TILE_CHANNELS;
      pixels.set(bytes.subarray(at, at + rowBytes), row * rowBytes);
    }
    libheif._heif_image_release(image);
    return pixels;
  };
}
