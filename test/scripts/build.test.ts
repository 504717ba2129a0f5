import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { expect, it } from 'vitest';
import { built } from '#test/helpers/service/built.ts';
import { toAscii } from '../../scripts/ascii-source.ts';

const root = join(import.meta.dirname, '../..');

it('considers the build stale after a change in any source folder', async () => {
  const { SOURCES } = (await import('../../scripts/build.mjs' as string)) as { SOURCES: string[] };
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: Record<string, string> };
  const folders = Object.values(imports).map((path) => path.replace(/^\.\/|\/\*$/g, ''));
  expect(SOURCES).toEqual(expect.arrayContaining(folders.filter((folder) => folder !== 'test')));
  expect(SOURCES).toEqual(expect.arrayContaining(['tsconfig.base.json', 'package-lock.json']));
});

it('fails a unit test that uses a built file, and names the suffix it needs', () => {
  expect(() => built('server/bin.js')).toThrow('A test that needs dist/server/bin.js must be named *.built.test.ts.');
});

it('escapes every character beyond ASCII without changing the program', () => {
  const sources = [
    "'“图片” 😀'",
    String.raw`'\’ \\’ \\\’ \n é'`,
    '`… \\n 图`',
    "/^[😀é–]+$/u.test('é😀–')",
    String.raw`/\\é|é/.exec('é')[0]`,
    "(() => { /* – */ const größe = 'ß'; return größe; })()",
  ];
  for (const source of sources) {
    const escaped = toAscii(source);
    expect(Buffer.byteLength(escaped)).toBe(escaped.length);
    expect(runInThisContext(escaped)).toEqual(runInThisContext(source));
  }
});

it('leaves other characters and escapes as they are', () => {
  const source = String.raw`const text = '\u00e9\\u00e9\'';`;
  expect(toAscii(source)).toBe(source);
});
