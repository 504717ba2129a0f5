import { expect, it } from 'vitest';
import { smallCopy } from '#server/platform/imaging/decoder/sharp/small-copy.ts';

/** A picture of grey pixels in lines. */
function picture(lines: number[][], channels = 3) {
  const data = Uint8Array.from(lines.flat().flatMap((shade) => [shade, shade, shade, 0].slice(0, channels)));
  return { width: lines[0]?.length ?? 0, height: lines.length, channels, data };
}

/** The shades of a copy, in lines. */
function shades({ width, height, data }: { width: number; height: number; data: Uint8Array }): number[][] {
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_value, x) => data[4 * (y * width + x)] ?? 0));
}

it('has the averages of whole pixels', () => {
  const lines = [
    [10, 20, 30, 50],
    [10, 20, 50, 70],
  ];
  expect(shades(smallCopy(picture(lines), 2))).toEqual([[15, 50]]);
});

it('divides pixels that it covers in part', () => {
  const lines = [
    [0, 90, 180],
    [90, 180, 90],
    [180, 90, 0],
  ];
  expect(shades(smallCopy(picture(lines), 2))).toEqual([
    [60, 140],
    [140, 60],
  ]);
});

it('enlarges, and has a line at least', () => {
  expect(shades(smallCopy(picture([[0, 100]]), 4))).toEqual([
    [0, 0, 100, 100],
    [0, 0, 100, 100],
  ]);
  expect(shades(smallCopy(picture([[0, 50, 100, 150]]), 2))).toEqual([[25, 125]]);
});

it('keeps colours apart, and is opaque', () => {
  const data = Uint8Array.from([255, 0, 0, 7, 0, 0, 255, 7]);
  expect([...smallCopy({ width: 2, height: 1, channels: 4, data }, 1).data]).toEqual([128, 0, 128, 255]);
});
