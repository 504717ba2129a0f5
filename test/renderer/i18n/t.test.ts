import i18next from 'i18next';
import { describe, expect, it } from 'vitest';
import { en as appEn } from '#renderer/i18n/en.ts';
import { en as adminEn } from '#renderer/i18n/en-admin.ts';
import { texts as guestEn } from '#renderer/i18n/en-guest.ts';
import { dateFormat, dayOf, formatBytes, formatDuration, formatWait } from '#renderer/i18n/format.ts';
import { joinSentences } from '#renderer/i18n/sentences.ts';
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

describe('formatters', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [3_565_158, '3.4 MB'],
    [157_286_400, '150 MB'],
    [21_474_836_480, '20 GB'],
    [5e15, '4,547 TB'],
  ])('writes %d bytes as %s', (bytes, text) => expect(formatBytes(bytes, 'en-GB')).toBe(text));

  it.each([
    [0.2, '1 sec'],
    [42, '42 secs'],
    [130, '2 mins 10 secs'],
    [3725, '1 hr 2 mins'],
  ])('writes %d seconds as %s', (seconds, text) => expect(formatDuration(seconds, 'en-GB')).toBe(text));

  it.each([
    [42, '42\u00a0秒'],
    [130, '2\u00a0分钟 10\u00a0秒'],
    [3725, '1\u00a0小时 2\u00a0分钟'],
  ])('writes %d seconds in Chinese as %s', (seconds, text) => expect(formatDuration(seconds, 'zh-CN')).toBe(text));

  it('groups by the local day, not by the one in Greenwich', () => {
    const lateEvening = new Date(2026, 10, 21, 23, 59, 59);
    expect(dayOf(lateEvening)).toBe('2026-11-21');
    expect(dayOf(lateEvening.toISOString())).toBe('2026-11-21');
    expect(dayOf(new Date(2026, 10, 22, 0, 0, 0))).toBe('2026-11-22');
  });

  it.each([
    ['en-GB', '18 Nov', '18 Nov 2025', 'Mon, 25 Sept 2023', '25 Sept 2023, 09:05'],
    ['zh-CN', '11月18日', '2025年11月18日', '2023年9月25日周一', '2023年9月25日 09:05'],
  ])('names the year of a date only when it is another one, in %s', (locale, thisYear, lastYear, withWeekday, withTime) => {
    const now = new Date(2026, 10, 21);
    const shown = (text: string) => text.replaceAll('\u2060', '');
    expect(shown(dateFormat(locale)(new Date(2026, 10, 18), now))).toBe(thisYear);
    expect(shown(dateFormat(locale)(new Date(2025, 10, 18), now))).toBe(lastYear);
    const picnic = new Date(2023, 8, 25, 9, 5);
    expect(shown(dateFormat(locale, { weekday: 'short' })(picnic, now))).toBe(withWeekday);
    expect(shown(dateFormat(locale, { hour: '2-digit', minute: '2-digit' })(picnic, now))).toBe(withTime);
  });

  it('keeps Chinese dates on one line, though not together with the time', () => {
    const format = dateFormat('zh-CN', { hour: '2-digit', minute: '2-digit' });
    expect(format(new Date(2023, 8, 25, 9, 5))).toBe('2023\u2060年\u20609\u2060月\u206025\u2060日 09:05');
  });
});

it.each([
  [275, 'en-GB', '5 minutes'],
  [61, 'en-GB', '61 seconds'],
  [91, 'en-GB', '2 minutes'],
  [0, 'en-GB', '1 second'],
  [275, 'zh-CN', '5\u00a0分钟'],
])('%d seconds until another attempt are shown rounded up: %s', (seconds, locale, shown) => {
  expect(formatWait(seconds, locale)).toBe(shown);
});

it('joins sentences as their language does', () => {
  expect(joinSentences('Incorrect password.', 'Check it and try again.')).toBe('Incorrect password. Check it and try again.');
  expect(joinSentences('密码不正确。', '请检查后重试。')).toBe('密码不正确。请检查后重试。');
  expect(joinSentences('部分内容无效。', 'The name is too long.')).toBe('部分内容无效。The name is too long.');
  expect(joinSentences('A password is required.', '')).toBe('A password is required.');
});
