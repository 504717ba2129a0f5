import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Ranges } from '#server/platform/imaging/ranges.ts';
import { sniff } from '#server/platform/imaging/sniff.ts';
import { animatedGif, animatedWebp, avif, gif, photoJpeg, png, tiff, webp } from '#test/helpers/pictures/images.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('the format of a file', () => {
  it.each([
    ['jpeg', photoJpeg],
    ['png', png],
    ['gif', gif],
    ['gif', animatedGif],
    ['webp', webp],
    ['webp', animatedWebp],
    ['avif', avif],
    ['tiff', tiff],
  ] as const)('is detected from the bytes: %s', async (format, make) => {
    const file = await make();
    expect(sniff(file)).toBe(format);
    expect(sniff(file.subarray(0, 32))).toBe(format);
  });

  it.each(['arrow', 'arrow-rot1', 'multi', 'p3'])('is detected from the bytes: %s.heic', (name) => {
    expect(sniff(readFileSync(`test/fixtures/heic/${name}.heic`))).toBe('heic');
  });

  it.each([
    ['avif', '\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf'],
    ['heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
    ['heif', '\0\0\0\x14ftypmif1\0\0\0\0mif1'],
    ['heif', '\0\0\0\x18ftypmif1\0\0\0\0mif1\0\0\0\0heic'],
    ['avif', '\0\0\0\x14ftypavis\0\0\0\0avis'],
    ['mp4', '\0\0\0\x14ftypmp42\0\0\0\0isom'],
    ['mp4', '\0\0\0\x14ftypisom\0\0\0\0mp41'],
    ['mov', '\0\0\0\x14ftypqt  \0\0\0\0qt  '],
    ['mov', '\0\0\0\x08wide\0\0\0\x08mdat'],
    [undefined, '\0\0\0\x18ftypcrx \0\0\0\x01crx isom'],
    [undefined, '\0\0\0\x14ftypM4A \0\0\0\0M4A '],
    ['webm', '\x1a\x45\xdf\xa3\x8b\x42\x86\x81\x01\x42\x82\x84webm'],
    [undefined, '\x1a\x45\xdf\xa3\x8f\x42\x86\x81\x01\x42\x82\x88matroska'],
  ])('of the ISO family is detected by its brands: %s', (format, text) => {
    expect(sniff(bytes(text))).toBe(format);
  });

  it.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '\xef\xbb\xbf  <?xml version="1.0"?>\n<!-- made by hand -->\n<svg width="1"/>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" ""><svg:svg xmlns:svg=""/>',
    '\xff\xfe<\0s\0v\0g\0 \0x\0=\0"\0',
  ])('is recognised as SVG, so that the rejection can name it: %j', (text) => {
    expect(sniff(bytes(text))).toBe('svg');
  });

  it.each([
    '',
    'BM',
    'BM is a text about bitmaps, no bitmap',
    'GIF88a',
    'RIFF\0\0\0\0WAVEfmt ',
    '<html><svg></svg></html>',
    '%PDF-1.7',
    'MZ\x90\0',
    'PK\x03\x04',
    '\x89PNG\n',
  ])('is undefined for %j', (text) => {
    expect(sniff(bytes(text))).toBeUndefined();
  });
});

type Pair = [number, number];
const range = ([from, to]: Pair) => ({ from, to });

describe('ranges', () => {
  it.each<[string, Pair[], Pair, Pair[]]>([
    ['everything where there are none', [], [10, 20], [[10, 20]]],
    ['nothing within one', [[0, 30]], [10, 20], []],
    [
      'what lies between them, in any order and overlapping',
      [
        [30, 35],
        [10, 15],
        [12, 20],
        [13, 14],
      ],
      [10, 40],
      [
        [20, 30],
        [35, 40],
      ],
    ],
    [
      'what is left on both sides',
      [[15, 18]],
      [10, 20],
      [
        [10, 15],
        [18, 20],
      ],
    ],
    ['no more than they leave of the end', [[15, 55]], [50, 60], [[55, 60]]],
    ['nothing of an empty range', [], [10, 10], []],
  ])('leave %s', (_, ranges, area, expected) => {
    expect(new Ranges(ranges.map(range)).gapsIn(range(area))).toEqual(expected.map(range));
  });

  it.each<[Pair, boolean]>([
    [[0, 10], false],
    [[0, 11], true],
    [[12, 13], true],
    [[20, 30], false],
    [[25, 40], true],
    [[12, 12], false],
    [[50, 60], false],
  ])('overlap %j: %j', (area, expected) => {
    const ranges = new Ranges(
      [
        [30, 50],
        [10, 20],
        [15, 16],
        [25, 25],
      ].map((pair) => range(pair as Pair)),
    );
    expect(ranges.overlaps(range(area))).toBe(expected);
  });
});
