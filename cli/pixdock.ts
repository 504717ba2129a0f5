#!/usr/bin/env node
// The entry of the command line. It may import nothing but Node's own modules statically: an old Node must get as far as asking for a newer one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
const args = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.exitCode = await runOnNewerNode(NEEDED, args);
} else {
  // Other users of this computer can read the arguments of its programs.
  if (args.some((argument) => /^--(token|password)(=|$)/.test(argument))) process.title = 'pixdock';
  const [{ run }, { processIo }] = await Promise.all([import('./program.ts'), import('./io.ts')]);
  process.exitCode = await run(args, processIo);
}

/**
 * Runs the command line again on the Node that is installed beside it, or reports that a newer one is needed.
 * @returns the exit code
 */
async function runOnNewerNode(needed: number, args: string[]): Promise<number> {
  const node = findNode(dirname(fileURLToPath(import.meta.url)));
  if (node) return runOn(node, args);
  const has = process.versions.node;
  process.stderr.write(`pixdock: Node ${needed} or newer is required; this is ${has}. Get it from https://nodejs.org.\n`);
  return 2;
}

/** The Node that this package depends on, in the nearest node_modules above. */
function findNode(folder: string): string | undefined {
  const candidate = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(candidate)) return candidate;
  return dirname(folder) === folder ? undefined : findNode(dirname(folder));
}

function runOn(node: string, args: string[]): Promise<number> {
  // Arguments may contain secrets, which this waiting process would otherwise keep showing in the process list.
  process.title = 'pixdock';
  const child = spawn(node, [process.argv[1] as string, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // As shells report a child that a signal has ended.
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
