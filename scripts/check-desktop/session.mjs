// Starts the app as `npm start` does: in the user's own session, with the sandbox, but with data of its own.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

const PROBE = join(root, 'scripts/check-desktop/probe.cjs');
const LIMIT_MS = 60_000;

/**
 * Returns what the probe has read, `undefined` if it didn't get that far, and what the app printed.
 * @param folder for the app's data
 */
export async function startInSession(program, folder) {
  const file = join(folder, 'probe.json');
  const start = performance.now();
  const child = spawn(program, ['-r', PROBE, `--user-data-dir=${join(folder, 'user')}`, root], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PIXDOCK_CHECK_FILE: file,
      PIXDOCK_DATA_DIR: join(folder, 'data'),
      PIXDOCK_PORT: '0',
      PIXDOCK_EDITORS_PORT: '0',
      // The app would update the entry with which it starts at login.
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  let timer;
  const end = await new Promise((resolve) => {
    timer = setTimeout(() => {
      child.kill('SIGKILL');
      // Processes that it has left behind may keep its output open.
      resolve('stopped');
    }, LIMIT_MS);
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  clearTimeout(timer);
  const probe = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  return { probe, output, hasStarted: probe?.isShown === true && end === 'exit code 0', summary: summarise(probe, end, seconds) };
}

function summarise(probe, end, seconds) {
  if (!probe) return `The app ended before it was ready: ${end}.`;
  if (!probe.isShown) return `Within ${seconds} s, no window showed the app: ${end}.`;
  if (end !== 'exit code 0') return `The window showed the app, but quitting failed: ${end}.`;
  return `The window showed the app, and the app quit, within ${seconds} s.`;
}
