import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { ImageBytes } from '#server/platform/imaging/bytes.ts';
import { probeHeic } from '#server/platform/imaging/convert.ts';
import { decodeHeic } from '#server/platform/imaging/decoder/threads/heic.ts';
import { compiledHeif } from '#server/platform/imaging/decoder/threads/heif-program.ts';
import { decodeInThread, decodesHeic } from '#server/platform/imaging/decoder/threads/thread.ts';
import { DamagedImageError, ImageTooLargeError } from '#server/platform/imaging/errors.ts';
import { moviePatches } from '#server/platform/imaging/heif/avif-movie.ts';
import { readBoxes } from '#server/platform/imaging/heif/boxes.ts';
import { DEFAULT_IMAGE_LIMITS } from '#server/platform/imaging/limits.ts';
import { Ranges } from '#server/platform/imaging/ranges.ts';
import type { ConvertOptions } from '#server/platform/imaging/types.ts';
import { resizedHeif } from '#test/helpers/pictures/bombs.ts';
import { forbidden, unbounded } from '#test/helpers/pictures/decoding.ts';
import { heicGrid, tilesOf } from '#test/helpers/pictures/heic-grid.ts';
import { convertFile } from '#test/helpers/pictures/inspected.ts';
import { averageDifference, patches } from '#test/helpers/pictures/pixels.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const sample = (name: string) => readFile(`test/fixtures/heic/${name}`);

async function converted(file: Buffer, options: ConvertOptions = { to: 'jpg', quality: 95 }, decoding = unbounded): Promise<Buffer> {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'in'), file);
  await convertFile(join(folder, 'in'), 'heic', options, join(folder, 'out'), decoding);
  return readFile(join(folder, 'out'));
}

/** A worker that doesn't decode. */
async function brokenWorker(source: string): Promise<URL> {
  const path = join(temporaryFolder(), 'worker.mjs');
  await writeFile(path, source);
  return pathToFileURL(path);
}

const decoded = (source: Buffer, workerUrl: URL) =>
  decodeInThread({ kind: 'heic', source: new Uint8Array(source), pixels: 50_000_000 }, { workerUrl });

describe('a HEIC picture', () => {
  it.each([
    ['jpg', 'jpeg'],
    ['webp', 'webp'],
  ] as const)('becomes %s and looks the same', async (to, format) => {
    const result = await converted(await sample('arrow.heic'), { to, quality: 95 });
    expect((await sharp(result).metadata()).format).toBe(format);
    expect(await averageDifference(result, await sample('arrow.png'))).toBeLessThan(4);
  });

  it.each([
    // `irot` turns counter-clockwise, sharp clockwise.
    ['arrow-rot1.heic', (png: Sharp) => png.rotate(270)],
    ['arrow-rot2.heic', (png: Sharp) => png.rotate(180)],
    ['arrow-rot3.heic', (png: Sharp) => png.rotate(90)],
  ])('%s is rotated as its file says', async (name, turn) => {
    const expected = await turn(sharp(await sample('arrow.png')))
      .png()
      .toBuffer();
    expect(await averageDifference(await converted(await sample(name)), expected)).toBeLessThan(4);
  });

  it('is mirrored as its file says', async () => {
    const png = await sample('arrow.png');
    const result = await converted(await sample('arrow-mir0.heic'));
    const mirrored = await Promise.all(
      [sharp(png).flop(), sharp(png).flip()].map(async (image) => averageDifference(result, await image.png().toBuffer())),
    );
    expect(Math.min(...mirrored)).toBeLessThan(4);
    expect(await averageDifference(result, png)).toBeGreaterThan(4);
  });

  it('is rotated by EXIF only if the file has no rotation of its own', async () => {
    const plain = await sample('arrow.heic');
    const turned = await converted(withExif(plain, 6));
    const expected = await sharp(await sample('arrow.png'))
      .rotate(90)
      .png()
      .toBuffer();
    expect(await averageDifference(turned, expected)).toBeLessThan(4);
    const both = await converted(withExif(await sample('arrow-rot1.heic'), 8));
    expect(await averageDifference(both, await converted(await sample('arrow-rot1.heic')))).toBeLessThan(1);
  });

  it('with several pictures decodes the primary one', async () => {
    expect(await sharp(await converted(await sample('multi.heic'))).metadata()).toMatchObject({ width: 800, height: 600 });
  });

  it('in Display P3 keeps its colours', async () => {
    const heic = await sample('p3.heic');
    const { icc } = await sharp(heic).metadata();
    expect(icc?.length).toBeGreaterThan(100);
    const kept = await patches(await converted(heic));
    const dropped = await patches(await converted(withoutProfile(heic)));
    const shift = Math.max(...kept.flat().map((value, i) => Math.abs(value - (dropped.flat()[i] ?? 0))));
    expect(shift).toBeGreaterThan(8);
  });

  it('is limited to a maximum side length', async () => {
    expect(await sharp(await converted(await sample('multi.heic'), { to: 'webp', quality: 85, maxSide: 100 })).metadata()).toMatchObject({
      width: 100,
      height: 75,
    });
  });
});

describe('a bad HEIC file', () => {
  it('cut off at any tenth is reported as damaged', async () => {
    for (const [name, step] of [
      ['arrow.heic', 1],
      ['multi.heic', 4],
    ] as const) {
      const file = await sample(name);
      for (let tenth = 0; tenth < 10; tenth += step) {
        await expect(converted(file.subarray(0, Math.floor((file.length * tenth) / 10))), `${name} ${tenth}/10`).rejects.toThrow(
          DamagedImageError,
        );
      }
    }
  });

  it.each(['grid.heic', ...(process.env.PIXDOCK_TEST_SLOW ? ['arrow.heic', 'multi.heic'] : [])])(
    'damaged anywhere is refused, or differs only a little: %s',
    async (name) => {
      const file = await sample(name);
      const intact = pixelsOf(file);
      const from = file.indexOf('mdat') + 4;
      let refused = 0;
      for (let number = 0; number < 64; number++) {
        const damaged = Buffer.from(file);
        damageAt(damaged, from + Math.floor(((file.length - from) * number) / 64), number);
        try {
          expect(differing(pixelsOf(damaged), intact), `damage ${number}`).toBeLessThan(0.2);
        } catch (error) {
          if (!(error instanceof DamagedImageError)) throw error;
          refused++;
        }
      }
      // In a part that isn't the primary picture, or in a bit that changes one block, damage can't be told from a picture.
      expect(refused).toBeGreaterThan(name === 'multi.heic' ? 40 : 58);
    },
  );

  it.each([
    ['a tile is missing', (file: Buffer) => file.fill(0xff, file.length - 918, file.length - 100)],
    ['the last block wasn’t decoded', (file: Buffer) => file.fill(0xff, file.length - 400, file.length - 100)],
  ])('isn’t replaced by one that is partly black: %s', async (_what, damage) => {
    const file = await sample('grid.heic');
    damage(file);
    await expect(converted(file)).rejects.toThrow(DamagedImageError);
  });

  it('that declares more than 50 megapixels is rejected before decoding', async () => {
    const bomb = resizedHeif(await sample('arrow.heic'), 8_000, 8_000);
    await expect(converted(bomb, { to: 'jpg', quality: 85 }, forbidden)).rejects.toThrow(ImageTooLargeError);
  });

  it('that takes too long is given up, with its threads', async () => {
    const large = heicGrid(await tilesOf(await sample('grid.heic')), { columns: 40, rows: 40, side: 64, width: 2_560, height: 2_560 });
    const limits = { ...DEFAULT_IMAGE_LIMITS, decodeSeconds: 0.05 };
    await expect(converted(large, { to: 'jpg', quality: 85, limits })).rejects.toThrow(/too long to decode/);
    expect(await probeHeic()).toBe(true);
  });

  it("that exhausts the decoder's memory is reported as too large, and others still decode", async () => {
    const worker = pathToFileURL(resolve('server/platform/imaging/decoder/threads/worker.ts'));
    const starved = await brokenWorker(
      `WebAssembly.Memory.prototype.grow = () => { throw new RangeError('no more') }; await import(${JSON.stringify(worker.href)});`,
    );
    // An empty box makes the file larger than the decoder's initial memory.
    const padding = Buffer.alloc(24 * 1024 * 1024);
    padding.writeUInt32BE(padding.length);
    padding.write('free', 4, 'latin1');
    const large = Buffer.concat([await sample('arrow.heic'), padding]);
    await expect(decoded(large, starved)).rejects.toThrow(ImageTooLargeError);
    expect(await averageDifference(await converted(large), await sample('arrow.png'))).toBeLessThan(4);
  });

  it("stays within the memory limit and doesn't affect others", async () => {
    const hungry = await brokenWorker('const all = []; for (;;) all.push(new Array(1e6).fill({}));');
    await expect(decoded(await sample('arrow.heic'), hungry)).rejects.toThrow(ImageTooLargeError);
    expect(await probeHeic()).toBe(true);
  });
});

describe('the probe at start', () => {
  it('succeeds when the decoder works', async () => {
    expect(await probeHeic()).toBe(true);
  });

  it('fails when the decoder is missing or broken', async () => {
    expect(await decodesHeic({ workerUrl: new URL('file:///missing/worker.mjs') })).toBe(false);
    expect(await decodesHeic({ workerUrl: await brokenWorker('throw new Error("broken")') })).toBe(false);
    expect(await decodesHeic({ workerUrl: await brokenWorker('process.exit(1)') })).toBe(false);
  });
});

/** Decodes without another thread. */
const pixelsOf = (file: Buffer) =>
  decodeHeic(file, { kind: 'heic', source: new Uint8Array(), pixels: 50_000_000, compiled: compiledHeif() });

/** Flips a bit, or replaces some bytes by zeros or others. */
function damageAt(file: Buffer, at: number, number: number) {
  if (number % 4 === 0) file[at] = (file[at] ?? 0) ^ (1 << (number % 8));
  else if (number % 4 === 1) file.fill(0, at, Math.min(file.length, at + 200));
  else for (let i = 0; i < 64 && at + i < file.length; i++) file[at + i] = (number * 7_919 + i * 104_729) % 251;
}

/** The part of bytes that differ. */
function differing(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return 1;
  return one.reduce((sum, byte, at) => sum + (byte === other[at] ? 0 : 1), 0) / one.length;
}

/** Hides the colour profile by renaming its property. */
function withoutProfile(heic: Buffer): Buffer {
  const file = Buffer.from(heic);
  file.write('free', file.indexOf('colrprof'), 'latin1');
  return file;
}

/** Adds an EXIF item: an entry in `iinf`, a location in `iloc`, and its bytes at the end of the file. */
function withExif(heic: Buffer, orientation: number): Buffer {
  const id = 99;
  const tiff = Buffer.from('0000000049492a00080000000100120103000100000000000000 00000000'.replaceAll(' ', ''), 'hex');
  tiff.writeUInt16LE(orientation, 22);
  const entry = Buffer.concat([
    Buffer.from([0, 0, 0, 21]),
    Buffer.from('infe\x02\0\0\0', 'latin1'),
    Buffer.from([0, id, 0, 0]),
    Buffer.from('Exif\0', 'latin1'),
  ]);
  const grown = insertInto(heic, 'iinf', entry);
  const location = locationEntry(grown, id, tiff.length);
  const file = Buffer.concat([insertInto(grown, 'iloc', location), tiff]);
  return shiftLocations(file, id, entry.length + location.length, file.length - tiff.length);
}

/** Appends to a box inside `meta` and adjusts the lengths and the count. */
function insertInto(file: Buffer, type: string, bytes: Buffer): Buffer {
  const at = file.indexOf(type) - 4;
  const meta = file.indexOf('meta') - 4;
  const end = at + file.readUInt32BE(at);
  const grown = Buffer.concat([file.subarray(0, end), bytes, file.subarray(end)]);
  grown.writeUInt32BE(file.readUInt32BE(at) + bytes.length, at);
  grown.writeUInt32BE(file.readUInt32BE(meta) + bytes.length, meta);
  const count = at + (type === 'iinf' ? 12 : 14);
  grown.writeUInt16BE(file.readUInt16BE(count) + 1, count);
  return grown;
}

/** The field sizes in `iloc` determine the layout of an entry. */
function locationShape(file: Buffer) {
  const at = file.indexOf('iloc') + 4;
  const version = file.readUInt8(at);
  const sizes = file.readUInt16BE(at + 4);
  return { at, version, offset: sizes >> 12, length: (sizes >> 8) & 15, base: (sizes >> 4) & 15 };
}

function locationEntry(file: Buffer, id: number, length: number): Buffer {
  const shape = locationShape(file);
  const field = (bytes: number, value: number) => {
    const buffer = Buffer.alloc(bytes);
    if (bytes > 0) buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const method = shape.version > 0 ? field(2, 0) : Buffer.alloc(0);
  return Buffer.concat([
    field(2, id),
    method,
    field(2, 0),
    field(shape.base, 0),
    field(2, 1),
    field(shape.offset, 0),
    field(shape.length, length),
  ]);
}

function shiftLocations(file: Buffer, id: number, shift: number, exifAt: number): Buffer {
  const shape = locationShape(file);
  let at = shape.at + 8;
  for (let left = file.readUInt16BE(shape.at + 6); left > 0; left--) {
    const item = file.readUInt16BE(at);
    const inFile = shape.version === 0 || (file.readUInt16BE(at + 2) & 15) === 0;
    at += (shape.version > 0 ? 4 : 2) + 2;
    const base = shape.base > 0 ? file.readUIntBE(at, shape.base) : 0;
    if (base > 0 && inFile) file.writeUIntBE(base + shift, at, shape.base);
    at += shape.base;
    const extents = file.readUInt16BE(at);
    at += 2;
    for (let i = 0; i < extents; i++, at += shape.offset + shape.length) {
      if (item === id) file.writeUIntBE(exifAt, at, shape.offset);
      else if (base === 0 && inFile) file.writeUIntBE(file.readUIntBE(at, shape.offset) + shift, at, shape.offset);
    }
  }
  return file;
}

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
