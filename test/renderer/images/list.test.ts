import { describe, expect, it } from 'vitest';
import type { Image } from '#api/images.ts';
import { type ImageList, mergeImages, withoutImages } from '#renderer/images/list.ts';

const image = (key: string, minute: number, name = key) =>
  ({ key, name, created_at: `2026-11-21T00:${String(minute).padStart(2, '0')}:00Z`, taken_at: '2020-01-01T00:00:00Z' }) as Image;
const list = (complete: boolean, ...pages: Image[][]): ImageList => ({
  pages: pages.map((items, index) => ({ items, next_cursor: complete && index === pages.length - 1 ? null : 'more' })),
  pageParams: [],
});
const keys = ({ pages }: ImageList) => pages.map(({ items }) => items.map(({ key }) => key));

describe('merging changes into a loaded list', () => {
  const loaded = list(false, [image('e', 50), image('d', 40)], [image('c', 30), image('b', 20)]);

  it('inserts a new image by its time', () => {
    expect(keys(mergeImages(loaded, [image('new', 55)], { sort: 'uploaded_desc' }))).toEqual([
      ['new', 'e', 'd'],
      ['c', 'b'],
    ]);
    expect(keys(mergeImages(loaded, [image('new', 35)], { sort: 'uploaded_desc' }))).toEqual([
      ['e', 'd'],
      ['new', 'c', 'b'],
    ]);
  });

  it('leaves an image older than all loaded ones to its page, unless everything is loaded', () => {
    expect(keys(mergeImages(loaded, [image('old', 1)], { sort: 'uploaded_desc' }))).toEqual([
      ['e', 'd'],
      ['c', 'b'],
    ]);
    expect(keys(mergeImages(list(true, [image('c', 30)]), [image('old', 1)], { sort: 'uploaded_desc' }))).toEqual([['c', 'old']]);
    expect(keys(mergeImages(list(true, []), [image('first', 1)], { sort: 'uploaded_desc' }))).toEqual([['first']]);
  });

  it('replaces a known image instead of showing it twice', () => {
    const merged = mergeImages(loaded, [image('d', 40, 'renamed')], { sort: 'uploaded_desc' });
    expect(keys(merged)).toEqual(keys(loaded));
    expect(merged.pages[0]?.items[1]?.name).toBe('renamed');
  });

  it('mutates neither the list nor its pages', () => {
    const before = keys(loaded);
    mergeImages(loaded, [image('new', 55)], { sort: 'uploaded_desc' });
    withoutImages(loaded, new Set(['e']));
    expect(keys(loaded)).toEqual(before);
  });

  it('removes images from any page', () => {
    expect(keys(withoutImages(loaded, new Set(['e', 'b', 'unknown'])))).toEqual([['d'], ['c']]);
  });
});
