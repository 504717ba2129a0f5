import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '#test/helpers/network/free-port.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PARTS = [
  'api',
  'texts',
  'transfer',
  'server',
  'renderer',
  'scripts',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.base.json',
];
const START_LIMIT_MS = 120_000;

/** A copy of the sources that can be changed while the originals are in use, with `npm run dev` running in it. */
export interface DevCopy extends AsyncDisposable {
  url: string;
  /** The output so far. */
  output(): string;
  /** Replaces the first match of `pattern` in a source file. Throws when there is none. */
  edit(path: string, pattern: string | RegExp, replacement: string): void;
  /** The process of `npm run dev`. */
  child: ChildProcess;
  /** Sends Ctrl-C and returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `npm run dev` on a copy of the sources, on free ports. */
export async function startDevCopy(args: string[] = []): Promise<DevCopy> {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-dev-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const port = await freePort(2);
  const child = spawn(process.execPath, [join(folder, 'scripts/dev.mjs'), '--port', String(port), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = `http://127.0.0.1:${port}`;
  let output = '';
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`;
      if (line.includes(url)) resolve();
    });
  child.once('exit', (code) => reject(new Error(`npm run dev ended with ${code}: ${output}`)));
  const timer = setTimeout(() => reject(new Error(`npm run dev did not start: ${output}`)), START_LIMIT_MS);

  async function stop() {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    return child.exitCode;
  }

  const copy: DevCopy = {
    url,
    child,
    output: () => output,
    edit(path, pattern, replacement) {
      const file = join(folder, path);
      const before = readFileSync(file, 'utf8');
      const after = before.replace(pattern, replacement);
      if (after === before) throw new Error(`${path} has nothing to replace: ${pattern}`);
      writeFileSync(file, after);
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await started;
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
