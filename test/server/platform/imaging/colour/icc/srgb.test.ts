import sharp from 'sharp';
import { expect, it } from 'vitest';
import { isSrgb } from '#server/platform/imaging/colour/icc/colours.ts';
import { bundledProfile, type ProfileTag, profileOf, tagsOf } from '#test/helpers/pictures/icc.ts';

const CURVES = ['rTRC', 'gTRC', 'bTRC'];

/** The bundled profile of sRGB with other data in some of its tags. */
async function srgbWith(data: Readonly<Record<string, Buffer>>, extra: readonly ProfileTag[] = []): Promise<Buffer> {
  const profile = await bundledProfile('srgb');
  const tags = tagsOf(profile).map((tag) => ({ name: tag.name, data: data[tag.name] ?? tag.data }));
  return profileOf(profile, [...tags, ...extra]);
}

const withCurve = (curve: Buffer) => srgbWith(Object.fromEntries(CURVES.map((name) => [name, curve])));

/** A curve as a table of 16-bit numbers, as in version 2 of the format. */
function tableOf(count: number, curve: (value: number) => number): Buffer {
  const data = Buffer.alloc(12 + 2 * count);
  data.write('curv', 'latin1');
  data.writeUInt32BE(count, 8);
  for (let i = 0; i < count; i++) data.writeUInt16BE(Math.round(65_535 * curve(i / (count - 1))), 12 + 2 * i);
  return data;
}

const srgbCurve = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

it('recognizes sRGB by its primaries and curves, whether these are formulas or tables', async () => {
  expect(isSrgb(await bundledProfile('srgb'))).toBe(true);
  for (const count of [256, 1_024, 4_096]) expect(isSrgb(await withCurve(tableOf(count, srgbCurve)))).toBe(true);
});

it('recognizes no other colours', async () => {
  expect(isSrgb(await bundledProfile('p3'))).toBe(false);
  expect(isSrgb(await bundledProfile('cmyk'))).toBe(false);
  expect(isSrgb(await withCurve(tableOf(1_024, (value) => value ** 2.2)))).toBe(false);
  expect(isSrgb(await withCurve(tableOf(1_024, (value) => value ** 1.8)))).toBe(false);
  const [green] = tagsOf(await bundledProfile('srgb')).filter(({ name }) => name === 'gXYZ');
  expect(isSrgb(await srgbWith({ rXYZ: green?.data ?? Buffer.alloc(0) }))).toBe(false);
  expect(isSrgb(await srgbWith({}, [{ name: 'A2B0', data: Buffer.alloc(64) }]))).toBe(false);
});

it('reads only what is there', async () => {
  const profile = await bundledProfile('srgb');
  for (let length = 0; length < profile.length; length += 7) expect(isSrgb(profile.subarray(0, length))).toBe(false);
  const manyTags = Buffer.from(profile);
  manyTags.writeUInt32BE(0xffffffff, 128);
  expect(isSrgb(manyTags)).toBe(false);
  expect(isSrgb(await withCurve(Buffer.from('curv\0\0\0\0\xff\xff\xff\xff', 'latin1')))).toBe(false);
});

it('agrees with the conversion by Little CMS, to one step of 256', async () => {
  const colours = Buffer.from(Array.from({ length: 3 * 4_096 }, (_, i) => (i * 7_919) % 256));
  const picture = await sharp(colours, { raw: { width: 64, height: 64, channels: 3 } })
    .withIccProfile('srgb')
    .png()
    .toBuffer();
  const converted = await sharp(picture).toColourspace('srgb').raw().toBuffer();
  const most = converted.reduce((difference, value, i) => Math.max(difference, Math.abs(value - (colours[i] as number))), 0);
  expect(most).toBeLessThanOrEqual(1);
});
