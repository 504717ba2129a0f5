import { availableParallelism } from 'node:os';
import { DamagedImageError, ImageTooLargeError } from '../../errors.ts';
import { placesOf, type TileGrid, type TilePlaces } from '../../heif/grid.ts';
import { type DecodeJob, TILE_CHANNELS, type Tile } from './job.ts';
import { type DecodeOptions, decodeInThread, decodeTilesInThread } from './thread.ts';
import { allocateTiff } from './tiff.ts';

/** A picture of tiles, and in how many threads they may be decoded. */
export interface GridJob extends Omit<DecodeJob, 'kind'> {
  readonly grid: TileGrid;
  readonly threads: number;
}

/**
 * Decodes the tiles of a HEIC, in several threads at once, with the same pixels as the whole. What can't be decoded this way is decoded as a whole,
 * such as a picture with alpha.
 * @returns the image as uncompressed TIFF
 * @throws like `decodeInThread`
 */
export async function decodeGrid({ grid, threads, ...picture }: GridJob, options: DecodeOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const tiff = await decodeTiles(picture, grid, { ...options, threads: Math.min(threads, availableParallelism()) });
  return tiff ?? decodeInThread({ ...picture, kind: 'heic' }, options);
}

type Picture = Omit<DecodeJob, 'kind'>;

/** Undefined where the tiles can't be decoded separately. */
async function decodeTiles(
  { source, pixels: maxPixels, icc, orientation }: Picture,
  grid: TileGrid,
  { threads, ...options }: DecodeOptions & { threads: number },
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { width, height, tiles } = placesOf(grid);
  if (width * height > maxPixels) throw new ImageTooLargeError('The picture has more pixels than its header declares.');
  const { tiff, pixels } = allocateTiff({
    ...{ width, height, channels: TILE_CHANNELS },
    ...(icc && { icc }),
    ...(orientation && { orientation }),
  });
  const put = ({ tile, pixels: part }: Tile) => {
    const { to } = tiles[tile] as TilePlaces;
    const rowBytes = to.width * TILE_CHANNELS;
    for (let row = 0; row < to.height; row++)
      pixels.set(part.subarray(row * rowBytes, (row + 1) * rowBytes), ((to.y + row) * width + to.x) * TILE_CHANNELS);
    // The collector would keep it until the process counts as worn.
    part.buffer.transfer(0);
  };
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const decode = async () => {
    try {
      await decodeTilesInThread({ kind: 'tiles', source, grid, taken }, options, put);
    } finally {
      // After a fault, the others take no more. After the last tile, there is none.
      Atomics.store(taken, 0, tiles.length);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: threads }, decode));
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (faults.length === 0) return tiff;
  tiff.buffer.transfer(0);
  const other = faults.find((fault) => !(fault instanceof DamagedImageError || fault instanceof ImageTooLargeError));
  if (other) throw other;
  return undefined;
}
