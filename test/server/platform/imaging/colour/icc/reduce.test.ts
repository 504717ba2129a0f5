import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isSrgb } from '#server/platform/imaging/colour/icc/colours.ts';
import { MAX_ICC_BYTES, padProfile, reduceProfile } from '#server/platform/imaging/colour/icc/reduce.ts';
import {
  bundledProfile,
  displayProfile,
  PROFILE_NAME,
  type ProfileTag,
  profileOf,
  tagsOf,
  textTag,
  withJpegProfile,
} from '#test/helpers/pictures/icc.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { random } from '#test/helpers/random.ts';

/** The profile reduced; fails where it is removed. */
function reduced(profile: Buffer): Buffer {
  const result = reduceProfile(profile);
  if (!result) throw new Error('The profile was removed.');
  return result;
}

const namesOf = (profile: Buffer) => tagsOf(profile).map(({ name }) => name);

/** A picture of 64 colours in sRGB as the profile describes them. */
async function coloursBy(profile: Buffer | undefined, photo: Buffer): Promise<Buffer> {
  return sharp(profile ? withJpegProfile(photo, profile) : photo, { failOn: 'none' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
}

/** A profile whose transform is a table in Lab, as printers and scanners have it. */
async function tableProfile(tail = 0): Promise<Buffer> {
  const header = Buffer.from((await bundledProfile('srgb')).subarray(0, 128));
  header.write('Lab ', 20, 'latin1');
  header.writeUInt8(2, 8);
  const table = Buffer.alloc(52 + 2 * (3 * 2 + 8 * 3 + 3 * 2) + tail, SECRET);
  table.fill(0, 0, 52);
  table.write('mft2', 'latin1');
  Buffer.of(3, 3, 2).copy(table, 8);
  for (const at of [12, 28, 44]) table.writeUInt32BE(0x10000, at);
  table.writeUInt16BE(2, 48);
  table.writeUInt16BE(2, 50);
  const ramp = [0, 0xffff, 0, 0xffff, 0, 0xffff];
  const grid = Array.from({ length: 24 }, (_, i) => (i * 2731) % 0xffff);
  for (const [i, value] of [...ramp, ...grid, ...ramp].entries()) table.writeUInt16BE(value, 52 + 2 * i);
  const white = tagsOf(await bundledProfile('srgb')).find(({ name }) => name === 'wtpt')?.data ?? Buffer.alloc(20);
  return profileOf(header, [
    { name: 'wtpt', data: white },
    { name: 'A2B0', data: table },
    { name: 'cprt', data: textTag(SECRET) },
  ]);
}

describe('the profile of a display', () => {
  it('keeps the tags that colours need, with neutral texts', async () => {
    const profile = await displayProfile();
    const result = reduced(profile);
    const colours = ['wtpt', 'chad', 'rXYZ', 'gXYZ', 'bXYZ', 'rTRC', 'gTRC', 'bTRC'];
    expect(namesOf(result).sort()).toEqual(['desc', 'cprt', ...colours].sort());
    for (const name of colours) {
      const [before, after] = [profile, result].map((file) => tagsOf(file).find((tag) => tag.name === name)?.data);
      expect(after, name).toEqual(before);
    }
    for (const word of [SECRET, PROFILE_NAME, 'mmod', 'APPL']) {
      expect(profile.includes(word), word).toBe(true);
      expect(result.includes(word), word).toBe(false);
    }
    expect(result.readUInt32BE()).toBe(result.length);
    expect(result.subarray(80, 128).every((byte) => byte === 0)).toBe(true);
  });

  it('is the same for every date, maker, model and name', async () => {
    const profile = await displayProfile();
    const other = Buffer.from(profile);
    for (const at of [4, 24, 28, 40, 48, 52, 80, 90]) other.writeUInt32BE(0x01020304, at);
    other.fill('X', other.indexOf(PROFILE_NAME), other.indexOf(PROFILE_NAME) + 4);
    expect(reduced(other)).toEqual(reduced(profile));
  });
});

it.each(['p3', 'srgb', 'cmyk'] as const)('reduces %s once, never enlarges it, and can pad it', async (name) => {
  const profile = await bundledProfile(name);
  const result = reduced(profile);
  expect(result.length).toBeLessThanOrEqual(profile.length);
  expect(result.length % 4).toBe(0);
  expect(reduced(result)).toEqual(result);
  const padded = padProfile(result, profile.length);
  expect(padded.readUInt32BE()).toBe(profile.length);
  expect(reduced(padded)).toEqual(result);
});

it('gives a compact profile its required texts where there is room for them', async () => {
  const srgb = await bundledProfile('srgb');
  const header = Buffer.from(srgb.subarray(0, 128));
  header.writeUInt8(2, 8);
  const desc = Buffer.from('desc\0\0\0\0\0\0\0\x05abcd\0', 'latin1');
  const colours = tagsOf(srgb).filter(({ name }) => name !== 'desc' && name !== 'cprt');
  const profile = profileOf(header, [{ name: 'desc', data: desc }, { name: 'cprt', data: textTag('CC0') }, ...colours]);
  const result = reduced(profile);
  expect(namesOf(result)).toEqual(namesOf(profile));
  expect(result.length - profile.length).toBeGreaterThan(0);
  expect(reduced(result)).toEqual(result);
  const bare = reduceProfile(profile, profile.length) ?? Buffer.alloc(0);
  expect(namesOf(bare)).toEqual(colours.map(({ name }) => name));
  expect(reduceProfile(padProfile(bare, profile.length), profile.length)).toEqual(bare);
});

describe('a profile with tables', () => {
  it('keeps the colours, and nothing behind the table', async () => {
    const photo = await photoJpeg({ width: 64, height: 64 });
    const profile = await tableProfile(SECRET.length * 2);
    expect(profile.includes(SECRET)).toBe(true);
    const result = reduced(profile);
    expect(result.includes(SECRET)).toBe(false);
    const colours = await coloursBy(profile, photo);
    expect(colours.equals(await coloursBy(undefined, photo))).toBe(false);
    expect((await coloursBy(result, photo)).equals(colours)).toBe(true);
  });

  it('keeps a transform of version 4 as it is', async () => {
    const [srgb, photo] = [await bundledProfile('srgb'), await photoJpeg({ width: 64, height: 64 })];
    const curve = Buffer.alloc(16);
    curve.write('para', 'latin1');
    curve.writeInt32BE(0x18000, 12);
    const table = Buffer.concat([Buffer.alloc(32), curve, curve, curve]);
    table.write('mAB ', 'latin1');
    Buffer.of(3, 3).copy(table, 8);
    table.writeUInt32BE(32, 12);
    const tags = tagsOf(srgb).filter(({ name }) => name === 'wtpt');
    const profile = profileOf(srgb, [...tags, { name: 'A2B0', data: table }, { name: 'targ', data: textTag(SECRET) }]);
    const result = reduced(profile);
    expect([namesOf(result), result.includes(SECRET)]).toEqual([['wtpt', 'A2B0'], false]);
    const colours = await coloursBy(profile, photo);
    expect(colours.equals(await coloursBy(undefined, photo))).toBe(false);
    expect((await coloursBy(result, photo)).equals(colours)).toBe(true);
  });

  it('keeps the curve of a grey scale', async () => {
    const header = Buffer.from((await bundledProfile('srgb')).subarray(0, 128));
    header.write('GRAY', 16, 'latin1');
    const curve = Buffer.from('curv\0\0\0\0\0\0\0\x01\x03\x00', 'latin1');
    const white = tagsOf(await bundledProfile('srgb')).filter(({ name }) => name === 'wtpt');
    const tags = [
      { name: 'desc', data: textTag(SECRET.repeat(9)) },
      ...white,
      { name: 'kTRC', data: Buffer.concat([curve, Buffer.from(SECRET)]) },
    ];
    const profile = profileOf(header, tags);
    const result = reduced(profile);
    expect([namesOf(result), result.includes(SECRET)]).toEqual([['desc', 'wtpt', 'kTRC'], false]);
    expect(tagsOf(result).at(-1)?.data).toEqual(curve);
  });

  it('keeps all transforms and the gamut of a printer, in less than a quarter of the bytes', async () => {
    const cmyk = await bundledProfile('cmyk');
    const result = reduced(cmyk);
    const names = namesOf(result);
    for (const name of ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'gamt', 'wtpt', 'bkpt']) expect(names).toContain(name);
    for (const name of ['targ', 'DevD', 'CIED', 'clrt']) expect(names).not.toContain(name);
    expect(result.length).toBeLessThan(cmyk.length / 4);
  });
});

describe('a damaged profile is removed', () => {
  it.each<[string, (profile: Buffer) => Buffer]>([
    ['without a table', (profile) => profile.subarray(0, 131)],
    ['without its signature', (profile) => replaced(profile, 36, 'xxxx')],
    ['of another class', (profile) => replaced(profile, 12, 'link')],
    ['with too many tags', (profile) => replaced(profile, 128, '\0\0\xff\xff')],
    ['cut off within the transforms', (profile) => profile.subarray(0, 350)],
    ['with a transform of another type', (profile) => replaced(profile, tagAt(profile, 'rXYZ'), 'text')],
    ['with the same tag twice', (profile) => profileOf(profile, [...tagsOf(profile), ...tagsOf(profile).slice(0, 1)])],
    ['too large', (profile) => padProfile(profile, MAX_ICC_BYTES + 1)],
    ['empty', () => Buffer.alloc(0)],
  ])('when it is %s', async (_, damage) => {
    expect(reduceProfile(damage(await bundledProfile('srgb')))).toBeUndefined();
  });

  it('when its tags overlap to claim more memory than it has', async () => {
    const table = await tableProfile(100_000);
    const [entry, size] = [132 + 12, table.readUInt32BE()];
    const names = ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2'];
    const hostile = profileOf(table, [...tagsOf(table), ...names.slice(1).map((name) => ({ name, data: Buffer.alloc(4) }))]);
    for (const [i] of names.entries()) {
      const at = i === 0 ? entry : 132 + 12 * (2 + i);
      const from = hostile.readUInt32BE(entry + 4) + 12 * i;
      hostile.write('mAB ', from, 'latin1');
      hostile.writeUInt32BE(from, at + 4);
      hostile.writeUInt32BE(size / 2, at + 8);
    }
    expect(reduceProfile(hostile)).toBeUndefined();
  });
});

it.runIf(process.env.PIXDOCK_TEST_SLOW)(
  'changes no colour of pictures with corrupted profiles, and enlarges none beyond its texts',
  async () => {
    const photo = await photoJpeg({ width: 16, height: 16 });
    const sources = [await displayProfile(), await tableProfile(), await bundledProfile('srgb')];
    const next = random(4711);
    let [kept, removed] = [0, 0];
    for (let round = 0; round < 300; round++) {
      const profile = Buffer.from(sources[round % sources.length] ?? Buffer.alloc(0));
      // Mostly in the header and the table, where the structure is.
      for (let count = 1 + next(3); count > 0; count--) profile[next(2) === 0 ? next(300) : next(profile.length)] = next(256);
      const cut = next(8) === 0 ? profile.subarray(0, next(profile.length)) : profile;
      const result = reduceProfile(cut);
      if (result) {
        kept++;
        expect(result.length, `round ${round}`).toBeLessThanOrEqual(cut.length + 128);
        expect(reduceProfile(result), `round ${round}`).toEqual(result);
      } else removed++;
      // As Little CMS sees them.
      const [before, after] = [await coloursBy(cut, photo), await coloursBy(result, photo)];
      expect(after.equals(before), `round ${round}`).toBe(true);
    }
    expect([kept > 50, removed > 15]).toEqual([true, true]);
  },
);

function replaced(profile: Buffer, at: number, text: string): Buffer {
  const copy = Buffer.from(profile);
  copy.write(text, at, 'latin1');
  return copy;
}

function tagAt(profile: Buffer, name: string): number {
  const index = namesOf(profile).indexOf(name);
  return profile.readUInt32BE(132 + 12 * index + 4);
}

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
