import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { _electron } from 'playwright/test';
import { Desktop, type ElectronKind } from './driver.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDER = join(import.meta.dirname, 'recorder.cjs');
const DOUBLE = join(import.meta.dirname, 'double/program');

export interface LaunchOptions {
  /** The app's data; starting with the same folder again simulates the same user's next start. */
  userData: string;
  args?: readonly string[];
  env?: Record<string, string>;
  /** Receives the output of the app and its service. */
  log?: string[];
}

/** The command that starts the app without Playwright. */
export function launchProgram(kind: ElectronKind, userData: string, env: Record<string, string> = {}) {
  const command = kind === 'double' ? join(DOUBLE, 'electron') : String(createRequire(import.meta.url)('electron'));
  const args = [...(kind === 'real' ? ['--no-sandbox'] : []), ...appArguments(userData)];
  return { command, args, env: { ...environment(userData), ...env } };
}

function appArguments(userData: string, more: readonly string[] = []) {
  return ['-r', RECORDER, '--lang=en-US', `--user-data-dir=${userData}`, ...more, ROOT];
}

function environment(userData: string): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Leaves the developer's real clipboard and pictures untouched.
  return {
    ...Object.fromEntries(inherited),
    WAYLAND_DISPLAY: '',
    PIXDOCK_DATA_DIR: join(userData, 'data'),
    PIXDOCK_PORT: '0',
    PIXDOCK_EDITORS_PORT: '0',
    ELECTRON_DOUBLE_NODE: process.execPath,
  };
}

/** Starts the app as a user would, and returns a driver for it. */
export async function launchDesktop(kind: ElectronKind, { userData, args = [], env = {}, log = [] }: LaunchOptions): Promise<Desktop> {
  mkdirSync(userData, { recursive: true });
  // Playwright asks Electron's package for the program, which reads this.
  if (kind === 'double') process.env.ELECTRON_OVERRIDE_DIST_PATH = DOUBLE;
  const app = await _electron.launch({ args: appArguments(userData, args), cwd: ROOT, env: { ...environment(userData), ...env } });
  for (const stream of [app.process().stdout, app.process().stderr]) stream?.on('data', (chunk) => log.push(String(chunk)));
  return new Desktop(kind, app, await app.firstWindow());
}
