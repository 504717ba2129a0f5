import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';

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
