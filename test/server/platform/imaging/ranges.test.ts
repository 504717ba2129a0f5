import { describe, expect, it } from 'vitest';
import { Ranges } from '#server/platform/imaging/ranges.ts';

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
