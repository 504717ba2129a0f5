// Plain JavaScript that also runs on Node 20, like all that scripts import statically: prepares a fresh clone for the other scripts.
// Installs packages when node_modules is missing or stale, then switches to Node 24 when the current one is older.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const REQUIRED_MAJOR = 24;

/** Whether node_modules matches package-lock.json. npm keeps its own list of installed packages there. */
function isInstalled() {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const installed = packagesOf(installedList);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, locked]) =>
      path === '' || (installed[path] ? installed[path].version === locked.version : locked.optional === true || locked.peer === true),
  );
}

/** Installs the locked packages when they are missing or stale. */
function ensureInstalled() {
  if (isInstalled()) return;
  console.error('Installing the packages of package-lock.json into node_modules (npm ci)…');
  const npm = process.env.npm_execpath
    ? spawnSync(process.execPath, [process.env.npm_execpath, 'ci'], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', ['ci'], { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (npm.status !== 0) fail(`npm ci failed (${npm.error?.message ?? `exit code ${npm.status}`}).`);
}

/** The Node to run on: this one when it is new enough, else the one from the packages (Linux). */
function modernNode() {
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return process.execPath;
  const shipped = join(root, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
  if (process.platform === 'linux' && existsSync(shipped)) return shipped;
  fail(`Pixdock needs Node ${REQUIRED_MAJOR} or newer; this is ${process.versions.node}. Install it from https://nodejs.org.`);
}

function fail(message) {
  console.error(`pixdock: ${message}`);
  process.exit(1);
}

/**
 * Ensures that packages are installed and that `scriptUrl` runs on a recent Node.
 * Returns only inside such a Node; otherwise the script is run again there and this process ends with its exit code.
 */
export async function bootstrap(scriptUrl) {
  ensureInstalled();
  const node = modernNode();
  if (node === process.execPath) return;
  const child = spawn(node, [fileURLToPath(scriptUrl), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
  });
  forwardSignals(child);
  const code = await new Promise((resolve) => child.once('exit', (status, signal) => resolve(signal ? 1 : status)));
  process.exit(code);
}

/**
 * Calls `stop` with the signal when this process should end. When npm is stopped, it ends only the shell between itself and this process, so
 * a parent that has gone means the same. Returns a function that ends this.
 */
export function onStop(stop) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.platform === 'win32' || process.ppid === parent) return;
    clearInterval(watch);
    stop('SIGTERM');
  }, 500).unref();
  return () => {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, stop);
  };
}

/** Forwards termination to a child, so that it can shut down cleanly. */
export function forwardSignals(child) {
  onStop((signal) => child.kill(signal));
}
