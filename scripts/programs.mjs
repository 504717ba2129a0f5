// The programs of installed packages, run in this process's terminal.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

/** The path of a package's program. */
export function programOf(name, bin = name) {
  const folder = join(root, 'node_modules', name);
  const { bin: bins } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bins === 'string' ? bins : bins[bin]);
}

/** Runs Node with the given arguments and returns its exit code. */
export function runNode(...args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: process.env }).status ?? 1;
}

const running = new Set();

/** Runs Node with the given arguments without blocking this process, and returns its exit code. `output` is where it prints: `inherit`, or a file descriptor. */
export async function startNode(args, output) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', output, output], env: process.env });
  running.add(child);
  const [code] = await once(child, 'exit');
  running.delete(child);
  return code ?? 1;
}

/** Ends what {@link startNode} has started, with its own children where the system doesn't leave that to them. */
export function stopAll(signal) {
  for (const child of running) {
    if (process.platform === 'win32') spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)]);
    else child.kill(signal);
  }
}
