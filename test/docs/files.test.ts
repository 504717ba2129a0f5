import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
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

it('README.md says in 700 words what users need', () => {
  const [forUsers = ''] = readFileSync(join(root, 'README.md'), 'utf8').split('\n## For developers');
  expect(forUsers.split(/\s+/).length).toBeLessThanOrEqual(700);
});

it('README.md and the guides link to files that exist, and show all pictures that there are', () => {
  const pages = ['README.md', ...globSync('docs/{,guides/}*.md', { cwd: root })];
  const targets = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/(?:\]\(|src(?:set)?=")(?!https?:)([^)#"]+)/g)]
      .map(([, target = '']) => join(dirname(page), target))
      .filter((target) => !target.includes('KEY')),
  );
  expect(targets.length).toBeGreaterThan(80);
  expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([]);
  const pictures = readdirSync(join(root, 'docs/pictures')).map((name) => join('docs/pictures', name));
  expect(pictures.filter((picture) => !targets.includes(picture))).toEqual([]);
  for (const picture of pictures) expect(statSync(join(root, picture)).size, picture).toBeLessThan(1_500_000);
});
