// `node test/packages/start.ts <program> [arguments]`: starts a packaged app as a user would, without a debugger, and waits for its service to
// respond. Exits with 1, and what the app printed, when it doesn't within a minute.
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#test/helpers/network/free-port.ts';

const LIMIT_MS = 60_000;
const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error('Name the program to start.');

const folder = mkdtempSync(join(tmpdir(), 'pixdock-start-'));
const port = await freePort();
const env = { ...process.env, PIXDOCK_PORT: String(port), PIXDOCK_EDITORS_PORT: '0', PIXDOCK_DATA_DIR: join(folder, 'data') };
const app = spawn(program, [...args, `--user-data-dir=${join(folder, 'user')}`], { env, stdio: ['ignore', 'pipe', 'pipe'] });
let output = '';
for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk) => (output += chunk));
app.on('error', (error) => (output += error.message));

const responds = await responding(`http://127.0.0.1:${port}/healthz`);
app.kill();
console.log(responds ? `${program}: the service responds.` : `${program}: no response within ${LIMIT_MS / 1000} s.\n${output}`);
process.exit(responds ? 0 : 1);

async function responding(url: string): Promise<boolean> {
  const end = Date.now() + LIMIT_MS;
  while (Date.now() < end) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return true;
    await delay(250);
  }
  return false;
}
