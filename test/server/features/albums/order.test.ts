import { expect, it } from 'vitest';
import { movedAlbums } from '#server/features/albums/order.ts';

it.each<[string, string, string[]]>([
  ['nothing', 'abcde', []],
  ['one to the front', 'eabcd', ['e']],
  ['one to the end', 'bcdea', ['a']],
  ['two at once', 'dabec', ['d', 'e']],
  ['everything turned round', 'edcba', ['e', 'd', 'c', 'b']],
])('finds the fewest moved albums that explain the new order: %s', (_name, after, moved) => {
  const found = movedAlbums([...'abcde'], [...after]);
  expect(found).toHaveLength(moved.length);
  // The rest keeps its order.
  expect([...after].filter((id) => !found.includes(id))).toEqual([...'abcde'].filter((id) => !found.includes(id)));
  if (moved.length === 1) expect(found).toEqual(moved);
});
