import { expect, test } from 'vitest';
import { decode, encode } from './codec.ts';

test('the double’s IPC carries the same values as structured clone', () => {
  const value = {
    plain: ['text', 1.5, true, null],
    odd: [undefined, Number.NaN, Number.POSITIVE_INFINITY, 12n],
    date: new Date(5),
    map: new Map<unknown, unknown>([['a', new Set([1])]]),
    bytes: Uint8Array.from({ length: 70_000 }, (_, index) => index % 256),
  };
  expect(decode(encode(value))).toEqual(value);
  expect(decode(encode(new TypeError('no')))).toMatchObject({ name: 'TypeError', message: 'no' });
});
