import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/browser.mjs');
const run = (env: Record<string, string>) =>
  spawnSync(process.execPath, ['-e', `import(${JSON.stringify(SCRIPT)}).then(({ ensureBrowser }) => ensureBrowser()).then(console.log)`], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

it('uses the browser that CHROMIUM_PATH names and installs nothing', () => {
  const browser = join(temporaryFolder(), 'my-browser');
  writeFileSync(browser, '');
  chmodSync(browser, 0o755);
  const { stdout, stderr } = run({ CHROMIUM_PATH: browser });
  expect(stdout.trim()).toBe(browser);
  expect(stderr).toBe('');
});
