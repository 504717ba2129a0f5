import { expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { moviePatches } from '#server/platform/imaging/heif/avif-movie.ts';
import { readBoxes } from '#server/platform/imaging/heif/boxes.ts';
import { Ranges } from '#server/platform/imaging/ranges.ts';

const HEAD = 8;

/** A movie of nested tracks with user data in the innermost: each box fills the one around it. */
async function patchesOf(depth: number) {
  const types = ['moov', ...Array<string>(depth - 1).fill('trak'), 'udta'];
  const bytes = Buffer.alloc(types.length * HEAD);
  for (const [index, type] of types.entries()) {
    bytes.writeUInt32BE(bytes.length - index * HEAD, index * HEAD);
    bytes.write(type, index * HEAD + 4, 'latin1');
  }
  await using file = await ImageBytes.open({ path: 'in-memory', bytes });
  const [movie] = await readBoxes(file, 0, file.size);
  if (!movie) throw new Error('there is no movie');
  return moviePatches(file, movie, new Ranges([]));
}

it.each([1, 2, 16, 100_000])('removes user data from boxes that are %i deep, where no player looks for more tracks', async (depth) => {
  expect(await patchesOf(depth)).not.toEqual([]);
});
