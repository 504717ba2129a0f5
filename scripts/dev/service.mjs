// The service from its TypeScript sources, under `node --watch`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { presentWithDetails } from '../../server/platform/base/log-lines.ts';
import { root } from '../bootstrap.mjs';
import { waitForService } from './ports.mjs';

const START_LIMIT_MS = 60_000;

const WATCH = [
  '--watch',
  '--watch-preserve-output',
  ...['server', 'api', 'texts', 'transfer'].map((folder) => `--watch-path=${join(root, folder)}`),
];
const QUIET_WORKERS = new URL('./quiet-workers.mjs', import.meta.url).href;
/** Printed by the service at every start; this command prints the address once. */
const ANNOUNCEMENT = /^(Pixdock is running at |Links: )/;
/** Printed while there is no account; the demo data brings accounts. */
const SETUP = /^(Create the first account: |Setup code: (?<code>\S+))/;

/**
 * Starts the service. A crash after a change isn't the end: `node --watch` starts it again at the next change.
 * @param demo whether the demo data will create the first account
 * @param onEnd called with a message when its watcher exits
 */
export function startService({ port, dataDir, baseUrl, demo, onEnd }) {
  const child = spawn(process.execPath, [...WATCH, '--import', QUIET_WORKERS, join(root, 'server/bin.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PIXDOCK_HOST: '127.0.0.1',
      PIXDOCK_PORT: String(port),
      PIXDOCK_DATA_DIR: dataDir,
      PIXDOCK_BASE_URL: baseUrl,
      PIXDOCK_LOG_LEVEL: process.env.PIXDOCK_LOG_LEVEL ?? 'warn',
      // With it, the service doesn't replace its own process, which would cut it off from the watcher.
      MALLOC_ARENA_MAX: '2',
    },
  });
  let hasRun = false;
  let broken = false;
  let stopped;
  const setupCode = Promise.withResolvers();

  createInterface({ input: child.stdout }).on('line', (line) => {
    const text = stripColours(line);
    if (ANNOUNCEMENT.test(text)) return;
    const setup = SETUP.exec(text);
    if (setup?.groups.code) setupCode.resolve(setup.groups.code);
    if (setup && demo) return;
    if (/^(Failed|Completed) running /.test(text)) {
      broken = true;
      if (hasRun) console.error('The service has ended. It starts again when its code changes.');
    } else if (text.startsWith('Change detected in ')) {
      console.log(`Restarting the service: ${relative(root, text.slice('Change detected in '.length).replaceAll("'", ''))} has changed`);
    } else if (text.startsWith('Restarting ')) {
      broken = false;
    } else console.log(presentWithDetails(line));
  });
  child.once('exit', (code, signal) => {
    if (!stopped) onEnd(`The service has ended (${signal ?? `exit code ${code}`}).`);
  });

  /** Rejects when the first start fails. */
  async function start() {
    await waitForService(port, START_LIMIT_MS, () => broken).catch((cause) => {
      throw new Error('The service could not start.', { cause });
    });
    hasRun = true;
  }

  return {
    ready: start(),
    /** Waits for the code that the service prints while it has no account. */
    setupCode: () => setupCode.promise,
    isBroken: () => broken,
    stop() {
      stopped ??= end(child);
      return stopped;
    },
  };
}

/** Ends a process and resolves when it has ended. */
export async function end(child, limitMs = 5_000) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  child.kill('SIGTERM');
  await once(child, 'exit');
  clearTimeout(timer);
}

function stripColours(text) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours start with the control character ESC.
  return text.replace(/\x1b\[\d+m/g, '');
}
