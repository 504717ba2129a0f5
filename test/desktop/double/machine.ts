import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The Electron version that the double reports. */
export const DOUBLE_VERSION = '45.4.1-double';

/** The app that the double runs, from its package.json. */
export interface AppInfo {
  root: string;
  name: string;
  version: string;
  isPackaged: boolean;
}

const machine: { info: AppInfo; userData: string | undefined; isStarting: boolean } = {
  info: { root: process.cwd(), name: 'app', version: '0.0.0', isPackaged: false },
  userData: undefined,
  isStarting: false,
};

export function describeApp(info: AppInfo) {
  machine.info = info;
  machine.isStarting = true;
}

/** The app is ready. */
export function finishStart() {
  machine.isStarting = false;
}

/** @throws Error with Electron's message, while an app starts. Tests without an app use every part at once. */
export function requireReady(message: string) {
  if (machine.isStarting) throw new Error(message);
}

export const isStarting = () => machine.isStarting;

export const appInfo = () => machine.info;

/** The folder of `--user-data-dir`, as Electron takes it; else a fresh one. */
export function userDataFolder(): string {
  const given = process.argv.find((argument) => argument.startsWith('--user-data-dir='));
  machine.userData ??= given ? given.slice('--user-data-dir='.length) : mkdtempSync(join(tmpdir(), 'electron-double-'));
  return machine.userData;
}

/** The system's language, as `--lang` gives it. */
export function locale(): string {
  const given = process.argv.findLast((argument) => argument.startsWith('--lang='));
  return given ? given.slice('--lang='.length) : 'en-US';
}
