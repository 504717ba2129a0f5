import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { placesOf, type TilePlaces } from '../../heif/grid.ts';
import { type HeifProgram, loadHeifProgram } from './heif-program.ts';
import { TILE_CHANNELS, type Tile, type TileJob } from './job.ts';

/** Pages of 64 KiB: 128 MiB, several times what a tile and the file take. */
const MAX_MEMORY_PAGES = 2_048;

/** Three numbers of libheif's errors, then what its functions write. */
const RESULT_BYTES = 16;
const OUTPUT_AT = 12;

/** Decodes the tiles that no other thread has taken, one after the other. @throws where only the whole can be decoded */
export function decodeTiles({ source, grid, taken, compiled }: TileJob, send: (tile: Tile) => void): void {
  const program = loadHeifProgram(MAX_MEMORY_PAGES, compiled);
  try {
    const decode = openTiles(program, source);
    const { tiles } = placesOf(grid);
    for (let tile = Atomics.add(taken, 0, 1); tile < tiles.length; tile = Atomics.add(taken, 0, 1))
      send({ tile, pixels: decode(tiles[tile] as TilePlaces) });
  } catch (error) {
    if (program.wasRefused()) throw new ImageTooLargeError('The tiles take too much memory.', { cause: error });
    throw error;
  }
}

/** @returns a function that decodes the visible part of a tile */
function openTiles({ libheif, memory }: HeifProgram, source: Uint8Array) {
  const result = libheif._malloc(RESULT_BYTES);
  const output = result + OUTPUT_AT;
  const numberAt = (address: number) => new DataView(memory.buffer).getUint32(address, true);
  const check = () => {
    if (numberAt(result) !== 0) throw new DamagedImageError();
  };
  const file = libheif._malloc(source.length);
  new Uint8Array(memory.buffer).set(source, file);
  const context = libheif._heif_context_alloc();
  libheif._heif_context_read_from_memory_without_copy(result, context, file, source.length, 0);
  check();
  libheif._heif_context_get_primary_image_handle(result, context, output);
  check();
  const handle = numberAt(output);
  if (libheif._heif_image_handle_has_alpha_channel(handle)) throw new DamagedImageError('Its alpha channel belongs to the whole picture.');
  const { value: rgb } = libheif.heif_colorspace.heif_colorspace_RGB;
  const { value: interleaved } = libheif.heif_chroma.heif_chroma_interleaved_RGB;
  const { value: channel } = libheif.heif_channel.heif_channel_interleaved;

  return ({ cell, size, visible }: TilePlaces): Uint8Array<ArrayBuffer> => {
    libheif._heif_image_handle_decode_image_tile(result, handle, output, rgb, interleaved, 0, cell.x, cell.y);
    check();
    const image = numberAt(output);
    const isAsDeclared =
      libheif._heif_image_get_width(image, channel) === size.width && libheif._heif_image_get_height(image, channel) === size.height;
    const plane = libheif._heif_image_get_plane_readonly2(image, channel, output);
    if (!isAsDeclared || !plane) throw new DamagedImageError();
    const stride = numberAt(output);
    const rowBytes = visible.width * TILE_CHANNELS;
    const pixels = new Uint8Array(rowBytes * visible.height);
    for (let row = 0; row < visible.height; row++) {
      const at = plane + (visible.y + row) * stride + visible.x * TILE_CHANNELS;
      pixels.set(new Uint8Array(memory.buffer, at, rowBytes), row * rowBytes);
    }
    libheif._heif_image_release(image);
    return pixels;
  };
}
