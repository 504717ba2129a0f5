import { expect, it } from 'vitest';
import { moved } from '#renderer/albums/albums.ts';

it('moves one item and keeps the order of the others', () => {
  const before = ['a', 'b', 'c', 'd'];
  expect(moved(before, 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(before, 3, 0)).toEqual(['d', 'a', 'b', 'c']);
  expect(before).toEqual(['a', 'b', 'c', 'd']);
});
