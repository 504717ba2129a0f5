import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

it('considers the build stale after a change in any source folder', async () => {
  const { SOURCES } = (await import('../../scripts/build.mjs' as string)) as { SOURCES: string[] };
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { imports: Record<string, string> };
  const folders = Object.values(imports).map((path) => path.replace(/^\.\/|\/\*$/g, ''));
  expect(SOURCES).toEqual(expect.arrayContaining(folders.filter((folder) => folder !== 'test')));
  expect(SOURCES).toEqual(expect.arrayContaining(['tsconfig.base.json', 'package-lock.json']));
});
