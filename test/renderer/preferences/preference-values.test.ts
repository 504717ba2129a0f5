import { expect, it } from 'vitest';
import { DEFAULTS, parsePreferences } from '#renderer/preferences/preference-values.ts';

it('keeps valid stored values and replaces invalid ones', () => {
  expect(parsePreferences(JSON.stringify({ language: 'zh', linkFormat: 'bbcode', copyAfterUpload: false }))).toEqual({
    ...DEFAULTS,
    language: 'zh',
    linkFormat: 'bbcode',
    copyAfterUpload: false,
  });
  expect(parsePreferences('{"language":"tlh","linkFormat":7,"copyAfterUpload":"yes","density":null,"more":1}')).toEqual(DEFAULTS);
});

it.each([null, '', 'not json', '[]', '7', 'null'])('falls back to the defaults for %j', (text) => {
  expect(parsePreferences(text)).toEqual(DEFAULTS);
});
