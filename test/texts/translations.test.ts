import { describe, expect, it } from 'vitest';
import { ERROR_STATUS } from '#api/errors.ts';
import { en as englishMain } from '#main/texts/en.ts';
import { zh as chineseMain } from '#main/texts/zh.ts';
import { en as englishPage } from '#renderer/i18n/en.ts';
import { en as englishAdmin } from '#renderer/i18n/en-admin.ts';
import { texts as englishEntry } from '#renderer/i18n/en-entry.ts';
import { zh as chinesePage } from '#renderer/i18n/zh.ts';
import { zh as chineseAdmin } from '#renderer/i18n/zh-admin.ts';
import { texts as chineseEntry } from '#renderer/i18n/zh-entry.ts';
import { desktop as englishDesktop } from '#texts/en/desktop/desktop.ts';
import { editor as englishEditor } from '#texts/en/editor.ts';
import { desktop as chineseDesktop } from '#texts/zh/desktop/desktop.ts';
import { editor as chineseEditor } from '#texts/zh/editor.ts';

/** Every text by its path. */
function textsOf(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    if (typeof value === 'object') return textsOf(value, `${path}${key}.`);
    return [[path + key, typeof value === 'string' ? value : '(…)'] as [string, string]];
  });
}

const placeholders = (text: string) => new Set(text.match(/\{\{\w+\}\}/g) ?? []);

/** Said in Chinese only: the service says it in English. */
function isFromService(path: string): boolean {
  const [, name = ''] = /^(?:errors|refusals)\.(\w+)/.exec(path) ?? [];
  return name in ERROR_STATUS || name === 'guests_full' || path.startsWith('refusals.');
}

describe.each([
  ['the page', englishPage, chinesePage],
  ['the pages before sign-in', englishEntry, chineseEntry],
  ['administration', englishAdmin, chineseAdmin],
  ['the editor', englishEditor, chineseEditor],
  ['the app’s own pages', englishDesktop, chineseDesktop],
  ['the main process', englishMain, chineseMain],
])('the texts of %s', (_name, en, zh) => {
  const [english, chinese] = [new Map(textsOf(en)), new Map(textsOf(zh))];
  const inBoth = [...chinese].filter(([path]) => english.has(path));

  it('exist in both languages', () => {
    expect(chinese.size).toBeGreaterThan(60);
    expect([...english.keys()].filter((path) => !chinese.has(path) && !path.endsWith('_one'))).toEqual([]);
    expect([...chinese.keys()].filter((path) => !english.has(path) && !isFromService(path))).toEqual([]);
  });

  it('are empty in neither language or in both', () => {
    expect(inBoth.filter(([path, text]) => (text === '') !== (english.get(path) === ''))).toEqual([]);
  });

  it('use in Chinese only values that the English ones get', () => {
    const strange = inBoth.filter(([path, text]) => {
      const known = placeholders(english.get(path) as string);
      // Plurals always get their count, also where English doesn't write it.
      if (path.endsWith('_other')) known.add('{{count}}');
      return [...placeholders(text)].some((value) => !known.has(value));
    });
    expect(strange).toEqual([]);
  });
});
