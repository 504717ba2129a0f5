import { expect, it } from 'vitest';
import { DEFAULTS, parsePreferences } from '#renderer/preferences/preference-values.ts';
import { firstOptions, toFields, toRemember } from '#renderer/upload/options/options.ts';
import { rememberedFields } from '#renderer/upload/options/remembered-fields.ts';

const account = { visibility: 'private' as const, album_id: 'default000' };

it('begins with the options of this browser, then the account’s, and always with the album of the page', () => {
  expect(firstOptions({}, undefined, account)).toMatchObject({ albums: ['default000'], visibility: 'private', expiresIn: '', tags: [] });
  const fields = { visibility: 'public', album_id: 'coast00000', expires_in: '3600', max_views: '5', convert: 'webp', tags: 'sea,sun' };
  const options = firstOptions(fields, undefined, account);
  expect(options).toMatchObject({ albums: ['coast00000'], visibility: 'public', expiresIn: '3600', maxViews: 5, tags: ['sea', 'sun'] });
  expect(firstOptions(fields, 'shown00000', account).albums).toEqual(['shown00000']);
  expect(toFields(options, options.albums)).toEqual(fields);
  const several = { visibility: 'public', convert: 'original', albums: 'coast00000,sea0000000' };
  expect(toFields(firstOptions(several, undefined, account), ['coast00000', 'sea0000000'])).toEqual(several);
  expect(firstOptions(several, undefined, account).albums).toEqual(['coast00000', 'sea0000000']);
});

it('sends only what was chosen', () => {
  const options = firstOptions({}, undefined, undefined);
  expect(toFields(options, [])).toEqual({ visibility: 'public', convert: 'original' });
  expect(toFields({ ...options, password: 'open sesame', tags: ['a,b'] }, ['coast00000'])).toEqual({
    visibility: 'public',
    convert: 'original',
    album_id: 'coast00000',
    access_password: 'open sesame',
    tags: 'a b',
  });
});

it('sends a custom address, and what replaces it, only together', () => {
  const options = firstOptions({}, undefined, undefined, 'avif');
  expect(toFields({ ...options, slugOr: 'number' }, [])).toEqual({ visibility: 'public', convert: 'avif' });
  expect(toFields({ ...options, slug: ' Coast ' }, [])).toEqual({ visibility: 'public', convert: 'avif', slug: 'coast' });
  const named = toFields({ ...options, slug: 'coast', slugOr: 'number' }, []);
  expect(named).toMatchObject({ slug: 'coast', slug_or: 'number' });
  expect(toRemember(named)).toEqual({ visibility: 'public', convert: 'avif' });
  expect(firstOptions({ convert: 'heic' }, undefined, undefined).convert).toBe('original');
});

it('never keeps a password, and keeps options for their user only', () => {
  const fields = toRemember({ visibility: 'private', access_password: 'open sesame', expires_at: '2026-12-31T18:00:00Z' });
  expect(fields).toEqual({ visibility: 'private' });
  const { uploadOptions } = parsePreferences(
    JSON.stringify({ uploadOptions: { user: 7, fields: { ...fields, access_password: 'x', tags: 5 } } }),
  );
  expect(uploadOptions).toEqual({ user: 7, fields: { visibility: 'private' } });
  expect(rememberedFields(uploadOptions, 7)).toEqual({ visibility: 'private' });
  expect(rememberedFields(uploadOptions, 8)).toEqual({});
  expect(rememberedFields(uploadOptions, undefined)).toEqual({});
});

it.each([7, 'text', [], { user: 'ada', fields: {} }, { user: 7 }])('ignores stored options such as %j', (uploadOptions) => {
  expect(parsePreferences(JSON.stringify({ uploadOptions }))).toEqual(DEFAULTS);
});
