import { expect, it } from 'vitest';
import { groupAlike, type Likeness } from '#server/features/gallery/alike.ts';
import { differentBits } from '#test/helpers/pictures/different-bits.ts';

/** A hash with some bits of another one turned. */
const turned = (phash: string, bits: readonly number[]) =>
  bits
    .reduce((hash, bit) => hash ^ (1n << BigInt(bit)), BigInt(`0x${phash}`))
    .toString(16)
    .padStart(16, '0');
const BASE = '0123456789abcdef';
const images = (...hashes: (string | null)[]): Likeness[] =>
  hashes.map((phash, index) => ({ id: index + 1, sha256: `file ${index}`, phash }));

it.each([
  ['none', []],
  ['one bit', [0]],
  ['six in one band', [0, 1, 2, 3, 4, 5]],
  ['six in all bands', [0, 1, 17, 33, 34, 63]],
  ['six in the last two bands', [48, 49, 50, 32, 33, 34]],
])('groups hashes that differ in %s', async (_, bits) => {
  expect(await groupAlike(images(BASE, turned(BASE, bits)))).toEqual([[1, 2]]);
});

it.each([
  ['seven in one band', [0, 1, 2, 3, 4, 5, 6]],
  ['seven in all bands', [0, 1, 17, 18, 33, 34, 63]],
])('keeps hashes apart that differ in %s', async (_, bits) => {
  expect(await groupAlike(images(BASE, turned(BASE, bits)))).toEqual([]);
});

it('finds the same as comparing every pair', async () => {
  const random = (seed: number) => () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const next = random(7);
  const hashes: string[] = [];
  for (let index = 0; index < 300; index++) {
    const known = hashes[Math.floor(next() * hashes.length)];
    const bits = Array.from({ length: Math.floor(next() * 9) }, () => Math.floor(next() * 64));
    hashes.push(
      known && next() < 0.5 ? turned(known, bits) : Array.from({ length: 16 }, () => Math.floor(next() * 16).toString(16)).join(''),
    );
  }
  const expected: number[][] = [];
  const grouped = new Set<number>();
  for (const [index, hash] of hashes.entries()) {
    if (grouped.has(index)) continue;
    const group = hashes.flatMap((other, at) => (at >= index && !grouped.has(at) && differentBits(hash, other) <= 6 ? [at] : []));
    for (const at of group) grouped.add(at);
    if (group.length > 1) expected.push(group.map((at) => at + 1));
  }
  const sorted = (groups: number[][]) => groups.toSorted(([a = 0], [b = 0]) => a - b);
  expect(expected.length).toBeGreaterThan(20);
  expect(sorted(await groupAlike(images(...hashes)))).toEqual(expected);
});

it('groups the same bytes without a hash, and nothing else without one', async () => {
  const [first, second, third, fourth] = images(null, null, '', '') as [Likeness, Likeness, Likeness, Likeness];
  const same = { ...fourth, sha256: third.sha256 };
  expect(await groupAlike([first, second, third, same])).toEqual([[3, 4]]);
});

it('has all images of a group alike to its first one, and up to 50 in a group', async () => {
  const chain = [BASE, turned(BASE, [0, 1, 2, 3]), turned(BASE, [0, 1, 2, 3, 20, 21, 22, 23])];
  expect(await groupAlike(images(...chain))).toEqual([[1, 2]]);
  const groups = await groupAlike(images(...Array.from({ length: 120 }, () => BASE)));
  expect(groups.map(({ length }) => length)).toEqual([50, 50, 20]);
});
