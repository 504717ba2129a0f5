import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { lintImports } from '../../scripts/lint/imports.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs the linter as `npm run check` does; returns its exit code and everything that it prints. */
function runLinter(root: string) {
  const run = spawnSync(process.execPath, [join(ROOT, 'scripts/lint/imports.ts'), root], { encoding: 'utf8' });
  return { code: run.status, output: run.stdout + run.stderr };
}

it('finds nothing in a project without such imports', () => {
  expect(runLinter(plant({ 'api/a.ts': '' }))).toEqual({ code: 0, output: 'Imports: 0 upward, 0 between features, 0 cycles.\n' });
});

it('names what it finds and fails', () => {
  const { code, output } = runLinter(plant({ 'api/a.ts': '#server/b.ts', 'server/b.ts': '' }));
  expect(output).toBe('Imports: 1 upward, 0 between features, 0 cycles.\nupward: api/a.ts → server/b.ts\n');
  expect(code).toBe(1);
});

/** A project whose files have only these imports. */
function plant(imports: Record<string, string>): string {
  const root = temporaryFolder();
  for (const [path, specifier] of Object.entries(imports)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), specifier ? `import type { X } from '${specifier}';\nexport type Y = X;\n` : 'export type X = 1;\n');
  }
  return root;
}

it.each([
  ['server', 'features/albums/a.ts', 'boot/b.ts'],
  ['server', 'core/albums/a.ts', 'features/albums/b.ts'],
  ['server', 'platform/db/a.ts', 'core/images/b.ts'],
  ['server', 'core/images/a.ts', 'core/viewing/b.ts'],
  ['main', 'base/a.ts', 'windows/b.ts'],
  ['cli', 'import/a.ts', 'commands/b.ts'],
  ['renderer', 'components/a.tsx', 'shell/b.tsx'],
  ['renderer', 'images/a.ts', 'features/gallery/b.ts'],
])('rejects an upward import in %s: %s of %s', (top, from, to) => {
  const { upward } = lintImports(plant({ [`${top}/${from}`]: `#${top}/${to}`, [`${top}/${to}`]: '' }));
  expect(upward).toEqual([`${top}/${from} → ${top}/${to}`]);
});

it.each([
  ['api', 'server'],
  ['transfer', 'cli'],
  ['server', 'transfer'],
  ['main', 'cli'],
  ['cli', 'renderer'],
  ['renderer', 'main'],
])('rejects an import of another program: %s of %s', (from, to) => {
  const { upward } = lintImports(plant({ [`${from}/a.ts`]: `#${to}/b.ts`, [`${to}/b.ts`]: '' }));
  expect(upward).toEqual([`${from}/a.ts → ${to}/b.ts`]);
});

it.each(['server', 'renderer'])('rejects a feature of %s that imports another, by name or relatively', (top) => {
  const [from, other] = [`${top}/features/upload`, `${top}/features/albums`];
  const root = plant({ [`${from}/a.ts`]: `#${other}/c.ts`, [`${from}/b.ts`]: '../albums/c.ts', [`${other}/c.ts`]: '' });
  expect(lintImports(root).betweenFeatures).toEqual([`${from}/a.ts → ${other}/c.ts`, `${from}/b.ts → ${other}/c.ts`]);
});

it.each(['api', 'transfer', 'server', 'main', 'cli', 'renderer', 'test', 'bench'])('rejects a cycle in %s, types included', (top) => {
  const ring = plant({ [`${top}/a.ts`]: './b.ts', [`${top}/b.ts`]: './c.ts', [`${top}/c.ts`]: './a.ts' });
  expect(lintImports(ring).cycles).toEqual([`${top}/a.ts ↔ ${top}/b.ts ↔ ${top}/c.ts`]);
});

it('accepts imports that point downward', () => {
  const root = plant({ 'server/features/upload/a.ts': '#server/core/images/b.ts', 'server/core/images/b.ts': '#api/c.ts', 'api/c.ts': '' });
  expect(lintImports(root)).toEqual({ upward: [], betweenFeatures: [], cycles: [], unplaced: [], engines: [] });
});

it('rejects a file that no floor names', () => {
  expect(lintImports(plant({ 'server/elsewhere/a.ts': '' })).unplaced).toEqual(['server/elsewhere/a.ts']);
});

it.each([
  ["import Database from 'better-sqlite3';", ['server/core/a.ts']],
  ["import { Pool } from 'pg';", ['server/core/a.ts']],
  ['export const isPostgres = true;', ['server/core/a.ts']],
  ["import { sqlite } from '#server/platform/db/sqlite/engine.ts';", ['server/core/a.ts']],
])('rejects a file outside the database folder that names an engine: %s', (text, found) => {
  const root = temporaryFolder();
  for (const path of ['server/core/a.ts', 'server/platform/db/b.ts', 'cli/import/c.ts']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  expect(lintImports(root).engines).toEqual(found);
});
