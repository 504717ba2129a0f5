import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#test/helpers/network/free-port.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { type ElectronPackage, writeElectronPackage } from '#test/helpers/programs/electron-package.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { homeEnv, runProgram } from '#test/helpers/programs/programs.ts';
import { send, sizeOf } from './electron/installing.ts';

const ROOT = join(import.meta.dirname, '../..');
const OWN = ['scripts', 'node_modules', '.cache', '.git'];

/** The built project as after `npm ci`, in a folder of its own: with a small package in Electron's place, whose program isn't there yet. */
async function copyProject(bytes?: number): Promise<{ folder: string; electron: ElectronPackage }> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache/project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  linkAll(ROOT, folder, OWN);
  copyScripts('scripts', folder);
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  linkAll(join(ROOT, 'node_modules'), modules, ['electron']);
  return { folder, electron: await writeElectronPackage(modules, bytes) };
}

function linkAll(from: string, to: string, except: readonly string[]) {
  for (const name of readdirSync(from)) if (!except.includes(name)) symlinkSync(join(from, name), join(to, name), 'junction');
}

/** The scripts find the project by their own paths. Hard links keep the times by which a build is recognised as current. */
function copyScripts(path: string, to: string) {
  mkdirSync(join(to, path));
  for (const entry of readdirSync(join(ROOT, path), { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) copyScripts(child, to);
    else linkSync(join(ROOT, child), join(to, child));
  }
}

function environment(mirror: string): Record<string, string> {
  const home = temporaryFolder();
  return {
    ...homeEnv(home),
    DISPLAY: ':99',
    // Tests may run as root, and on systems that restrict user namespaces.
    ELECTRON_DISABLE_SANDBOX: '1',
    ELECTRON_MIRROR: `${mirror}/`,
    PIXDOCK_DATA_DIR: join(home, 'data'),
    PIXDOCK_PORT: '0',
  };
}

/** `npm start`, and what it has printed so far. */
function start(folder: string, env: Record<string, string>) {
  const child = spawn(process.execPath, ['scripts/start.mjs', 'cat.png'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => void (await endOf(child)));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

async function endOf(child: ChildProcess) {
  child.kill('SIGINT');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

describe.runIf(process.platform === 'linux')('npm start', () => {
  it('downloads Electron and opens the desktop app', async () => {
    const { folder, electron } = await copyProject();
    await using mirror = await startWebServer((request, response) => send(electron.archive, request, response));
    const { child, output } = start(folder, environment(mirror.url));
    expect((await once(child, 'close'))[0], output()).toBe(0);
    expect(output()).toContain(`Downloading Electron from ${new URL(mirror.url).host}. This happens only once.\n`);
    expect(output()).toMatch(/^39 KB of 39 KB · .*\nUnpacking Electron…\n/m);
    expect(output()).toContain(`Electron starts with ${folder} cat.png\n`);
  });

  it('explains why Electron couldn’t be downloaded, and starts the service', async () => {
    const { folder } = await copyProject();
    const address = `127.0.0.1:${await freePort()}`;
    const { child, output } = start(folder, environment(`http://${address}`));
    await expect.poll(output).toMatch(/Pixdock is running at http:\S+\n/);
    expect(output()).toContain(`Electron couldn't be installed: ${address} refused the connection.`);
    expect(output()).toContain('\n\nStarting the service without the desktop app.\n');
    const [, url] = /Pixdock is running at (\S+)/.exec(output()) ?? [];
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await endOf(child)).toBe(0);
  });

  it('stops at Ctrl-C during the download, and continues the download the next time', async () => {
    const { folder, electron } = await copyProject();
    await using mirror = await startWebServer((request, response) =>
      send(electron.archive, request, response, request.headers.range ? undefined : 15_360),
    );
    const env = environment(mirror.url);
    const first = start(folder, env);
    const arrived = () => readdirSync(env.HOME ?? '', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.part'));
    await expect.poll(() => arrived().map((path) => sizeOf(join(env.HOME ?? '', path)))).toEqual([15_360]);
    expect(await endOf(first.child)).toBe(130);
    expect(first.output()).toContain('\nStopped. The next start continues the download.\n');
    expect(first.output()).not.toContain('Pixdock is running');

    const second = start(folder, env);
    await once(second.child, 'close');
    expect(mirror.requests.map(({ headers }) => headers.range)).toEqual([undefined, 'bytes=15360-']);
    expect(second.output()).toContain(`Electron starts with ${folder} cat.png\n`);
  });

  it.each([40, 80])('draws a bar that fits into %i columns', async (columns) => {
    const { folder, electron } = await copyProject();
    await using mirror = await startWebServer((request, response) => send(electron.archive, request, response));
    const line = `stty cols ${columns}; '${process.execPath}' scripts/start.mjs`;
    const { stdout } = await runProgram('script', ['-qec', line, '/dev/null'], {
      cwd: folder,
      env: { ...environment(mirror.url), TERM: 'xterm' },
    });
    const bars = stdout
      .split('\u001b[1G')
      .map(stripVTControlCharacters)
      .filter((text) => /[━─]/.test(text));
    const last = bars.at(-1)?.split('\r\n')[0] ?? '';
    expect(last).toMatch(/^━+ 39 KB of 39 KB · [\d.]+ [KM]B\/s$/);
    for (const bar of bars) expect(bar.split('\r\n')[0]?.length).toBeLessThanOrEqual(columns);
  });
});

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
