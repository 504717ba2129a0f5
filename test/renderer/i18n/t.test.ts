import i18next from 'i18next';
import { expect, it } from 'vitest';
import { en as appEn } from '#renderer/i18n/en.ts';
import { en as adminEn } from '#renderer/i18n/en-admin.ts';
import { texts as guestEn } from '#renderer/i18n/en-guest.ts';
import { i18n } from '#renderer/i18n/t.ts';
import { zh as appZh } from '#renderer/i18n/zh.ts';
import { zh as adminZh } from '#renderer/i18n/zh-admin.ts';
import { texts as guestZh } from '#renderer/i18n/zh-guest.ts';
import { editor as editorEn } from '#texts/en/editor.ts';
import { editor as editorZh } from '#texts/zh/editor.ts';

type Texts = { readonly [key: string]: string | Texts };

/** The keys of all texts, without the endings of plural forms. */
function keysOf(texts: Texts, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [before + key.replace(/_(one|other)$/, '')] : keysOf(value, `${before}${key}.`),
  );
}

/** The names of all values in the texts. */
const namesIn = (texts: Texts) => [...new Set([...JSON.stringify(texts).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))];

it.each([
  ['the application', 'translation', appEn, appZh],
  ['administration', 'admin', adminEn, adminZh],
  ['the editor', 'editor', editorEn, editorZh],
  ['guests', 'translation', guestEn, guestZh],
] as const)('translates every text of %s exactly as i18next does', async (_, namespace, en, zh) => {
  const real = i18next.createInstance();
  await real.init({ lng: 'en', resources: { en: { [namespace]: en }, zh: { [namespace]: zh } }, interpolation: { escapeValue: false } });
  for (const [language, texts] of [
    ['en', en],
    ['zh', zh],
  ] as const) {
    i18n.add(language, namespace, texts);
    i18n.changeLanguage(language);
    await real.changeLanguage(language);
    type Any = (key: string, values?: object) => string;
    const [ours, theirs] = [i18n.getT(namespace) as Any, real.getFixedT(null, namespace) as unknown as Any];
    const [keys, names] = [keysOf(texts), namesIn(texts)];
    expect(keys.length).toBeGreaterThan(30);
    for (const key of keys)
      for (const count of [undefined, 0, 1, 2, 1000]) {
        const values = { ...Object.fromEntries(names.map((name) => [name, `<${name}> $& '”`])), count };
        if (count === undefined) delete values.count;
        const [one, other] = [ours(key, values), theirs(key, values)];
        // Only then: comparing thousands takes seconds.
        if (one !== other) expect([key, count, one]).toEqual([key, count, other]);
      }
    expect([ours('no.such.text'), ours('no.such.text', { defaultValue: 'A newer text' })]).toEqual(['no.such.text', 'A newer text']);
    expect([theirs('no.such.text'), theirs('no.such.text', { defaultValue: 'A newer text' })]).toEqual(['no.such.text', 'A newer text']);
  }
});

it('adds texts that a part brings to those that are there', async () => {
  i18n.add('en', 'translation', guestEn);
  i18n.add('en', 'translation', { address: { note: 'Elsewhere' } });
  i18n.changeLanguage('en');
  const t = i18n.getT('translation') as (key: string) => string;
  expect([t('address.note'), t('common.close')]).toEqual(['Elsewhere', guestEn.common.close]);
});
