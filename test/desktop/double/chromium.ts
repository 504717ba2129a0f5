import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright';
import { CHROMIUM_ARGUMENTS } from '#test/helpers/chromium.ts';
import { userDataFolder } from './machine.ts';

const ARGUMENTS = [...CHROMIUM_ARGUMENTS, '--headless', '--no-startup-window', '--password-store=basic', '--remote-debugging-port=0'];

/** Ends the browser when its standard input closes, which also happens when this process is killed. */
const WATCH = '"$0" "$@" & browser=$!; read -r _; kill $browser; wait $browser';

const running: { process?: ChildProcess; browser?: Browser } = {};

/** Starts the Chromium whose pages are the windows, and prints the line that Playwright's `_electron.launch` waits for. */
export async function startChromium() {
  const program = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  const command = [program, ...ARGUMENTS, `--user-data-dir=${join(userDataFolder(), 'chromium')}`];
  const child = spawn('sh', ['-c', WATCH, ...command], { stdio: ['pipe', 'ignore', 'pipe'] });
  running.process = child;
  const address = await addressOf(child);
  running.browser = await chromium.connectOverCDP(address);
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

/** The profile that all windows share. */
export function browserContext(): BrowserContext {
  const context = running.browser?.contexts()[0];
  if (!context) throw new Error('electron double: there is no browser yet');
  return context;
}

/** Ends Chromium; cookies are on disk by then. */
export async function stopChromium() {
  const child = running.process;
  if (!child || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}
