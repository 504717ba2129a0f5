import { expect, it } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { isLoaded, spanOfRange } from '#renderer/images/list/range.ts';

const at = (key: string, second: number) => ({ key, created_at: new Date(second * 1000).toISOString() }) as Image;
const list = [at('a', 9), at('b', 7), at('c', 7), at('d', 5), at('e', 3), at('f', 3), at('g', 1)];
const images = {
  count: list.length,
  at: (index: number) => list[index],
  find: (key: string) => list.findIndex((image) => image.key === key),
};
const [, , c, , e] = list as [Image, Image, Image, Image, Image];

it('spans the time between two images, without those beside them of the same time', () => {
  const range = spanOfRange([e, c], { first: 2, last: 4 }, images, 'uploaded_desc');
  expect(range.span).toEqual({ from: '1970-01-01T00:00:03.000Z', to: '1970-01-01T00:00:07.001Z' });
  expect(range.beside.map(({ key }) => key)).toEqual(['b', 'f']);
});

it('knows whether a range is loaded', () => {
  const page = (loaded: boolean) => ({ after: undefined, until: undefined, loaded, items: [], ratios: [], days: [], hashes: undefined });
  const pages = [page(true), page(false), page(true)];
  const starts = [0, 100, 200];
  expect(isLoaded(pages, starts, { first: 0, last: 99 })).toBe(true);
  expect(isLoaded(pages, starts, { first: 99, last: 250 })).toBe(false);
  expect(isLoaded(pages, starts, { first: 200, last: 250 })).toBe(true);
});
