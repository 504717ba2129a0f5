import i18next from 'i18next';
import { expect, it } from 'vitest';
import { texts as en } from '#renderer/i18n/en-guest.ts';
import { texts as zh } from '#renderer/i18n/zh-guest.ts';
import small from '#renderer/light/small-i18next.ts';

type Texts = { readonly [key: string]: string | Texts };

/** What texts have values for, besides `count`. */
const NAMES = [
  ...['time', 'name', 'site', 'date', 'album', 'formatted', 'width', 'height', 'keys', 'size', 'max', 'exts', 'limit'],
  ...['percent', 'speed', 'added', 'known'],
];

/** The keys of all texts, without the endings of plural forms. */
function keysOf(texts: Texts, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [before + key.replace(/_(one|other)$/, '')] : keysOf(value, `${before}${key}.`),
  );
}

it('translates every text of the light pages exactly as i18next does', async () => {
  const real = i18next.createInstance();
  await real.init({ lng: 'en', resources: { en: { translation: en }, zh: { translation: zh } }, interpolation: { escapeValue: false } });
  for (const [language, texts] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    small.addResourceBundle(language, 'translation', texts);
    await small.changeLanguage(language);
    await real.changeLanguage(language);
    const keys = keysOf(texts);
    expect(keys.length).toBeGreaterThan(100);
    for (const key of keys)
      for (const count of [undefined, 0, 1, 2, 1000]) {
        const values = { ...Object.fromEntries(NAMES.map((name) => [name, `<${name}> $& '”`])), ...(count !== undefined && { count }) };
        const translate = real.t as (key: string, values: object) => string;
        expect([key, count, small.t(key, values)]).toEqual([key, count, translate(key, values)]);
      }
  }
  for (const translate of [small.t, real.t as typeof small.t]) {
    expect(translate('no.such.text')).toBe('no.such.text');
    expect(translate('no.such.text', { defaultValue: 'A newer text' })).toBe('A newer text');
  }
});

it('adds texts that a part brings to those that are there', async () => {
  small.addResourceBundle('en', 'translation', en);
  small.addResourceBundle('en', 'translation', { address: { note: 'Elsewhere' } });
  await small.changeLanguage('en');
  expect([small.t('address.note'), small.t('common.close')]).toEqual(['Elsewhere', en.common.close]);
});
