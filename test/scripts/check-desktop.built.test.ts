import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const DOUBLE = join(ROOT, 'test/desktop/double/program');

/** `npm run check:desktop` with an Electron, and the file that it has written. */
async function check(electron: string, ...args: string[]) {
  const home = temporaryFolder();
  const { stdout, stderr, code } = await runProgram(process.execPath, [join(ROOT, 'scripts/check-desktop.mjs'), ...args], {
    cwd: home,
    env: {
      ...homeEnv(home),
      ...(process.env.CHROMIUM_PATH && { CHROMIUM_PATH: process.env.CHROMIUM_PATH }),
      ELECTRON_OVERRIDE_DIST_PATH: electron,
      ELECTRON_DOUBLE_NODE: process.execPath,
      // Tests may run as root, and on systems that restrict user namespaces.
      ELECTRON_DISABLE_SANDBOX: '1',
      XDG_CURRENT_DESKTOP: 'KDE',
    },
  });
  const [name = ''] = readdirSync(home).filter((file) => /^desktop-check-[\dT-]+\.txt$/.test(file));
  expect(stdout, stderr).toContain(`are in\n  ${join(home, name)}\n`);
  return { code, stdout, text: readFileSync(join(home, name), 'utf8') };
}

/** A configuration for Playwright with scenarios of its own, and one of the app. */
function configWith(scenarios: string): string {
  const folder = mkdtempSync(join(ROOT, '.cache/check-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = join(folder, 'own.e2e.ts');
  writeFileSync(own, `import { expect, test } from 'playwright/test';\n${scenarios}`);
  const config = join(folder, 'playwright.config.ts');
  const project = { name: 'electron', testDir: ROOT, testMatch: ['**/test/desktop/window.e2e.ts', own], metadata: { electron: 'real' } };
  writeFileSync(config, `export default { projects: [{ ...${JSON.stringify(project)}, grep: /page has the session|own\\.e2e/ }] };`);
  return config;
}

describe.runIf(process.platform === 'linux')('npm run check:desktop', () => {
  it('starts the app, runs scenarios, and writes what it has found, with what to try by hand', async () => {
    const config = configWith(`
      test('notices the screen', () => expect('seen').toBe('unseen'));
      test('needs a mouse', () => test.skip(true, 'there is no mouse'));`);
    const { code, stdout, text } = await check(DOUBLE, '--config', config);
    const verdict = /^NO ELECTRON RAN, only the tests’ double, .*\nStart: passed\. Scenarios: 1 passed, 1 FAILED, 1 skipped\.$/m;
    expect(text).toMatch(verdict);
    expect(stdout).toMatch(verdict);
    expect(code).toBe(1);
    expect(text).toMatch(/^Pixdock \d+\.\d+\.\d+ .*on \d{4}-\d\d-\d\dT/);
    expect(text).toMatch(/^System +\S.*, kernel \d/m);
    expect(text).toMatch(/^Desktop +KDE\nSession +unknown$/m);
    expect(text).toMatch(/^Electron +\d+\.\d+\.\d+-double\nChromium +none$/m);
    expect(text).toMatch(/^User namespaces +\S/m);
    expect(text).toMatch(/^Portals +GlobalShortcuts: no, Screenshot: no$/m);
    expect(text).toMatch(/^Keyring +gnome_libsecret$/m);
    expect(text).toMatch(/^passed {3}The window showed the app, and the app quit, within [\d.]+ s\.$/m);
    expect(text).toMatch(/^passed {3}.*window\.e2e\.ts › the page has the session .* s\)$/m);
    expect(text).toMatch(/^FAILED {3}.*own\.e2e\.ts › notices the screen .* s\)\n {9}Error: expect\(received\)\.toBe\(expected\)/m);
    expect(text).toMatch(/^skipped {2}.*own\.e2e\.ts › needs a mouse.*\n {9}there is no mouse$/m);
    expect(text).toMatch(/^- \[ \] \*\*Spectacle\.\*\*[\s\S]*?\n {2}Seen:\n/m);
    expect(stdout).toContain('- [ ] **Spectacle.**');
  });

  it('reports that there is no Electron, and lists what to try by hand anyway', async () => {
    const { code, text } = await check(temporaryFolder());
    expect(code).toBe(2);
    expect(text).toMatch(
      /^NO ELECTRON RAN, so this shows nothing about the app\.\nThere is no Electron in .*ELECTRON_OVERRIDE_DIST_PATH\.$/m,
    );
    expect(text).toContain('\n== The scenarios');
    expect(text.match(/^not run$/gm)).toHaveLength(2);
    expect(text).toContain('- [ ] **Spectacle.**');
  });

  it('reports an app that doesn’t start, with what it printed, and runs no scenario', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'electron'), '#!/bin/sh\necho "no usable sandbox"\nkill -TRAP $$\n', { mode: 0o755 });
    const { code, text } = await check(folder);
    expect(code).toBe(2);
    expect(text).toContain('ELECTRON DIDN’T START');
    expect(text).toMatch(/^FAILED {3}The app ended before it was ready: SIGTRAP\.\nThe app printed:\n {9}no usable sandbox$/m);
    expect(text.match(/^not run$/gm)).toHaveLength(1);
  });

  it('keeps the results so far when the scenarios are stopped', async () => {
    const config = configWith(`
      test('notices the screen', () => undefined);
      test.describe('before which something fails', () => {
        test.beforeAll(() => { throw new Error('no screen'); });
        test('can’t start', () => undefined);
        test('comes next', () => undefined);
      });
      test('ends Playwright', () => process.kill(process.ppid, 'SIGKILL'));`);
    const scenarios = pathToFileURL(join(ROOT, 'scripts/check-desktop/scenarios.mjs')).href;
    const args = JSON.stringify(['--config', config, 'own.e2e.ts']);
    const program = `const { runScenarios } = await import('${scenarios}');
      console.error(JSON.stringify(await runScenarios(${args}, '${temporaryFolder()}')));`;
    const { stdout, stderr } = await runProgram(process.execPath, ['--input-type=module', '-e', program], {
      env: homeEnv(temporaryFolder()),
    });
    expect(JSON.parse(stderr), stdout).toMatchObject({
      scenarios: [
        { title: 'notices the screen', status: 'passed' },
        { title: 'can’t start', status: 'FAILED', reason: 'Error: no screen' },
        { title: 'comes next', status: 'not run' },
        { title: 'ends Playwright', status: 'not run' },
      ],
      errors: ['Not all scenarios ran. Playwright ended: SIGKILL.'],
    });
  });
});
