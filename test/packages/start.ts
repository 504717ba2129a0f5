// `node test/packages/start.ts <program> [arguments]`: starts a packaged app as a user would, without Node's debugger, and waits until its window
// shows the gallery. Exits with 1, and what the app printed, when it doesn't within a minute.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright';
import { freePort } from '#test/helpers/network/free-port.ts';

const LIMIT_MS = 60_000;
/** The time that the app has to quit. */
const QUIT_MS = 15_000;
const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error('Name the program to start.');

const folder = mkdtempSync(join(tmpdir(), 'pixdock-start-'));
const [port, pages] = [await freePort(), await freePort()];
const env = { ...process.env, PIXDOCK_PORT: String(port), PIXDOCK_EDITORS_PORT: '0', PIXDOCK_DATA_DIR: join(folder, 'data') };
const own = [`--user-data-dir=${join(folder, 'user')}`, `--remote-debugging-port=${pages}`, '--lang=en-US'];
// A group of its own: an AppImage and the portable program are only the parents of the app.
const app = spawn(program, [...args, ...own], { env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
let output = '';
for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk) => (output += chunk));
app.on('error', (error) => (output += error.message));

const problem = await showsGallery().then(
  () => undefined,
  (error: unknown) => String(error),
);
await end(app);
console.log(problem ? `${program}: ${problem}\n${output}` : `${program}: the window shows the gallery.`);
process.exit(problem ? 1 : 0);

/** The window's own page, not only the service behind it: a blank window is no start. */
async function showsGallery() {
  const until = Date.now() + LIMIT_MS;
  while (Date.now() < until && app.exitCode === null) {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${pages}`).catch(() => undefined);
    const page = browser
      ?.contexts()
      .flatMap((context) => context.pages())
      .find((each) => each.url().startsWith(`http://127.0.0.1:${port}/`));
    const isShown = await page?.getByRole('navigation').first().isVisible();
    await browser?.close();
    if (isShown) return;
    await delay(500);
  }
  throw new Error(app.exitCode === null ? `no gallery within ${LIMIT_MS / 1000} s` : `it exited with ${app.exitCode}`);
}

/** Ends the app with all of its processes. */
async function end(started: ChildProcess) {
  const { pid } = started;
  if (pid === undefined || started.exitCode !== null) return;
  const ended = once(started, 'exit');
  if (process.platform === 'win32') execFileSync('taskkill', ['/pid', String(pid), '/T', '/F']);
  else process.kill(-pid, 'SIGTERM');
  await Promise.race([ended, delay(QUIT_MS)]);
  if (process.platform === 'win32') return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // nothing is left of the group
  }
}
