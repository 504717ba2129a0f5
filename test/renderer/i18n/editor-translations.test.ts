import { expect, it } from 'vitest';
import { editor as en } from '#texts/en/editor.ts';
import { editor as zh } from '#texts/zh/editor.ts';

/** Every text by its path. */
function texts(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : texts(value, `${path}${key}.`),
  );
}
const placeholders = (text: string) => new Set(text.match(/\{\{\w+\}\}/g) ?? []);

it('the Chinese texts of the editor say everything, with the values that the English ones get', () => {
  const english = new Map(texts(en));
  const chinese = texts(zh);
  expect(chinese.length).toBeGreaterThan(60);
  for (const [path, text] of chinese) {
    expect(text, path).not.toBe('');
    expect(placeholders(text), path).toEqual(placeholders(english.get(path) ?? ''));
  }
});
