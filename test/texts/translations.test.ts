import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { ERROR_STATUS } from '#api/errors.ts';
import { en as englishMain, en as main } from '#main/texts/en.ts';
import { zh as chineseMain } from '#main/texts/zh.ts';
import { en as englishPage, en as page } from '#renderer/i18n/en.ts';
import { en as admin, en as englishAdmin } from '#renderer/i18n/en-admin.ts';
import { texts as englishEntry } from '#renderer/i18n/en-entry.ts';
import { zh as chinesePage } from '#renderer/i18n/zh.ts';
import { zh as chineseAdmin } from '#renderer/i18n/zh-admin.ts';
import { texts as chineseEntry } from '#renderer/i18n/zh-entry.ts';
import { desktop, desktop as englishDesktop } from '#texts/en/desktop/desktop.ts';
import { editor, editor as englishEditor } from '#texts/en/editor.ts';
import { errors } from '#texts/en/errors.ts';
import { phone } from '#texts/en/public/phone.ts';
import { desktop as chineseDesktop } from '#texts/zh/desktop/desktop.ts';
import { editor as chineseEditor } from '#texts/zh/editor.ts';
import { sourceFiles } from '../../scripts/lint/import-graph.ts';

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

const ROOT = join(import.meta.dirname, '../..');

interface Names {
  /** Strings, and names of properties. */
  words: Set<string>;
  /** Strings with gaps, such as `links.${format}`, as patterns. */
  patterns: RegExp[];
}

interface Node {
  type: string;
  [key: string]: unknown;
}

/** What the sources could name a text with. */
function namesIn(files: readonly string[]): Names {
  const names: Names = { words: new Set(), patterns: [] };
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    if ('type' in node) collect(node as Node, names);
    Object.values(node).forEach(visit);
  };
  for (const file of files) visit(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program);
  return names;
}

function collect(node: Node, { words, patterns }: Names): void {
  if (node.type === 'Literal' && typeof node.value === 'string') words.add(node.value);
  // A name of a property; what is only a variable's name fills no gap.
  const name = (node.key ?? node.property) as Node | undefined;
  if (name?.type === 'Identifier') words.add(name.name as string);
  if (node.type !== 'TemplateLiteral') return;
  const parts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked.replaceAll('.', '\\.'));
  if (parts.length > 1 && /^\w+\\\./.test(parts[0] ?? '')) patterns.push(new RegExp(`^${parts.join('(.+)')}$`));
}

/** The texts that nothing names: neither in full nor as a pattern whose gaps take words of the sources. */
function unreachable(texts: object, { words, patterns }: Names, gaps: ReadonlySet<string>): string[] {
  const isWord = (word: string) => words.has(word) || gaps.has(word);
  const isNamed = (key: string) =>
    words.has(key) ||
    patterns.some((pattern) =>
      pattern
        .exec(key)
        ?.slice(1)
        .every((gap) => gap.split('.').every(isWord)),
    );
  return keysOf(texts).filter((key) => !isNamed(key));
}

/** The keys of all texts, without the endings of plural forms. */
function keysOf(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null ? keysOf(value, `${before}${key}.`) : [before + key.replace(/_(one|other)$/, '')],
  );
}

const FILES = sourceFiles(ROOT, ['renderer']).filter((file) => !/^renderer\/i18n\/(en|zh)\b/.test(file));
/** The contract names most values that texts are made for; the service, those in the audit log. */
const SERVICE = namesIn(sourceFiles(ROOT, ['api', 'server'])).words;
const below = (folder: string) => namesIn(FILES.filter((file) => file.startsWith(folder)));

it.each([
  ['the page', page, 'renderer/'],
  ['the page of phones', { phone }, 'renderer/features/phone/'],
  ['administration', admin, 'renderer/features/admin/'],
  ['the editor', editor, 'renderer/editor/'],
  ['the app’s own pages', desktop, 'renderer/desktop/'],
])('has no text of %s that no code shows', (_name, texts, folder) => {
  expect(unreachable({ ...texts, errors: {} }, below(folder), SERVICE)).toEqual([]);
});

it('has no text of the main process that no code shows', () => {
  const { words } = namesIn(sourceFiles(ROOT, ['main']).filter((file) => !file.startsWith('main/texts/')));
  expect(Object.keys(main).filter((key) => !words.has(key))).toEqual([]);
});

it('has English words only for errors that the page doesn’t get from the service in English', () => {
  const sources = FILES.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  // The page's own refusals, and responses of proxies by status.
  const own = new Set([...sources.matchAll(/(?:new LocalRefusal\(\{ code|\b[45]\d\d): '(\w+)'/g)].map(([, code]) => code));
  expect(own.size).toBeGreaterThan(0);
  const { words } = below('renderer/');
  const unused = Object.keys(errors).filter((name) => (name in ERROR_STATUS ? !own.has(name) : !words.has(name)));
  expect(unused).toEqual(['internal']);
  expect(words.has('errors.internal.next')).toBe(true);
  expect(Object.keys(errors.internal)).toEqual(['next']);
});
