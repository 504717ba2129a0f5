import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { ApiError } from '#api/client.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { type Layout, layOut } from '#test/helpers/pictures/heif-layouts.ts';
import { animatedWebp, avif } from '#test/helpers/pictures/images.ts';
import { privateWebp, SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { layOutTiff } from '#test/helpers/pictures/tiff-layouts.ts';
import { reorderWebp } from '#test/helpers/pictures/webp-layouts.ts';
import { random } from '#test/helpers/random.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

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
