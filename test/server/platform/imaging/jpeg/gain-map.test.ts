import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { PRIVATE_WORDS, photoJpeg } from '#test/helpers/pictures/images.ts';
import { strippedJpeg } from '#test/helpers/pictures/metadata.ts';
import { jpegSegment, SECRET } from '#test/helpers/pictures/private-metadata.ts';
import { PICTURE, type UltraHdrOptions, ultraHdr } from '#test/helpers/pictures/ultra-hdr.ts';

declare module 'sharp' {
  interface Sharp {
    /** Undeclared, as it is experimental: shows the picture as a display for all of its gain map does. */
    withGainMap(): Sharp;
  }
}

const KINDS: [string, UltraHdrOptions][] = [
  ['XMP with attributes, and ISO 21496-1', {}],
  ['XMP only', { iso: 'none' }],
  ['XMP with elements', { xmp: 'elements' }],
  ['XMP and ISO 21496-1 for each channel', { xmp: 'channels', iso: 'three channels' }],
  ['ISO 21496-1 only', { xmp: 'none' }],
  ['ISO 21496-1 with one denominator', { xmp: 'none', iso: 'common denominator' }],
  ['an index whose numbers begin with the lowest byte', { isLittle: true }],
];

describe('the gain map of an Ultra HDR picture', () => {
  it.each(KINDS)('stays when metadata are removed, without private data: %s', async (_, options) => {
    const file = await ultraHdr(options);
    const { plan, stored } = await strippedJpeg(file);
    expect(plan.jpeg).toBeDefined();
    for (const word of [SECRET, ...PRIVATE_WORDS]) {
      expect(file.includes(word)).toBe(true);
      expect(stored.includes(word), word).toBe(false);
    }
    const [picture, gainMap] = picturesIn(stored);
    expect(await pixelsOf(gainMap)).toEqual(await pixelsOf(mapIn(file)));
    expect(await pixelsOf(picture)).toEqual(await pixelsOf(file));
    expect(gainMap.includes('Exif')).toBe(false);
  });

  it.each(KINDS)('is found by libultrahdr as before: %s', async (_, options) => {
    const [before, after] = [await ultraHdr(options), (await strippedJpeg(await ultraHdr(options))).stored];
    const { gainMap } = await sharp(after).metadata();
    expect(gainMap?.image.equals(picturesIn(after)[1])).toBe(true);
    // libultrahdr doesn't read elements.
    if ((await sharp(before).metadata()).gainMap) expect(await brightest(after)).toBeCloseTo(await brightest(before), 5);
    expect(await brightest(after)).toBeGreaterThan(1.5);
  });

  it.each(KINDS)('stays as it is the second time: %s', async (_, options) => {
    const { stored } = await strippedJpeg(await ultraHdr(options));
    expect((await strippedJpeg(stored)).stored.equals(stored)).toBe(true);
  });

  it('stays beside the rights', async () => {
    const { stored } = await strippedJpeg(await ultraHdr(), { artist: 'Ann & Bob', copyright: '© 2026' });
    const packets = stored.toString('latin1').match(/<x:xmpmeta.*?<.x:xmpmeta>/g) ?? [];
    expect(packets).toHaveLength(2);
    expect(packets[0]).toContain('<rdf:li>Ann &amp; Bob</rdf:li>');
    expect(packets[0]).toContain('Item:Semantic="GainMap"');
    expect((await sharp(stored).metadata()).gainMap).toBeDefined();
  });

  it.each<[string, UltraHdrOptions]>([
    ['the picture doesn’t claim to have one', { isClaimed: false }],
    ['it isn’t described', { xmp: 'none', iso: 'none' }],
    ['it has more pixels than the picture', { width: PICTURE.width + 8, height: PICTURE.height }],
    ['it is cut off', { change: (gainMap) => gainMap.subarray(0, -200) }],
    ['it isn’t a JPEG', { change: (gainMap) => Buffer.concat([Buffer.from('xx'), gainMap.subarray(2)]) }],
    ['its tables are missing', { change: (gainMap) => without(gainMap, 0xc4) }],
    ['it is longer than the index says', { place: ({ size, offset }) => ({ size: size - 10, offset }) }],
    ['it begins within the picture', { place: ({ size, offset }) => ({ size, offset: offset - 1_000 }) }],
    ['it is as far away as numbers go', { place: ({ size }) => ({ size, offset: 0xffffffff }) }],
    ['its description is cut off', { xmp: 'none', change: (gainMap) => shortened(gainMap) }],
  ])('is removed, and the picture stays, where %s', async (_, options) => {
    const file = await ultraHdr(options);
    const { stored } = await strippedJpeg(file);
    const { gainMap } = await sharp(stored).metadata();
    expect(gainMap).toBeUndefined();
    for (const word of ['MPF', 'hdrgm', '21496', SECRET]) expect(stored.includes(word), word).toBe(false);
    expect(await pixelsOf(stored)).toEqual(await pixelsOf(file));
  });

  it('is told from other pictures behind the first one, such as a camera’s preview', async () => {
    const preview = await photoJpeg({ width: 160, height: 100 });
    const { stored } = await strippedJpeg(await ultraHdr({ xmp: 'none', iso: 'none', change: () => preview }));
    expect(stored.indexOf(Buffer.from([0xff, 0xd8]), 2)).toBe(-1);
  });
});

/** The first picture and the second one, by the index. */
function picturesIn(file: Buffer): [Buffer, Buffer] {
  const header = file.indexOf('MPF\0') + 4;
  const uint = (at: number) => file.readUInt32BE(header + at);
  const [first, offset, second] = [uint(54), uint(74), uint(70)];
  expect(header + offset).toBe(first);
  expect(first + second).toBe(file.length);
  return [file.subarray(0, first), file.subarray(first)];
}

/** The second picture, which begins where the first one's trailing bytes end. */
const mapIn = (file: Buffer) => file.subarray(file.lastIndexOf(Buffer.from([0xff, 0xd8, 0xff])));

const pixelsOf = (file: Buffer) => sharp(file).raw().toBuffer();

/** In linear light, on a display for all that the gain map has. */
async function brightest(file: Buffer): Promise<number> {
  const bytes = await sharp(file).withGainMap().raw({ depth: 'float' }).toBuffer();
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).reduce((most, value) => Math.max(most, value), 0);
}

/** Without the segments of a marker. */
function without(jpeg: Buffer, marker: number): Buffer {
  const parts = [jpeg.subarray(0, 2)];
  let at = 2;
  for (; jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] !== marker) parts.push(jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)));
  return Buffer.concat([...parts, jpeg.subarray(at)]);
}

/** With half of its ISO 21496-1. */
function shortened(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf('urn:iso') - 4;
  const end = at + 2 + jpeg.readUInt16BE(at + 2);
  return Buffer.concat([jpeg.subarray(0, at), jpegSegment(0xe2, jpeg.subarray(at + 4, at + 60)), jpeg.subarray(end)]);
}
