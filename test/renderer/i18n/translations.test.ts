import { describe, expect, it } from 'vitest';
import { en } from '#renderer/i18n/en.ts';
import { zh } from '#renderer/i18n/zh.ts';

/** Every text by its path. */
function texts(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : texts(value, `${path}${key}.`),
  );
}
const placeholders = (text: string) => new Set(text.match(/\{\{?\w+\}?\}/g) ?? []);

describe('translations', () => {
  const english = new Map(texts(en));

  it.each(texts(zh))('%s uses only values that the English text gets', (path, text) => {
    const original = english.get(path);
    expect(original).toBeDefined();
    const known = placeholders(original ?? '');
    // Plurals always get their count, also where English does not write it.
    if (path.endsWith('_other')) known.add('{{count}}');
    for (const name of placeholders(text)) expect(known).toContain(name);
  });

  it('leaves no text empty in one language only', () => {
    for (const [path, text] of texts(zh)) expect(text === '', path).toBe(english.get(path) === '');
  });
});
