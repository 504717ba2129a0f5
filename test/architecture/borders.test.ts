import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'pixdock-borders-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with only the project's lint rules. */
function copyRules() {
  const rules = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...rules, vcs: { enabled: false } }));
  cpSync(join(ROOT, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true });
}

/** Lints a text as if it were at a path of the project; returns the linter's output. */
function lint(path: string, text: string): { failed: boolean; output: string } {
  copyRules();
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const biome = join(ROOT, 'node_modules/@biomejs/biome/bin/biome');
  const run = spawnSync(process.execPath, [biome, 'lint', '--colors=off', '--error-on-warnings', path], { cwd: folder, encoding: 'utf8' });
  return { failed: run.status !== 0, output: run.stdout + run.stderr };
}

const VIOLATIONS = [
  [
    'server imports electron',
    'server/core/accounts/planted.ts',
    "import { app } from 'electron';\nexport const name = app.name;\n",
    'noRestrictedImports',
  ],
  [
    'server imports the main process',
    'server/core/accounts/planted.ts',
    "import { x } from '#main/windows/windows.ts';\nexport const y = x;\n",
    'noRestrictedImports',
  ],
  [
    'api imports something other than zod',
    'api/planted.ts',
    "import express from 'express';\nexport const x = express;\n",
    'noRestrictedImports',
  ],
  ['api imports a built-in module', 'api/planted.ts', "import { join } from 'node:path';\nexport const x = join;\n", 'noRestrictedImports'],
  [
    'a feature of the service imports another',
    'server/features/upload/planted.ts',
    "import { x } from '#server/features/albums/albums.ts';\nexport const y = x;\n",
    'noRestrictedImports',
  ],
  [
    'core/ imports a feature',
    'server/core/images/planted.ts',
    "import type { X } from '#server/features/albums/albums.ts';\nexport type Y = X;\n",
    'noRestrictedImports',
  ],
  [
    'platform/ imports core/',
    'server/platform/db/planted.ts',
    "import type { X } from '#server/core/images/images.ts';\nexport type Y = X;\n",
    'noRestrictedImports',
  ],
  [
    'the renderer imports the service',
    'renderer/planted.ts',
    "import { x } from '#server/boot/app.ts';\nexport const y = x;\n",
    'noRestrictedImports',
  ],
  [
    'transfer/ imports the command line',
    'transfer/planted.ts',
    "import { x } from '#cli/errors.ts';\nexport const y = x;\n",
    'noRestrictedImports',
  ],
  [
    'the service imports transfer/',
    'server/features/upload/planted.ts',
    "import { x } from '#transfer/send-file.ts';\nexport const y = x;\n",
    'noRestrictedImports',
  ],
  [
    'ipcMain outside the IPC map',
    'main/planted.ts',
    "import { ipcMain } from 'electron';\nexport const x = ipcMain;\n",
    'noRestrictedImports',
  ],
  [
    'ipcRenderer outside the preload',
    'main/planted.ts',
    "import { ipcRenderer } from 'electron';\nexport const x = ipcRenderer;\n",
    'noRestrictedImports',
  ],
  [
    'webContents.send outside the IPC map',
    'main/planted.ts',
    "export const notify = (window: { webContents: { send(name: string): void } }) => window.webContents.send('x');\n",
    'only main/ipc.ts',
  ],
  ['process.env outside the configuration', 'server/features/upload/planted.ts', 'export const home = process.env.HOME;\n', 'noProcessEnv'],
  ['a barrel file', 'server/features/upload/planted.ts', "export * from './upload.ts';\n", 'noBarrelFile'],
  ['any', 'server/features/upload/planted.ts', 'export const x = (y: any) => y;\n', 'noExplicitAny'],
] as const;

const ALLOWED = [
  [
    'zod and itself in api',
    'api/planted.ts',
    "import { z } from 'zod';\nimport { route } from './contract.ts';\nexport const x = [z, route];\n",
  ],
  [
    'the contract in the service',
    'server/core/accounts/planted.ts',
    "import { route } from '#api/contract.ts';\nexport const x = route;\n",
  ],
  [
    'components in a feature',
    'renderer/features/gallery/planted.ts',
    "import { x } from '#renderer/components/x.tsx';\nimport { y } from './y.ts';\nexport const z = [x, y];\n",
  ],
  ['the environment in its one place', 'server/platform/config/env.ts', 'export const home = process.env.HOME;\n'],
] as const;

describe('the borders between folders', () => {
  it.each(VIOLATIONS)('reject: %s', (_name, path, text, rule) => {
    const { failed, output } = lint(path, text);
    expect(output).toContain(rule);
    expect(failed).toBe(true);
  });

  it.each(ALLOWED)('allow: %s', (_name, path, text) => {
    const { failed, output } = lint(path, text);
    expect(output).not.toContain('noRestrictedImports');
    expect(output).not.toContain('noProcessEnv');
    expect(failed).toBe(false);
  });
});
