import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { decodeGrid } from '#server/platform/imaging/decoder/threads/grid.ts';
import { decodeInThread } from '#server/platform/imaging/decoder/threads/thread.ts';
import { ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { placesOf, readGrid, type TileGrid } from '#server/platform/imaging/heif/grid.ts';
import { readHeifMeta } from '#server/platform/imaging/heif/meta.ts';
import { type Grid, heicGrid, mirror, type Tiles, tilesOf, turn } from '#test/helpers/pictures/heic-grid.ts';
import { longs, shorts } from '#test/helpers/pictures/heif-layouts.ts';
import { isoBox } from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

/** Six different tiles; the picture ends within those of the last column and row. */
const GRID = { columns: 3, rows: 2, side: 64, width: 166, height: 106 };
const PIXELS = 50_000_000;

let tiles: Tiles;
beforeAll(async () => {
  tiles = await tilesOf(await readFile('test/fixtures/heic/grid.heic'));
});

/** A worker that decodes nothing but tiles. */
async function onlyTiles(): Promise<URL> {
  const worker = pathToFileURL(resolve('server/platform/imaging/decoder/threads/worker.ts'));
  const path = join(temporaryFolder(), 'worker.mjs');
  await writeFile(
    path,
    `import { workerData } from 'node:worker_threads'; if (workerData.kind !== 'tiles') throw new Error('as a whole'); await import('${worker.href}');`,
  );
  return pathToFileURL(path);
}

const picture = (changes: Partial<Grid> = {}) => heicGrid(tiles, { ...GRID, ...changes });

async function gridOf(file: Buffer): Promise<TileGrid | undefined> {
  await using bytes = await ImageBytes.open(file);
  return readGrid(bytes, await readHeifMeta(bytes));
}

const source = (file: Buffer) => new Uint8Array(file);
const whole = (file: Buffer) => decodeInThread({ kind: 'heic', source: source(file), pixels: PIXELS });

/** Decodes the tiles in two threads, even on one core. */
async function byTiles(file: Buffer, workerUrl?: URL): Promise<Buffer> {
  const grid = await gridOf(file);
  if (!grid) throw new Error('It has no tiles that can be decoded separately.');
  return Buffer.from(await decodeGrid({ source: source(file), pixels: PIXELS, grid, threads: 2 }, workerUrl && { workerUrl }));
}

const codes = (matrix: number) => isoBox('colr', Buffer.from('nclx'), shorts(1, 13, matrix), Buffer.of(0x80));

describe('a HEIC that consists of tiles', () => {
  it.each([
    ['as it is', []],
    ['turned once', [turn(1)]],
    ['turned twice', [turn(2)]],
    ['turned three times', [turn(3)]],
    ['mirrored upside down', [mirror(0)]],
    ['mirrored left to right', [mirror(1)]],
    ['turned, then mirrored', [turn(1), mirror(1)]],
    ['mirrored, then turned', [mirror(0), turn(3)]],
    ['with colours by codes', [codes(1)]],
  ])('has the same pixels by tiles as by the whole: %s', async (_what, own) => {
    const file = picture({ own });
    expect((await byTiles(file, await onlyTiles())).equals(await whole(file))).toBe(true);
  });

  it.each([
    ['one row', { rows: 1, height: 64 }],
    ['one column', { columns: 1, width: 50 }],
    ['nothing cut off', { width: 192, height: 128 }],
  ])('has the same pixels with %s', async (_what, changes: Partial<Grid>) => {
    const file = picture(changes);
    expect((await byTiles(file, await onlyTiles())).equals(await whole(file))).toBe(true);
  });

  it('keeps its colour profile and the orientation that is still to be applied', async () => {
    const file = picture();
    const job = { pixels: PIXELS, icc: Buffer.from('profile'), orientation: 6 };
    const grid = (await gridOf(file)) as TileGrid;
    const expected = await decodeInThread({ ...job, kind: 'heic', source: source(file) });
    const tiff = await decodeGrid({ ...job, source: source(file), grid, threads: 1 });
    expect(Buffer.from(tiff).equals(expected)).toBe(true);
  });

  it.each([
    ['alpha', () => picture({ hasAlpha: true })],
    ['a tile that can’t be decoded', () => withDamage(picture(), 918)],
    ['a tile whose end is damaged', () => withDamage(picture(), 400)],
    ['tiles of another size than declared', () => heicGrid(tiles, { ...GRID, side: 62 })],
  ])('is decoded as a whole with %s', async (_what, make) => {
    const file = make();
    await expect(byTiles(file, await onlyTiles())).rejects.toThrow('as a whole');
    const outcome = (decoded: Promise<Uint8Array>) =>
      decoded.then(
        (bytes) => hash('sha256', bytes),
        (error: Error) => error.message,
      );
    expect(await outcome(byTiles(file))).toBe(await outcome(whole(file)));
  });

  it('is rejected before its pixels take memory when it has too many', async () => {
    const file = picture();
    const grid = (await gridOf(file)) as TileGrid;
    const decoded = decodeGrid({ source: source(file), pixels: 10_000, grid, threads: 2 });
    await expect(decoded).rejects.toThrow(ImageTooLargeError);
  });
});

describe('tiles are decoded separately', () => {
  const clap = isoBox('clap', longs(160, 1, 100, 1, 0, 1, 0, 1));

  it.each([
    ['a single picture', () => readFile('test/fixtures/heic/arrow.heic')],
    ['a crop', () => picture({ own: [clap] })],
    ['tiles that are turned', () => picture({ ofTiles: [turn(1)] })],
    ['colours by codes of the tiles alone', () => picture({ ofTiles: [codes(1)] })],
    ['an odd width', () => picture({ width: 165 })],
    ['a column outside', () => picture({ columns: 4, width: 166 })],
    ['a part without tiles', () => picture({ width: 200 })],
    ['10 bits', () => heicGrid({ ...tiles, hvcC: changed(tiles.hvcC, 25, 2) }, GRID)],
    ['all colours', () => heicGrid({ ...tiles, hvcC: changed(tiles.hvcC, 24, 3) }, GRID)],
  ])('but not those of %s', async (_what, make) => {
    expect(await gridOf(await make())).toBeUndefined();
  });

  it('where each of them ends up once the picture is upright', async () => {
    const grid = (await gridOf(picture({ own: [turn(1)] }))) as TileGrid;
    const { width, height, tiles: places } = placesOf(grid);
    expect([width, height]).toEqual([106, 166]);
    // The last column is cut off to 38 pixels and becomes the first row.
    expect(places[2]).toEqual({
      cell: { x: 0, y: 0, width: 1, height: 1 },
      size: { x: 0, y: 0, width: 64, height: 64 },
      visible: { x: 0, y: 26, width: 64, height: 38 },
      to: { x: 0, y: 0, width: 64, height: 38 },
    });
  });
});

/** Overwrites a part of the last tile. */
function withDamage(file: Buffer, before: number): Buffer {
  const damaged = Buffer.from(file);
  damaged.fill(0xff, damaged.length - before, damaged.length - 100);
  return damaged;
}

/** Adds to a byte. */
function changed(box: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(box);
  copy.writeUInt8((copy.readUInt8(at) & 0xf8) | value, at);
  return copy;
}
