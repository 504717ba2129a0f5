import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { animatedGif, gif, image, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { apng, pngChunk, SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('upload');

const send = (bytes: Uint8Array, fields = {}) => uploadImage(service, token, bytes, fields, 'picture.bin');
const input = (name: string) => readFile(`test/fixtures/inputs/${name}`);
const pixels = (bytes: Buffer) => sharp(bytes, { pages: -1, failOn: 'warning' }).raw().toBuffer();
const END = { jpg: Buffer.of(0xff, 0xd9), png: pngChunk('IEND', Buffer.alloc(0)), gif: Buffer.of(0x3b) };

const folder = await mkdtemp(join(tmpdir(), 'pixdock-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const keeping = await owner.client.call(createPolicy, {
  body: { name: 'As it is', folder, keep_metadata: true },
});
const { items } = await owner.client.call(listGroups, { query: {} });
for (const { id, kind, policy_ids } of items)
  if (kind === 'owner')
    await owner.client.call(changeGroup, { params: { id: String(id) }, body: { policy_ids: [...policy_ids, keeping.id] } });

const small = { width: 93, height: 61 };
const withoutEnd = (bytes: Buffer, end: Buffer, more: Uint8Array = new Uint8Array()) => {
  if (!bytes.subarray(-end.length).equals(end)) throw new Error('The picture has another end.');
  return Buffer.concat([bytes.subarray(0, -end.length), more]);
};
/** A motion photo's trailer, with a marker and the end of another picture. */
const TRAILER = Buffer.concat([
  Buffer.from(`\0\0MotionPhoto_Data${SECRET}`),
  Buffer.of(0xff, 0x24, 0, 9),
  Buffer.from(SECRET),
  END.jpg,
  Buffer.from('SEFT'),
]);

const CASES: [string, 'jpg' | 'png' | 'gif', () => Promise<Buffer>, () => Promise<Buffer>][] = [];
for (const [name, make] of [
  ['a photo', () => photoJpeg(small)],
  ['a progressive photo', () => photoJpeg({ ...small, progressive: true })],
  ['a grey photo', () => image(small).greyscale().toColourspace('b-w').jpeg().toBuffer()],
  ['a photo of CMYK', () => photoJpeg({ ...small, icc: 'cmyk' })],
  ['a photo with full colours', () => image(small).jpeg({ chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer()],
  ['a photo with restart markers', () => input('restarts.jpg')],
] as const) {
  CASES.push([`${name} without its end`, 'jpg', make, async () => withoutEnd(await make(), END.jpg)]);
  CASES.push([`${name} with half of its end`, 'jpg', make, async () => (await make()).subarray(0, -1)]);
  CASES.push([`${name} whose end is behind a trailer`, 'jpg', make, async () => withoutEnd(await make(), END.jpg, TRAILER)]);
  CASES.push([`${name} with text in place of its end`, 'jpg', make, async () => withoutEnd(await make(), END.jpg, Buffer.from(SECRET))]);
}
for (const [name, make] of [
  ['a PNG', () => png(small)],
  ['an interlaced PNG', () => image(small).png({ progressive: true }).toBuffer()],
  ['a PNG with a palette', () => image(small).png({ palette: true }).toBuffer()],
  ['an animated PNG', apng],
] as const) {
  CASES.push([`${name} without its end`, 'png', make, async () => withoutEnd(await make(), END.png)]);
  CASES.push([`${name} with a part of its end`, 'png', make, async () => (await make()).subarray(0, -5)]);
  CASES.push([`${name} without the checksum of its pixels`, 'png', make, async () => (await make()).subarray(0, -END.png.length - 3)]);
  CASES.push([
    `${name} whose end is a part of a text`,
    'png',
    make,
    async () => withoutEnd(await make(), END.png, pngChunk('tEXt', Buffer.from(`a\0${SECRET}`)).subarray(0, 18)),
  ]);
}
for (const [name, make] of [
  ['a GIF', () => gif(small)],
  ['an animated GIF', () => animatedGif()],
] as const) {
  CASES.push([`${name} without its end`, 'gif', make, async () => withoutEnd(await make(), END.gif)]);
  CASES.push([`${name} without the end of its data`, 'gif', make, async () => (await make()).subarray(0, -2)]);
  CASES.push([`${name} without a size`, 'gif', make, async () => (await make()).fill(0, 6, 10)]);
  CASES.push([`${name} without a width, and without its end`, 'gif', make, async () => withoutEnd((await make()).fill(0, 6, 8), END.gif)]);
}

const SOME = process.env.PIXDOCK_TEST_SLOW ? CASES : CASES.filter(([name]) => /^an? (photo|PNG|animated PNG|GIF) (with|whose)/.test(name));

describe('a picture that lacks nothing but its end', () => {
  it.each(SOME)('is completed: %s', async (_name, ext, make, cut) => {
    const [whole, sent] = [await make(), await cut()];
    const stored = await send(sent);
    const { width, height } = await sharp(whole).metadata();
    expect(stored).toMatchObject({ ext, width, height });
    const served = await contentOf(fetch(stored.links.url));
    expect(served.subarray(-END[ext].length).equals(END[ext])).toBe(true);
    expect(served.includes(SECRET)).toBe(false);
    expect((await pixels(served)).equals(await pixels(whole))).toBe(true);
    expect((await sharp(await contentOf(fetch(stored.links.thumbnail_url))).metadata()).width).toBeGreaterThan(0);
  });

  it.each(SOME)('is completed where a policy keeps metadata: %s', async (_name, ext, make, cut) => {
    const stored = await send(await cut(), { policy_id: String(keeping.id) });
    const served = await contentOf(fetch(stored.links.url));
    expect((await pixels(served)).equals(await pixels(await make()))).toBe(true);
    if (ext !== 'jpg') expect(served.subarray(-END[ext].length).equals(END[ext])).toBe(true);
  });

  it.each(SOME)('is completed before it is converted: %s', async (name, ext, make, cut) => {
    const stored = await send(await cut(), { convert: 'webp' });
    const { width, height } = await sharp(await make()).metadata();
    expect(stored).toMatchObject({ ext: name.startsWith('an animated PNG') ? ext : 'webp', width, height });
  });

  it.each([
    ['jpeg-no-eoi.jpg', 160, 100],
    ['jpeg-no-eoi-samsung-trailer.jpg', 160, 100],
    ['png-no-iend.png', 160, 100],
    ['gif-screen-0x0.gif', 60, 40],
  ])('is accepted as real programs wrote it: %s', async (name, width, height) => {
    expect(await send(await input(name))).toMatchObject({ width, height });
  });

  it('is found again when it is sent again', async () => {
    const sent = withoutEnd(await photoJpeg({ ...small, seed: 9 }), END.jpg);
    const { key } = await send(sent);
    expect(await send(sent)).toMatchObject({ key, reused: true });
  });
});

describe('a picture that is cut off', () => {
  it.each([
    ['a photo', () => photoJpeg({ width: 160, height: 120 })],
    ['a progressive photo', () => photoJpeg({ width: 160, height: 120, progressive: true })],
    ['a photo with restart markers', () => input('restarts.jpg')],
    ['a PNG', () => png(small)],
    ['an interlaced PNG', () => image(small).png({ progressive: true }).toBuffer()],
    ['an animated PNG', apng],
    ['a GIF', () => gif(small)],
  ])('is refused: %s', async (_name, make) => {
    const whole = await make();
    const lengths = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((tenths) => Math.floor((whole.length * tenths) / 10));
    for (const length of [...lengths, whole.length - 40])
      await expect(send(whole.subarray(0, length)), `${length} of ${whole.length}`).rejects.toMatchObject({
        status: 400,
        code: 'damaged_image',
      });
  });

  it('is refused between two scans of a progressive photo', async () => {
    const whole = await photoJpeg({ ...small, progressive: true });
    for (let at = whole.indexOf(Buffer.of(0xff, 0xda)); at > 0; at = whole.indexOf(Buffer.of(0xff, 0xda), at + 2))
      await expect(send(whole.subarray(0, at)), `${at}`).rejects.toMatchObject({ code: 'damaged_image' });
  });

  it('is refused between two frames of an animated PNG', async () => {
    const whole = await apng();
    const last = whole.lastIndexOf('fcTL') - 4;
    await expect(send(whole.subarray(0, last))).rejects.toMatchObject({ code: 'damaged_image' });
  });
});

describe('a JPEG of a kind that browsers don’t show', () => {
  it.each([
    ['lossless.jpg', 'png'],
    ['arithmetic.jpg', 'jpg'],
  ])('is converted: %s', async (name, ext) => {
    const sent = await input(name);
    const stored = await send(sent);
    expect(stored).toMatchObject({ ext, width: 64, height: 48 });
    const served = await contentOf(fetch(stored.links.url));
    const [left, right] = [await sharp(served).raw().toBuffer(), await sharp(sent).raw().toBuffer()];
    const most = left.reduce((worst, value, at) => Math.max(worst, Math.abs(value - (right[at] ?? 0))), 0);
    expect(most).toBeLessThanOrEqual(name === 'lossless.jpg' ? 0 : 40);
    expect([0xc0, 0xc2].some((frame) => served.includes(Buffer.of(0xff, frame))) || ext === 'png').toBe(true);
  });

  it.each([
    ['lossless-9-bits.jpg', 'lossless'],
    ['jpeg-ls.jpg', 'JPEG-LS'],
  ])('is refused with the reason: %s', async (name, coding) => {
    const message = `This JPEG has ${coding} coding, which browsers can’t show. Save it as an ordinary JPEG or as PNG, and upload that.`;
    await expect(send(await input(name))).rejects.toMatchObject({ status: 415, code: 'ext_not_allowed', message });
  });

  it('is refused with the reason: 12 bits, hierarchical', async () => {
    const photo = await photoJpeg(small);
    const frame = photo.indexOf(Buffer.of(0xff, 0xc0));
    const [deep, hierarchical] = [Buffer.from(photo), Buffer.from(photo)];
    deep.writeUInt8(12, frame + 4);
    hierarchical.writeUInt8(0xc5, frame + 1);
    await expect(send(deep)).rejects.toMatchObject({ status: 415, message: expect.stringContaining('12-bit coding') });
    await expect(send(hierarchical)).rejects.toMatchObject({ status: 415, message: expect.stringContaining('hierarchical coding') });
  });
});
