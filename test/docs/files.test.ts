import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const FOLDERS = 'api,bench,cli,deploy,docs,main,renderer,resources,scripts,server,test,texts,transfer';

/** The source files that a text names in code spans, with the ends of their paths or with patterns. */
const namedIn = (text: string) => [...text.matchAll(/`([\w{][\w./{},*-]*\.(?:ts|tsx|mjs|cjs|css|sql))`/g)].map(([, name = '']) => name);
/** Names for files that developers create. */
const EXAMPLES = ['server/platform/db/steps/001-what-it-does.ts'];

it('names only source files that exist', () => {
  const files = globSync([`{${FOLDERS}}/**/*`, '*'], { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  const pages = files.filter((path) => path.endsWith('.md'));
  const named = pages.flatMap((page) => namedIn(readFileSync(join(root, page), 'utf8')).map((name) => ({ page, name })));
  expect(named.length).toBeGreaterThan(300);
  const lost = named.filter(
    ({ name }) =>
      !EXAMPLES.includes(name) && !files.some((path) => path.endsWith(`/${name}`) || path === name || matchesGlob(path, `**/${name}`)),
  );
  expect(lost).toEqual([]);
});
