// Whether the desktop app can open here: it needs Electron's program and a display.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const FETCH_LIMIT_MS = 15_000;

function installedBinary() {
  if (process.env.ELECTRON_OVERRIDE_DIST_PATH) {
    const override = join(process.env.ELECTRON_OVERRIDE_DIST_PATH, process.platform === 'win32' ? 'electron.exe' : 'electron');
    return existsSync(override) ? override : undefined;
  }
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const binary = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : undefined;
}

/** Downloads the program of Electron's package, within a limit: a server that never responds would hang it for minutes. */
function fetchBinary() {
  console.error('Downloading Electron into node_modules. To use another copy, set ELECTRON_OVERRIDE_DIST_PATH to its folder.');
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const run = spawnSync(process.execPath, [join(folder, 'install.js')], { timeout: FETCH_LIMIT_MS, stdio: 'pipe', encoding: 'utf8' });
  return run.status === 0 ? installedBinary() : undefined;
}

function displayMissing() {
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

/** `{ binary }`, or `{ reason }`: a sentence that explains why the desktop app can't open here. */
export function findElectron() {
  if (displayMissing() && !process.env.ELECTRON_OVERRIDE_DIST_PATH) return { reason: 'there is no display' };
  const binary = installedBinary() ?? fetchBinary();
  return binary ? { binary } : { reason: "Electron's program file is not installed and could not be downloaded" };
}
