import { expect, it } from 'vitest';
import type { Image } from '#api/images/images.ts';
import { bestOf, placesFor } from '#renderer/features/gallery/duplicates/uses.ts';

const image = (key: string, fields: Partial<Image> = {}) =>
  ({
    key,
    albums: [],
    title: '',
    caption: '',
    alt: '',
    tags: [],
    slug: null,
    views: 0,
    width: 30,
    height: 20,
    size: 9,
    ...fields,
  }) as unknown as Image;
const album = (id: string, cover_key: string | null = null) => ({ id, name: id, cover_key });

it.each([
  ['in an album', { albums: ['holiday'] }],
  ['with a title', { title: 'Boat' }],
  ['with views', { views: 3 }],
  ['with a password', { has_password: true }],
  ['with an address', { slug: 'boat' }],
])('suggests keeping the copy %s, even if it has fewer pixels', (_what, fields) => {
  const [large, used] = [image('large', { width: 3000, height: 2000 }), image('used', fields)];
  expect(bestOf([large, used], [])?.key).toBe('used');
});

it('suggests the cover of an album, the most pixels, the largest file, then the oldest upload', () => {
  expect(bestOf([image('a'), image('b')], [album('holiday', 'b')])?.key).toBe('b');
  expect(bestOf([image('a'), image('b', { width: 31 })], [])?.key).toBe('b');
  expect(bestOf([image('a'), image('b', { size: 10 })], [])?.key).toBe('b');
  expect(bestOf([image('a'), image('b')], [])?.key).toBe('a');
});

it('doesn’t suggest a copy only because it expires', () => {
  expect(bestOf([image('a'), image('b', { expires_at: '2030-01-01T00:00:00Z' })], [])?.key).toBe('a');
});

it('finds the albums in which a kept copy takes a place, as a picture or as the cover', () => {
  const [kept, dropped] = [image('kept', { albums: ['both', 'covered'] }), image('dropped', { albums: ['both', 'covered', 'left'] })];
  const albums = [album('both'), album('left'), album('covered', 'dropped'), album('other')];
  expect(placesFor(kept, [dropped], albums).map(({ id }) => id)).toEqual(['left', 'covered']);
});
