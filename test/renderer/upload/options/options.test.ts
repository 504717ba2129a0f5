import { expect, it } from 'vitest';
import { DEFAULTS, parsePreferences } from '#renderer/preferences/preference-values.ts';
import { firstOptions, rememberedFields, toFields, toRemember } from '#renderer/upload/options/options.ts';

const account = { visibility: 'private' as const, album_id: 'default000' };

it('begins with the options of this browser, then the account’s, and always with the album of the page', () => {
  expect(firstOptions({}, undefined, account)).toMatchObject({ album: 'default000', visibility: 'private', expiresIn: '', tags: [] });
  const fields = { visibility: 'public', album_id: 'coast00000', expires_in: '3600', max_views: '5', tags: 'sea,sun' };
  const options = firstOptions(fields, undefined, account);
  expect(options).toMatchObject({ album: 'coast00000', visibility: 'public', expiresIn: '3600', maxViews: 5, tags: ['sea', 'sun'] });
  expect(firstOptions(fields, 'shown00000', account).album).toBe('shown00000');
  expect(toFields(options, options.album)).toEqual(fields);
});

it('sends only what was chosen', () => {
  const options = firstOptions({}, undefined, undefined);
  expect(toFields(options, undefined)).toEqual({ visibility: 'public' });
  expect(toFields({ ...options, password: 'open sesame', tags: ['a,b'] }, 'coast00000')).toEqual({
    visibility: 'public',
    album_id: 'coast00000',
    access_password: 'open sesame',
    tags: 'a b',
  });
});

it('never keeps a password, and keeps options for their user only', () => {
  const fields = toRemember({ visibility: 'private', access_password: 'open sesame' });
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
