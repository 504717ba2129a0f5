import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { locale, userDataFolder } from '#test/desktop/double/machine.ts';
import { CHROMIUM_ARGUMENTS } from '#test/helpers/programs/chromium.ts';
import { Devtools } from './devtools.ts';

/** The double uses the pipe, Playwright the port. Chromium ends when the pipe closes, which also happens when this process is killed. */
const ARGUMENTS = [
  ...CHROMIUM_ARGUMENTS,
  '--headless',
  '--no-startup-window',
  '--password-store=basic',
  '--remote-debugging-pipe',
  // A screen that moves, and a microphone that beeps. Whether a page may see and hear them is decided as in Electron.
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
];

/** As Electron takes it; 0: any. */
const debuggingPort = () =>
  process.argv.findLast((argument) => argument.startsWith('--remote-debugging-port=')) ?? '--remote-debugging-port=0';

const running: { process?: ChildProcess; devtools?: Devtools; isStopping?: boolean } = {};

/** Starts the Chromium whose pages are the windows, and prints the line that Playwright's `_electron.launch` waits for. */
export async function startChromium() {
  const program = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const language = locale();
  const own = [`--lang=${language}`, `--accept-lang=${language}`, `--user-data-dir=${join(userDataFolder(), 'chromium')}`];
  const child = spawn(program, [...ARGUMENTS, debuggingPort(), ...own], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A test's bus ends before the app, and Chromium aborts when its own does.
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '' },
  });
  running.process = child;
  const address = await addressOf(child);
  running.devtools = new Devtools(child.stdio[3] as Writable, child.stdio[4] as Readable);
  await running.devtools.browser.send('Target.setDiscoverTargets', { discover: true });
  process.stderr.write(`DevTools listening on ${address}\n`);
}

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  child.stderr?.on('data', (chunk) => {
    text += chunk;
    const address = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
    if (address) resolve(address);
  });
  child.once('exit', () => reject(new Error(`Chromium ended at once: ${text}`)));
  child.once('error', reject);
  return promise;
}

/** The browser whose profile all windows share. */
export function devtools(): Devtools {
  if (!running.devtools) throw new Error('electron double: there is no browser yet');
  return running.devtools;
}

/** The app exits, and no longer learns what becomes of its pages. */
export const isStopping = () => running.isStopping === true;

/** Ends Chromium; cookies are on disk by then. */
export async function stopChromium() {
  const child = running.process;
  running.isStopping = true;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  running.devtools?.browser.send('Browser.close').catch(() => undefined); // it may exit before it responds
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}
