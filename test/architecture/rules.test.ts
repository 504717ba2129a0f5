import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { findUnknownClasses } from '../../scripts/lint/classes.ts';
import { lintElectron } from '../../scripts/lint/electron.ts';
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
  ['server', 'cli'],
  ['transfer', 'server'],
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

it.each(['api', 'server/core', 'renderer/images', 'main/windows/deep'])('rejects folders of %s that import each other', (top) => {
  const imports = { [`${top}/one/a.ts`]: `#${top}/two/b.ts`, [`${top}/two/c.ts`]: `#${top}/three/in/d.ts`, [`${top}/two/b.ts`]: '' };
  const ring = { [`${top}/three/e.ts`]: `#${top}/one/f.ts`, [`${top}/three/in/d.ts`]: '', [`${top}/one/f.ts`]: '' };
  expect(lintImports(plant({ ...imports, ...ring }))).toMatchObject({ circles: [`${top}/one ↔ ${top}/three ↔ ${top}/two`], cycles: [] });
  expect(lintImports(plant({ ...imports, [`${top}/three/in/d.ts`]: '' })).circles).toEqual([]);
});

it('accepts imports that point downward', () => {
  const root = plant({ 'server/features/upload/a.ts': '#server/core/images/b.ts', 'server/core/images/b.ts': '#api/c.ts', 'api/c.ts': '' });
  expect(lintImports(root)).toEqual({
    upward: [],
    betweenFeatures: [],
    behindDoors: [],
    cycles: [],
    circles: [],
    unplaced: [],
    engines: [],
  });
});

it('lets others in through the doors of a folder only, types included, and tests everywhere', () => {
  const folder = 'server/platform/imaging';
  const root = plant({
    [`${folder}/inspect.ts`]: './png/a.ts',
    [`${folder}/png/a.ts`]: '',
    'server/core/images/a.ts': `#${folder}/inspect.ts`,
    'server/core/images/b.ts': `#${folder}/png/a.ts`,
    'main/b.ts': `#${folder}/png/a.ts`,
    'test/b.ts': `#${folder}/png/a.ts`,
  });
  expect(lintImports(root).behindDoors).toEqual(['server/core/images/b.ts', 'main/b.ts'].map((from) => `${from} → ${folder}/png/a.ts`));
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

describe('classes of CSS modules', () => {
  /** What is planted, its files in `renderer/`, and the findings. */
  const CASES: [string, Record<string, string>, string[]][] = [
    ['a known class', { 'a.tsx': "import classes from './a.module.css';\nclasses.row;\nclasses['row'];\n" }, []],
    ['an unknown class', { 'a.tsx': "import classes from './a.module.css';\nclasses.rows;\n" }, ['renderer/a.tsx: rows']],
    ['a class of another folder', { 'b/a.tsx': "import x from '#renderer/a.module.css';\nx.rows;\n" }, ['renderer/b/a.tsx: rows']],
    ['a class in quotes', { 'a.tsx': "import classes from './a.module.css';\nclasses['rows'];\n" }, ['renderer/a.tsx: rows']],
    [
      'a computed class',
      { 'a.tsx': "import classes from './a.module.css';\nexport const a = (name: string) => classes[name];\n" },
      ['renderer/a.tsx: a computed class of renderer/a.module.css'],
    ],
    ['a composed class', { 'b.module.css': '.b { composes: row from "./a.module.css"; }' }, []],
    [
      'an unknown composed class of another file',
      { 'b.module.css': '.b { composes: rows from "./a.module.css"; }' },
      ['renderer/b.module.css: what b composes'],
    ],
    [
      'an unknown composed class of the same file',
      { 'b.module.css': '.b { composes: rows; }' },
      [expect.stringMatching(/^renderer\/b\.module\.css: .*"rows" in composes not found/)],
    ],
    [
      'a composed class of no file',
      { 'b.module.css': '.b { composes: a from "./c.module.css"; }' },
      [expect.stringContaining('b.module.css')],
    ],
  ];

  it.each(CASES)('checks %s', async (_name, files, found) => {
    const root = temporaryFolder();
    for (const [path, text] of Object.entries({ 'a.module.css': '.row { color: red; }', ...files })) {
      mkdirSync(dirname(join(root, 'renderer', path)), { recursive: true });
      writeFileSync(join(root, 'renderer', path), text);
    }
    expect(await findUnknownClasses(root)).toEqual(found);
  });
});

describe('Biome', () => {
  /** What is planted, the file, its text and the rule that rejects it; undefined where it is allowed. */
  const CASES: [string, string, string, string?][] = [
    ['Electron in the service', 'server/core/a.ts', "import { app } from 'electron';\nexport const x = app;\n", 'noRestrictedImports'],
    ['Electron in the command line', 'cli/a.ts', "import { app } from 'electron';\nexport const x = app;\n", 'noRestrictedImports'],
    ['Electron in transfer/', 'transfer/a.ts', "import { app } from 'electron';\nexport const x = app;\n", 'noRestrictedImports'],
    ['Electron in the renderer', 'renderer/a.ts', "import { app } from 'electron';\nexport const x = app;\n", 'noRestrictedImports'],
    ['Node in the renderer', 'renderer/b.ts', "import { join } from 'node:path';\nexport const x = join;\n", 'noRestrictedImports'],
    ['a package in api/', 'api/a.ts', "import express from 'express';\nexport const x = express;\n", 'noRestrictedImports'],
    ['a built-in module in api/', 'api/b.ts', "import { join } from 'node:path';\nexport const x = join;\n", 'noRestrictedImports'],
    [
      'zod and itself in api/',
      'api/c.ts',
      "import { z } from 'zod';\nimport { route } from './contract.ts';\nexport const x = [z, route];\n",
    ],
    ['ipcMain outside the IPC map', 'main/a.ts', "import { ipcMain } from 'electron';\nexport const x = ipcMain;\n", 'noRestrictedImports'],
    [
      'ipcRenderer outside the preload',
      'main/b.ts',
      "import { ipcRenderer } from 'electron';\nexport const x = ipcRenderer;\n",
      'noRestrictedImports',
    ],
    ['ipcMain in its one place', 'main/ipc.ts', "import { ipcMain } from 'electron';\nexport const x = ipcMain;\n"],
    [
      'webContents.send outside the IPC map',
      'main/c.ts',
      "export const notify = (window: { webContents: { send(name: string): void } }) => window.webContents.send('x');\n",
      'only main/ipc.ts',
    ],
    ['process.env outside the configuration', 'server/a.ts', 'export const home = process.env.HOME;\n', 'noProcessEnv'],
    ['process.env in its one place', 'server/platform/config/env.ts', 'export const home = process.env.HOME;\n'],
    ['a barrel file', 'server/b.ts', "export * from './upload.ts';\n", 'noBarrelFile'],
    ['any', 'server/c.ts', 'export const x = (y: any) => y;\n', 'noExplicitAny'],
  ];

  /** Lints all cases at once, with the project's rules; each line of the result is a finding. */
  function lint(): string[] {
    const root = temporaryFolder();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    for (const [, path, text] of CASES) write(path, text);
    write('scripts/lint/ipc-send.grit', readFileSync(join(ROOT, 'scripts/lint/ipc-send.grit'), 'utf8'));
    write('biome.json', JSON.stringify({ ...JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')), vcs: { enabled: false } }));
    const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
    const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '--error-on-warnings', '.'];
    const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(run.status).toBe(1);
    return run.stdout
      .replaceAll('\\', '/')
      .split('\n')
      .filter((line) => line.startsWith('::'));
  }

  it('rejects exactly what breaks a rule', () => {
    const findings = lint();
    const found = CASES.map(([name, path]) => [name, findings.filter((line) => line.includes(`/${path},`))]);
    expect(found).toEqual(CASES.map(([name, , , rule]) => [name, rule ? [expect.stringContaining(rule)] : []]));
  });
});

/** A program of these lines, as the main process's. */
function plantMain(lines: readonly string[]): string {
  const root = temporaryFolder();
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'a.ts'), ["import { app, type App, BrowserWindow, Tray } from 'electron';", ...lines].join('\n'));
  const options = { strict: true, module: 'preserve', moduleResolution: 'bundler', types: ['node', 'electron'], noEmit: true };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['a.ts'] }));
  return join(root, 'tsconfig.json');
}

describe('what exists in Electron on some systems only', () => {
  it('is named where the platform isn’t asked for, also through types that were made of Electron’s', () => {
    const { unguarded, limited } = lintElectron(
      plantMain([
        'app.hide();',
        "if (process.platform !== 'darwin') app.hide();",
        "if (process.platform === 'darwin' || Math.random() > 1) app.hide();",
        "export const set = (item: Pick<App, 'setAppUserModelId'>) => item.setAppUserModelId('id');",
        'new Tray("a.png").setPressedImage("b.png");',
      ]),
    );
    expect(unguarded.map((line) => line.replace(/^a\.ts:/, ''))).toEqual([
      '2 App.hide (darwin)',
      '3 App.hide (darwin)',
      '4 App.hide (darwin)',
      '5 App.setAppUserModelId (win32)',
      '6 Tray.setPressedImage (darwin)',
    ]);
    expect(limited.get('App.hide')).toEqual(['darwin']);
  });

  it('may be used where the system has it, and given as an option that others ignore', () => {
    const { unguarded, members } = lintElectron(
      plantMain([
        "if (process.platform === 'darwin') app.hide();",
        "export const isHidden = process.platform === 'darwin' && app.isHidden();",
        "export const isShown = process.platform !== 'darwin' || !app.isHidden();",
        "export function later(platform: string) {\n  if (platform !== 'darwin') return;\n  app.hide();\n}",
        '/** @platform darwin */\nfunction onMac() {\n  app.hide();\n}',
        "if (process.platform === 'darwin') onMac();",
        'app.focus({ steal: true });',
        "new Tray('a.png').on('drop-files', () => undefined);",
        'BrowserWindow.getAllWindows();',
      ]),
    );
    expect(unguarded).toEqual([]);
    expect(members).toEqual(expect.arrayContaining(['App.hide', 'App.isHidden', 'FocusOptions.steal', 'BrowserWindow.getAllWindows']));
  });

  it('applies to our own functions that are for some systems, too', () => {
    const { unguarded } = lintElectron(
      plantMain(['/** @platform win32 */\nexport function onWindows() {\n  return 1;\n}', 'onWindows();']),
    );
    expect(unguarded).toEqual(['a.ts:6 onWindows (win32)']);
  });
});
