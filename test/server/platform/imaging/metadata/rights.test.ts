import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import exifr from 'exifr';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { keptExif } from '#server/platform/imaging/metadata/exif.ts';
import type { Rights } from '#server/platform/imaging/metadata/rights.ts';
import { xmpPacket, xmpRights } from '#server/platform/imaging/metadata/xmp.ts';
import { planStrip, writeStripped } from '#server/platform/imaging/plan-strip.ts';
import type { WebFormat } from '#server/platform/imaging/types.ts';
import { image, photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { convertFile } from '#test/helpers/pictures/inspected.ts';
import { metadataOf, usingBytes } from '#test/helpers/pictures/metadata.ts';
import { jpegSegment, privateJpeg, privatePng, privateWebp, SECRET, withChunk } from '#test/helpers/pictures/private-metadata.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const RIGHTS = { artist: 'Zoë Weiß', copyright: '© 2026 Zoë Weiß' };
const PLACE = { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' };
/** libvips writes no other characters. */
const ASCII = { artist: 'Zoe Weiss', copyright: '(C) 2026 Zoe Weiss' };
const EXIF = { IFD0: { Artist: ASCII.artist, Copyright: ASCII.copyright, Make: SECRET }, IFD3: PLACE };

async function saved(file: Buffer): Promise<string> {
  const path = join(temporaryFolder(), 'picture');
  await writeFile(path, file);
  return path;
}

const rightsIn = async (file: Buffer, format: Parameters<typeof metadataOf>[1]) => (await metadataOf(await saved(file), format)).rights;

async function strip(file: Buffer, format: WebFormat, rights?: Rights): Promise<Buffer> {
  const path = await saved(file);
  const plan = await usingBytes(path, (bytes) => planStrip(bytes, format, rights));
  const parts: Buffer[] = [];
  await writeStripped({ path }, plan, { write: async (bytes) => void parts.push(Buffer.from(bytes)) });
  return Buffer.concat(parts);
}

const pixels = (file: Buffer) => sharp(file).raw().toBuffer();
/** Behind the start of a JPEG. */
const withSegment = (file: Buffer, marker: number, data: Buffer) =>
  Buffer.concat([file.subarray(0, 2), jpegSegment(marker, data), file.subarray(2)]);

const xmp = (rights: string, ...creators: string[]) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq>${creators.map((creator) => `<rdf:li>${creator}</rdf:li>`).join('')}</rdf:Seq></dc:creator><dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${rights}</rdf:li><rdf:li xml:lang="de">${SECRET}</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>`;

function iptc(values: Record<number, string>): Buffer {
  const datasets = Object.entries(values).map(([dataset, text]) => {
    const data = Buffer.from(text);
    const head = Buffer.from([0x1c, 2, Number(dataset), 0, 0]);
    head.writeUInt16BE(data.length, 3);
    return Buffer.concat([head, data]);
  });
  const other = Buffer.from('8BIM\x03\xed\x01x\0\0\0\x03abc\0', 'latin1');
  const head = Buffer.from('8BIM\x04\x04\0\0\0\0\0\0', 'latin1');
  const data = Buffer.concat(datasets);
  head.writeUInt32BE(data.length, 8);
  return Buffer.concat([Buffer.from('Photoshop 3.0\0'), other, head, data]);
}

describe('artist and copyright', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('are all that stays in a stripped %s, and only on request', async (format) => {
    const original = await image().withExif(EXIF).toFormat(format, { effort: 1 }).toBuffer();
    expect(await rightsIn(original, format)).toEqual(ASCII);
    const stripped = await strip(original, format, RIGHTS);
    expect(await rightsIn(stripped, format)).toEqual(RIGHTS);
    expect([SECRET, 'GPS', 'Xmp'].filter((word) => stripped.includes(word))).toEqual([]);
    const { exif, xmpAsString } = await sharp(stripped).metadata();
    if (format === 'avif') expect(xmpAsString).toBeUndefined();
    else expect(xmpRights(xmpAsString ?? '')).toEqual(RIGHTS);
    expect(await exifr.parse(exif?.subarray(exif.indexOf('MM')) ?? Buffer.alloc(0), { gps: true })).toEqual({
      Artist: RIGHTS.artist,
      Copyright: RIGHTS.copyright,
    });
    expect((await pixels(stripped)).equals(await pixels(original))).toBe(true);
    expect((await strip(stripped, format, RIGHTS)).equals(stripped)).toBe(true);
    const without = await strip(original, format);
    expect(await rightsIn(without, format)).toEqual({});
    expect(without.includes(ASCII.artist)).toBe(false);
  });

  it.each([
    ['jpeg', 6, () => privateJpeg({ orientation: 6 })],
    ['png', 6, () => privatePng(6)],
    // Browsers never turn one.
    ['webp', undefined, () => privateWebp(6)],
  ] as const)('stay with the orientation of a %s: %s', async (format, orientation, make) => {
    const stripped = await strip(await make(), format, RIGHTS);
    expect((await sharp(stripped).metadata()).orientation).toBe(orientation);
    expect(await rightsIn(stripped, format)).toEqual(RIGHTS);
    expect([SECRET, 'SerialNumber-4711'].filter((word) => stripped.includes(word))).toEqual([]);
  });

  it('come from IPTC or XMP when there is no EXIF, and stay as EXIF too', async () => {
    const plain = await photoJpeg();
    const sources = [
      withSegment(plain, 0xed, iptc({ 80: RIGHTS.artist, 116: RIGHTS.copyright, 25: SECRET })),
      withSegment(plain, 0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${xmp(RIGHTS.copyright, RIGHTS.artist)}`)),
    ];
    for (const original of sources) {
      const rights = await rightsIn(original, 'jpeg');
      expect(rights).toEqual(RIGHTS);
      const stripped = await strip(original, 'jpeg', rights);
      expect(await rightsIn(stripped, 'jpeg')).toEqual(RIGHTS);
      expect(stripped.includes(SECRET)).toBe(false);
      expect((await pixels(stripped)).equals(await pixels(plain))).toBe(true);
    }
  });

  it('come from the texts of a PNG, compressed or not', async () => {
    const plain = await png();
    const texts: [string, (keyword: string, text: string) => Buffer][] = [
      ['tEXt', (keyword, text) => Buffer.from(`${keyword}\0${text}`, 'latin1')],
      ['zTXt', (keyword, text) => Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(Buffer.from(text, 'latin1'))])],
      ['iTXt', (keyword, text) => Buffer.from(`${keyword}\0\0\0en\0${keyword}\0${text}`)],
      ['iTXt', (keyword, text) => Buffer.concat([Buffer.from(`${keyword}\0\x01\0en\0\0`), deflateSync(Buffer.from(text))])],
    ];
    for (const [type, make] of texts) {
      const authored = withChunk(plain, type, make('Author', RIGHTS.artist));
      const original = withChunk(withChunk(authored, type, make('Copyright', RIGHTS.copyright)), type, make('Comment', SECRET));
      const rights = await rightsIn(original, 'png');
      expect(rights, type).toEqual(RIGHTS);
      const stripped = await strip(original, 'png', rights);
      expect(await rightsIn(stripped, 'png'), type).toEqual(RIGHTS);
      expect(stripped.includes(SECRET)).toBe(false);
      expect((await pixels(stripped)).equals(await pixels(plain))).toBe(true);
    }
    const packet = Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp(RIGHTS.copyright, RIGHTS.artist)}`);
    expect(await rightsIn(withChunk(plain, 'iTXt', packet), 'png')).toEqual(RIGHTS);
  });

  it('come from EXIF first, and a missing one from elsewhere', async () => {
    const photo = await image()
      .withExif({ IFD0: { Artist: 'In EXIF' } })
      .jpeg()
      .toBuffer();
    const both = withSegment(photo, 0xed, iptc({ 80: 'In IPTC', 116: 'Notice' }));
    expect(await rightsIn(both, 'jpeg')).toEqual({ artist: 'In EXIF', copyright: 'Notice' });
  });

  it('lose entities, control characters, repetitions and excessive length', async () => {
    const packet = (text: string) => Buffer.from(`http://ns.adobe.com/xap/1.0/\0${text}`);
    const plain = await photoJpeg();
    const rightsOf = (text: string) => rightsIn(withSegment(plain, 0xe1, packet(text)), 'jpeg');
    expect(await rightsOf(xmp('a &amp; b &#169;&#xa9; &unknown;', 'A\n\tB', 'A B', ' ', 'C'))).toEqual({
      artist: 'A B, C',
      copyright: 'a & b ©© &unknown;',
    });
    expect((await rightsOf(xmp('x'.repeat(3000), 'A'))).copyright).toHaveLength(500);
    expect(await rightsOf('<dc:rights>'.repeat(3000))).toEqual({});
  });

  it.each(['jpg', 'png', 'webp', 'avif'] as const)('stay when a picture is converted to %s', async (to) => {
    const output = join(temporaryFolder(), 'converted');
    await convertFile(await saved(await image().withExif(EXIF).jpeg().toBuffer()), 'jpeg', { to, quality: 85, rights: RIGHTS }, output);
    const format = to === 'jpg' ? 'jpeg' : to;
    const converted = await strip(await readFile(output), format, RIGHTS);
    expect(await rightsIn(converted, format)).toEqual(RIGHTS);
    expect([SECRET, 'GPS', 'xxx'].filter((word) => converted.includes(word))).toEqual([]);
  });
});

it('finds the rights of a TIFF, and both parts of a copyright', async () => {
  const tiff = keptExif(1, { artist: 'A', copyright: 'Photographer|Editor' }) ?? Buffer.alloc(0);
  tiff.write('\0', tiff.indexOf('|'), 'latin1');
  expect(await rightsIn(tiff, 'tiff')).toEqual({ artist: 'A', copyright: 'Photographer, Editor' });
});

it('writes XMP that is read back, whatever the characters', () => {
  const rights = { artist: 'A & B <c@example.org>', copyright: '"Ä" \'&amp;\' © 你好' };
  expect(xmpRights(xmpPacket(rights)?.toString() ?? '')).toEqual(rights);
  expect(xmpPacket({})).toBeUndefined();
});

it('writes no EXIF when there is nothing to keep', () => {
  expect(keptExif(1)).toBeUndefined();
  expect(keptExif(6)).toHaveLength(26);
});

it('finds no rights in garbage, and never fails', async () => {
  for (const format of ['tiff', 'heic', 'bmp'] as const)
    expect(await rightsIn(Buffer.from(`${SECRET.repeat(20)}II*\0`), format), format).toEqual({});
});
