import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { type Layout, layOut } from '#test/helpers/pictures/heif-layouts.ts';
import { animatedWebp, avif, pixels } from '#test/helpers/pictures/images.ts';
import { privateWebp, SECRET, webpChunk } from '#test/helpers/pictures/private-metadata.ts';
import { pick, type Random, random, shuffled } from '#test/helpers/random.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** The fixed part of a frame. */
const FRAME_HEADER = 16;

/**
 * Writes the chunks of a WebP again: with others in any place, also within frames, with metadata in front of the pixels or twice, with the colour
 * profile at the end, or in the simple format.
 */
function reorderWebp(base: Buffer, random: Random): { file: Buffer; what: string } {
  let chunks = chunksOf(base.subarray(12)).map((chunk) => (chunk.type === 'ANMF' && random(2) === 0 ? withMore(chunk, random) : chunk));
  const oddity = pick(random, ['none', 'none', 'none', 'none', 'late profile', 'no header', 'late header'] as const);
  if (oddity === 'late profile')
    chunks = [...chunks.filter(({ type }) => type !== 'ICCP'), ...chunks.filter(({ type }) => type === 'ICCP')];
  if (oddity === 'no header') chunks = chunks.filter(({ type }) => type !== 'VP8X');
  if (oddity === 'late header') chunks = [...chunks.slice(1, 2), ...chunks.slice(0, 1), ...chunks.slice(2)];
  for (let count = random(4); count > 0; count--) {
    const at = random(chunks.length + 1);
    chunks = [...chunks.slice(0, at), extra(random), ...chunks.slice(at)];
  }
  return { file: riff(chunks), what: `${oddity}: ${chunks.map(({ type }) => type).join(' ')}` };
}

function riff(chunks: readonly Chunk[]): Buffer {
  const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), ...chunks.map(({ type, data }) => webpChunk(type, data))]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

function chunksOf(part: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= part.length; ) {
    const end = at + 8 + part.readUInt32LE(at + 4);
    chunks.push({ type: part.toString('latin1', at, at + 4), data: part.subarray(at + 8, end) });
    at = end + (end % 2);
  }
  return chunks;
}

function extra(random: Random): Chunk {
  const type = pick(random, random(6) === 0 ? ['ICCP', 'ALPH'] : ['EXIF', 'XMP ', 'prVt']);
  return { type, data: Buffer.from(SECRET + 'x'.repeat(random(2))) };
}

function withMore({ type, data }: Chunk, random: Random): Chunk {
  const inner = chunksOf(data.subarray(FRAME_HEADER));
  const at = random(inner.length + 1);
  const all = [...inner.slice(0, at), extra(random), ...inner.slice(at)];
  return { type, data: Buffer.concat([data.subarray(0, FRAME_HEADER), ...all.map((chunk) => webpChunk(chunk.type, chunk.data))]) };
}

const [WIDTH, ROWS, STRIPS] = [24, 4, 5];
const [SHORT, LONG, UNDEFINED] = [3, 4, 7];

/** A TIFF without compression whose strips share bytes, and whose metadata point to strips or elsewhere, with the orientation at last. */
function layOutTiff(random: Random): { file: Buffer; what: string } {
  const picture = pixels({ width: WIDTH, height: ROWS * STRIPS });
  const length = 3 * WIDTH * ROWS;
  // A strip may begin within another.
  const offsets = Array.from({ length: STRIPS }, () => 8 + pick(random, [0, 1, 2, 3, 4, 1.5]) * length);
  const metadata = shuffled([700, 33723, 34377, 34665, 34853], random)
    .slice(0, random(4))
    .sort((a, b) => a - b);
  const pointer = () => pick(random, [...offsets, 8 + picture.length]);
  const values = 8 + picture.length + 16;
  const entries: [number, number, number, number][] = [
    [256, LONG, 1, WIDTH],
    [257, LONG, 1, ROWS * STRIPS],
    [258, SHORT, 3, values],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, 2],
    [273, LONG, STRIPS, values + 8],
    [274, SHORT, 1, 1 + random(8)],
    [277, SHORT, 1, 3],
    [278, LONG, 1, ROWS],
    [279, LONG, STRIPS, values + 8 + 4 * STRIPS],
    ...metadata.map((tag): [number, number, number, number] => [tag, tag > 34377 ? LONG : UNDEFINED, tag > 34377 ? 1 : 40, pointer()]),
  ];
  const lists = [8, 8, 8, 0].flatMap((value) => [value, 0]);
  const directory = Buffer.alloc(2 + 12 * entries.length + 4);
  directory.writeUInt16LE(entries.length);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    directory.writeUInt16LE(tag, 2 + 12 * i);
    directory.writeUInt16LE(type, 4 + 12 * i);
    directory.writeUInt32LE(count, 6 + 12 * i);
    directory.writeUInt32LE(value, 10 + 12 * i);
  }
  const longs = Buffer.alloc(8 * STRIPS);
  for (const [i, offset] of offsets.entries()) {
    longs.writeUInt32LE(offset, 4 * i);
    longs.writeUInt32LE(length, 4 * (STRIPS + i));
  }
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(values + 8 + longs.length, 4);
  const file = Buffer.concat([head, picture, Buffer.alloc(16), Buffer.from(lists), longs, directory]);
  return { file, what: `strips at ${offsets.join(' ')}, tags ${metadata.join(' ')}` };
}

const { service, owner } = await startFileService();
const token = await owner.token('upload');
const VARIANTS = 40;

/** What is stored of an upload; undefined if it is refused as damaged. */
async function storedOf(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    const { links } = await uploadImage(service, token, bytes);
    return await contentOf(fetch(links.url));
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, code: 'damaged_image' });
    return undefined;
  }
}

/** All frames, as in the file, without colour conversion. */
const framesOf = (bytes: Buffer) => sharp(bytes, { pages: -1, ignoreIcc: true });
const pixelsOf = (bytes: Buffer) => framesOf(bytes).autoOrient().raw().toBuffer();
const extentsOf = (file: Buffer, { kept }: Layout) => Buffer.concat(kept.map(({ from, to }) => file.subarray(from, to)));
const seeds = Array.from({ length: VARIANTS }, (_, seed) => seed + 1);

it('stores an AVIF of any layout with every byte of its pictures, and no other', async () => {
  const base = await avif({ width: 96, height: 64, alpha: true });
  const expected = await pixelsOf(base);
  for (const seed of seeds) {
    const layout = await layOut(base, random(seed));
    const stored = await storedOf(layout.file);
    expect(stored === undefined, layout.what).toBe(layout.isShared);
    if (!stored) continue;
    expect(extentsOf(stored, layout).equals(extentsOf(layout.file, layout)), layout.what).toBe(true);
    expect((await pixelsOf(stored)).equals(expected), layout.what).toBe(true);
    expect(stored.includes(SECRET), layout.what).toBe(false);
  }
}, 60_000);

it('converts a HEIC of any layout to the same picture', async () => {
  const base = await readFile('test/fixtures/heic/arrow.heic');
  const expected = await storedOf(base);
  for (const seed of seeds.slice(0, 8)) {
    const { file, what } = await layOut(base, random(seed));
    expect((await storedOf(file))?.equals(expected as Buffer), what).toBe(true);
  }
}, 60_000);

it.each([
  ['a WebP', () => privateWebp(6)],
  ['an animated WebP', () => animatedWebp()],
])(
  'stores %s with its chunks in any order with the same pixels',
  async (_name, make) => {
    const base = await make();
    let count = 0;
    for (const seed of seeds) {
      const { file, what } = reorderWebp(base, random(seed));
      const stored = await storedOf(file);
      if (!stored) continue;
      count++;
      // Browsers don't turn it.
      expect((await framesOf(stored).raw().toBuffer()).equals(await framesOf(file).raw().toBuffer()), what).toBe(true);
      expect(stored.includes(SECRET), what).toBe(false);
    }
    // libwebp itself rejects most orders of an animation.
    expect(count).toBeGreaterThan(5);
  },
  60_000,
);

it('converts a TIFF whose strips and metadata share bytes with the same pixels', async () => {
  for (const seed of seeds) {
    const { file, what } = layOutTiff(random(seed));
    const stored = await storedOf(file);
    expect(stored && (await pixelsOf(stored)).equals(await pixelsOf(file)), what).toBe(true);
  }
}, 60_000);
