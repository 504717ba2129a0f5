import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Takes from `node:fs` what Node 20 lacks. */
const AS_NODE_20 = `
  import { registerHooks } from 'node:module';
  import * as fs from 'node:fs';
  const names = Object.keys(fs).filter((name) => name !== 'globSync' && name !== 'glob');
  const old = \`data:text/javascript,export {\${names.join(',')}} from 'node:fs'\`;
  registerHooks({
    resolve: (name, context, next) =>
      name === 'node:fs' && context.parentURL?.startsWith('file:') ? { url: old, shortCircuit: true } : next(name, context),
  });`;

it.each(['start', 'serve', 'test', 'dev', 'build', 'package', 'pages', 'check-desktop', 'test/unit', 'test/hard'])(
  'a fresh clone installs its packages before %s loads one, or what only a recent Node has',
  async (script) => {
    const folder = temporaryFolder();
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(ROOT, file), join(folder, file));
    const npm = join(folder, 'npm.cjs');
    writeFileSync(npm, 'console.log(process.argv[2]); process.exit(3);');
    const { stderr, code } = await runProgram(
      process.execPath,
      [`--import=data:text/javascript,${encodeURIComponent(AS_NODE_20)}`, join(folder, `scripts/${script}.mjs`)],
      {
        env: { ...homeEnv(folder), npm_execpath: npm },
      },
    );
    expect(stderr).toBe(
      'Installing the packages of package-lock.json into node_modules (npm ci)…\nci\npixdock: npm ci failed (exit code 3).\n',
    );
    expect(code).toBe(1);
  },
);

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
