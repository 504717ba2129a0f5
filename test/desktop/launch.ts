import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { _electron, expect } from 'playwright/test';
import { Desktop, type Platform } from './driver.ts';

const ROOT = join(import.meta.dirname, '../..');
const RECORDER = join(import.meta.dirname, 'recorder.cjs');
const DOUBLE = join(import.meta.dirname, 'double/program');
const { installedElectron } = (await import('../../scripts/electron/installed.mjs' as string)) as {
  installedElectron(): string | undefined;
};

export interface LaunchOptions {
  /** The app's data; starting with the same folder again simulates the same user's next start. */
  userData: string;
  args?: readonly string[];
  /** Arguments for the app itself, such as files. */
  own?: readonly string[];
  env?: Record<string, string>;
  /** Starts without a chosen data folder, so that the app asks a new user what to do. */
  asks?: boolean;
  /** Receives the output of the app and its service. */
  log?: string[];
  /** Traits of the double, separated by commas; default: the project's. */
  hostile?: string;
}

/** The command that starts the app without Playwright. */
export function launchProgram(
  { kind, program, hostile }: Platform,
  userData: string,
  env: Record<string, string> = {},
  own: readonly string[] = [],
) {
  const electron = () => (kind === 'double' ? join(DOUBLE, 'electron') : realElectron());
  const args = [...(kind === 'real' && !program ? ['--no-sandbox'] : []), ...(program ? flags(userData) : appArguments(userData)), ...own];
  return { command: program ?? electron(), args, env: { ...environment(userData), ...hostility(hostile), ...env } };
}

/** Electron's program. No worker installs it: several at once would overwrite each other's files. */
function realElectron(): string {
  const program = installedElectron();
  if (!program) throw new Error('Electron is not installed. Run `npm run test:electron`, which installs it.');
  return program;
}

const flags = (userData: string) => ['--lang=en-US', `--user-data-dir=${userData}`];

function appArguments(userData: string, more: readonly string[] = []) {
  return ['-r', RECORDER, ...flags(userData), ...more, ROOT];
}

function environment(userData: string, asks = false): Record<string, string> {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  // Leaves the developer's real clipboard, desktop and pictures untouched.
  return {
    ...Object.fromEntries(inherited),
    WAYLAND_DISPLAY: '',
    DBUS_SESSION_BUS_ADDRESS: '',
    XDG_CONFIG_HOME: join(userData, 'xdg'),
    ...(asks ? usualPlaces(userData) : { PIXDOCK_DATA_DIR: join(userData, 'data') }),
    PIXDOCK_PORT: '0',
    PIXDOCK_EDITORS_PORT: '0',
    ELECTRON_DOUBLE_NODE: process.execPath,
    ELECTRON_DOUBLE_REQUIRE: RECORDER,
  };
}

/** GNOME is a desktop that may have no tray. */
function hostility(traits: string | undefined): Record<string, string> {
  return traits === undefined ? {} : { ELECTRON_DOUBLE_HOSTILE: traits, XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' };
}

/** Moves the usual data folder of every system into the test's own. */
function usualPlaces(userData: string): Record<string, string> {
  const share = join(userData, 'share');
  return { XDG_DATA_HOME: share, LOCALAPPDATA: share, ...(process.platform === 'darwin' && { HOME: userData }) };
}

/** Starts the app as a user would, and returns a driver for it. */
export async function launchDesktop(
  given: Platform,
  { userData, args = [], own = [], env = {}, asks = false, log = [], hostile = given.hostile }: LaunchOptions,
): Promise<Desktop> {
  mkdirSync(userData, { recursive: true });
  const platform = { ...given, hostile };
  const { kind, program } = platform;
  // Playwright asks Electron's package for the program, which reads this, and would download a missing one.
  if (kind === 'double') process.env.ELECTRON_OVERRIDE_DIST_PATH = DOUBLE;
  else if (!program) realElectron();
  const app = await _electron.launch({
    // A package is tested with its sandbox, as users start it; Playwright would turn it off.
    ...(program ? { executablePath: program, chromiumSandbox: true } : {}),
    args: [...(program ? [...flags(userData), ...args] : appArguments(userData, args)), ...own],
    cwd: ROOT,
    env: { ...environment(userData, asks), ...hostility(hostile), ...env },
  });
  for (const stream of [app.process().stdout, app.process().stderr]) stream?.on('data', (chunk) => log.push(String(chunk)));
  const desktop = new Desktop(platform, app, await app.firstWindow());
  // The window opens while the app is still starting; the tray comes last.
  if (program && kind === 'real') await record(desktop);
  else if (!asks) await expect.poll(() => desktop.menu(), { timeout: 30_000 }).not.toEqual([]);
  return desktop;
}

/** Electron in a package loads nothing with `-r`: the recorder comes afterwards, and another language makes the app draw its tray again. */
async function record(desktop: Desktop) {
  const { app, page } = desktop;
  await app.evaluate((_electron, path) => process.getBuiltinModule('node:module').createRequire(path)(path), RECORDER);
  for (const [language, quit] of [
    ['zh', '退出 Pixdock'],
    ['system', 'Quit Pixdock'],
  ] as const) {
    await expect(async () => {
      await page.evaluate((chosen) => window.pixdock?.setPreferences({ language: chosen }), language);
      expect(await desktop.labels()).toContain(quit);
    }).toPass({ timeout: 30_000 });
  }
}
