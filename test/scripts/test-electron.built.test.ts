import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { copyProject } from '#test/helpers/programs/project-copy.ts';
import { send } from './electron/installing.ts';

/** `npm run test:electron` with a program in Playwright's place, which shows what its workers would find. */
async function setUp() {
  const { folder, electron } = await copyProject();
  const playwright = join(folder, 'node_modules/playwright');
  rmSync(playwright);
  mkdirSync(playwright);
  writeFileSync(join(playwright, 'package.json'), JSON.stringify({ bin: 'cli.js' }));
  writeFileSync(
    join(playwright, 'cli.js'),
    `console.log('workers start, Electron is', require('node:fs').existsSync('node_modules/electron/path.txt') ? 'installed' : 'missing');`,
  );
  const run = (mirror: string) =>
    runProgram(process.execPath, [join(folder, 'scripts/test.mjs'), 'electron'], {
      cwd: folder,
      env: { ...homeEnv(temporaryFolder()), ELECTRON_MIRROR: `${mirror}/` },
    });
  return { electron, run };
}

it('installs Electron once, before the workers start', async () => {
  const { electron, run } = await setUp();
  await using mirror = await startWebServer((request, response) => send(electron.archive, request, response));
  for (const _time of ['first', 'second']) {
    const { stdout, stderr, code } = await run(mirror.url);
    expect(stdout, stderr).toContain('workers start, Electron is installed');
    expect(code).toBe(0);
  }
  expect(mirror.requests).toHaveLength(1);
});

it('starts no workers when Electron can’t be installed, and explains why', async () => {
  const { run } = await setUp();
  await using mirror = await startWebServer((_request, response) => response.writeHead(503).end());
  const { stdout, stderr, code } = await run(mirror.url);
  expect(stderr).toContain('responded with 503 Service Unavailable.');
  expect(stdout).not.toContain('workers start');
  expect(code).toBe(1);
});
