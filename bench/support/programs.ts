// Programs that a measurement starts, and ends again.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one run, and the programs in it. */
export interface Workshop extends AsyncDisposable {
  folder: string;
  /** Starts a server, which is ready once it prints its address. @throws when it ends before */
  start(command: [string, string[]], env?: NodeJS.ProcessEnv): Promise<Server>;
}

export interface Server {
  url: string;
  /** The processor time that it has used so far, in seconds; 0 where the system does not tell. */
  cpuSeconds(): number;
}

/** The unit in which Linux counts processor time for programs. */
const TICKS_PER_SECOND = 100;

export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'pixdock-bench-'));
  const children: ChildProcess[] = [];
  return {
    folder,
    async start([command, args], env) {
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      return { url: await printedAddress(child), cpuSeconds: () => cpuSeconds(child.pid) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a program of the system is there. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** A port that nobody listens on, for programs that cannot choose one themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** User and system time of a process and all its threads: fields 14 and 15, counted behind the name in brackets. */
function cpuSeconds(pid: number | undefined): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const [, fields = ''] = readFileSync(path, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

function printedAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (url) resolve(url);
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`ended: ${text}`)));
  });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}
