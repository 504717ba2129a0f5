import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/decisions');
const read = (path: string) => readFileSync(path, 'utf8');

const FOLDERS = 'api,bench,cli,deploy,docs,main,renderer,scripts,server,test,transfer';

/** The headings of decisions in a text: number and title. */
const headingsIn = (text: string) => [...text.matchAll(/^##? (\d{3})\. (.*)$/gm)].map(([, number = '', title = '']) => ({ number, title }));
/** What follows the `#` in a link to a heading, as GitHub forms it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const pages = globSync('**/*.md', { cwd: folder })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path !== 'README.md');
const index = read(join(folder, 'README.md'));

it('lists every decision in the index with its number and title', () => {
  expect(pages.length).toBeGreaterThan(20);
  const expected = pages.flatMap((path) =>
    headingsIn(read(join(folder, path))).map(({ number, title }) => {
      const isOwnPage = basename(path).startsWith(`${number}-`);
      return `- [${number}](${isOwnPage ? path : `${path}#${anchorOf(`${number} ${title}`)}`}) ${title}`;
    }),
  );
  expect(index.match(/^- \[\d{3}\].*$/gm)?.sort()).toEqual(expected.sort());
});

it('gives each number to one decision', () => {
  const numbers = pages.flatMap((path) => headingsIn(read(join(folder, path))).map(({ number }) => number));
  expect([...new Set(numbers)]).toEqual(numbers);
});

it('leads from every number in the code and the documents to a decision', () => {
  const files = globSync([`{${FOLDERS}}/**/*.{ts,tsx,mjs,css,md}`, '*.{ts,md}'], { cwd: root });
  expect(files.length).toBeGreaterThan(1_000);
  const lost = files.flatMap((file) =>
    [...read(join(root, file)).matchAll(/\bdecisions? ((?:\d{3}(?:, | and )?)+)/gi)].flatMap(([, list = '']) =>
      (list.match(/\d{3}/g) ?? []).filter((number) => !index.includes(`[${number}](`)).map((number) => `${file}: ${number}`),
    ),
  );
  expect(lost).toEqual([]);
});

it('links to pages and headings that exist', () => {
  const links = [...pages, 'README.md'].flatMap((page) =>
    [...read(join(folder, page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([link, path = '', anchor]) => {
      const target = path ? join(folder, dirname(page), path) : join(folder, page);
      const isThere =
        existsSync(target) &&
        (!anchor || (read(target).match(/^#+ .*$/gm) ?? []).some((line) => anchorOf(line.replace(/^#+ /, '')) === anchor));
      return { page, link, isThere };
    }),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ isThere }) => !isThere)).toEqual([]);
});

describe('files', () => {
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
});
