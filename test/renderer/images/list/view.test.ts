import { describe, expect, it } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { mergeImages } from '#renderer/images/list/list.ts';
import { withItems } from '#renderer/images/list/pages.ts';
import { comesBefore, passes, toQuery } from '#renderer/images/list/view.ts';

const base = {
  key: 'k',
  name: 'b.jpg',
  ext: 'jpg',
  size: 10,
  visibility: 'public',
  album_id: null,
  albums: [] as string[],
  favourite: false,
  tags: ['sea'],
  created_at: new Date(2026, 10, 21, 0, 30).toISOString(),
  taken_at: new Date(2020, 0, 1, 12).toISOString(),
};
const image = (some: Partial<Image> = {}) => ({ ...base, ...some }) as Image;

describe('a view of images', () => {
  it('accepts images that pass every filter, and no others', () => {
    const sort = 'uploaded_desc';
    expect(passes(image(), { sort, tag: 'sea', type: 'jpg', visibility: 'public' })).toBe(true);
    expect(passes(image(), { sort, tag: 'lake' })).toBe(false);
    expect(passes(image(), { sort, favourite: true })).toBe(false);
    expect(passes(image(), { sort, album_id: 'abcdefghij' })).toBe(false);
    expect(passes(image({ album_id: 'other00000', albums: ['other00000', 'abcdefghij'] }), { sort, album_id: 'abcdefghij' })).toBe(true);
    expect(passes(image({ visibility: 'private' }), { sort, visibility: 'public' })).toBe(false);
  });

  it('counts local days, both ends included, by the time that it sorts by', () => {
    expect(passes(image(), { sort: 'uploaded_desc', from: '2026-11-21', to: '2026-11-21' })).toBe(true);
    expect(passes(image(), { sort: 'uploaded_desc', to: '2026-11-20' })).toBe(false);
    expect(passes(image(), { sort: 'taken_asc', from: '2026-11-21' })).toBe(false);
    expect(toQuery({ sort: 'uploaded_desc', from: '2026-11-21', to: '2026-11-21' })).toMatchObject({
      from: new Date(2026, 10, 21).toISOString(),
      to: new Date(2026, 10, 22).toISOString(),
    });
  });

  it('sorts by time in both directions, by name and by size', () => {
    const later = image({ created_at: '2027-01-01T00:00:00.000Z', name: 'a.jpg', size: 5 });
    expect(comesBefore(later, image(), 'uploaded_desc')).toBe(true);
    expect(comesBefore(later, image(), 'uploaded_asc')).toBe(false);
    expect(comesBefore(later, image(), 'name_asc')).toBe(true);
    expect(comesBefore(later, image(), 'size_desc')).toBe(false);
  });

  it('drops an image that no longer passes, and adds none to a search', () => {
    const empty = { after: undefined, until: undefined, loaded: false, items: [], ratios: [], days: [], hashes: undefined };
    const list = { pages: [withItems(empty, [image()], { sort: 'uploaded_desc' })] };
    const keys = (changed: Image, view: Parameters<typeof mergeImages>[2]) =>
      mergeImages(list, [changed], view).pages.flatMap(({ items }) => items.map(({ key }) => key));
    expect(keys(image({ visibility: 'private' }), { sort: 'uploaded_desc', visibility: 'public' })).toEqual([]);
    expect(keys(image({ key: 'new' }), { sort: 'uploaded_desc', q: 'b' })).toEqual(['k']);
  });
});
