import { DamagedImageError } from '../../errors.ts';
import { placesOf, type TilePlaces } from '../../heif/grid.ts';
import { type HeifProgram, loadHeifProgram, openPicture, tooMuchMemory } from './heif-program.ts';
import { TILE_CHANNELS, type Tile, type TileJob } from './job.ts';

/** Pages of 64 KiB: 128 MiB, several times what a tile and the file take. */
const MAX_MEMORY_PAGES = 2_048;

/** Decodes the tiles that no other thread has taken, one after the other. @throws where only the whole can be decoded */
export function decodeTiles({ source, grid, taken, compiled }: TileJob, send: (tile: Tile) => void): void {
  const program = loadHeifProgram(MAX_MEMORY_PAGES, compiled);
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
