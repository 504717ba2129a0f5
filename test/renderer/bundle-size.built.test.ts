import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { built } from '#test/helpers/built.ts';

const ROOT = built('renderer');
const LIMIT = 225 * 1000;

/** The scripts that a browser loads for the first page: those that index.html names, and whatever they import. */
async function firstLoad(): Promise<Map<string, Buffer>> {
  const page = await readFile(join(ROOT, 'index.html'), 'utf8');
  const scripts = new Map<string, Buffer>();
  const visit = async (path: string) => {
    if (scripts.has(path)) return;
    const code = await readFile(join(ROOT, path));
    scripts.set(path, code);
    for (const [, name] of code.toString().matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) await visit(`assets/${name}`);
  };
  for (const [, path] of page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)) await visit(path as string);
  return scripts;
}

it('loads the gallery with less than 225 KB of compressed JavaScript', async () => {
  const scripts = await firstLoad();
  expect(scripts.size).toBeGreaterThan(3);
  const bytes = [...scripts.values()].reduce((sum, code) => sum + gzipSync(code, { level: 9 }).length, 0);
  expect(bytes).toBeLessThan(LIMIT);
  // A sum far below what React alone weighs would mean that nothing was measured.
  expect(bytes).toBeGreaterThan(60_000);
});

it('keeps pages that a visitor may never open out of the first load', async () => {
  const code = Buffer.concat([...(await firstLoad()).values()]).toString();
  expect(code).not.toContain('yarl__');
  expect(code).not.toContain('MultipartFormData');
});

it('contains no schemas, which only the service validates with', async () => {
  const scripts = globSync('assets/*.js', { cwd: ROOT });
  expect(scripts.length).toBeGreaterThan(20);
  const code = Buffer.concat(await Promise.all(scripts.map((path) => readFile(join(ROOT, path))))).toString();
  expect(code.includes('/auth/session')).toBe(true);
  expect(code.includes('unrecognized_keys')).toBe(false);
});

it('runs no script inside the page, which its security policy forbids', async () => {
  const page = await readFile(join(ROOT, 'index.html'), 'utf8');
  for (const [tag] of page.matchAll(/<script[^>]*>/g)) expect(tag).toContain('src=');
  expect(page).not.toMatch(/https?:\/\//);
});
