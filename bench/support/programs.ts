// The programs that a benchmark starts and stops.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { childrenOf, watchMemory } from '../../test/helpers/programs/process-tree.ts';

/** A folder for one run, and its programs. */
export interface Workshop extends AsyncDisposable {
  folder: string;
  /** Starts a server, which is ready once it prints its address. @throws if it exits before */
  start(command: [string, string[]], env?: NodeJS.ProcessEnv): Promise<Server>;
}

export interface Server {
  url: string;
  /** Waits for a line that it prints, and returns the first group of `pattern`. */
  printed(pattern: RegExp): Promise<string>;
  /** Its CPU time so far, in seconds, child processes included; 0 if the system doesn't report it. */
  cpuSeconds(): number;
  /** The most memory that it and its child processes have had together, in bytes; 0 if the system doesn't report it. */
  peakBytes(): number;
  /** The memory that it has now, in bytes; 0 if the system doesn't report it. */
  currentBytes(): number;
  /** The resident memory of its main process, in bytes, with everything that it shares; 0 if the system doesn't report it. */
  residentBytes(): number;
  /** Ends it, as a shutdown would. */
  stop(): Promise<void>;
}

/** Linux's clock ticks per second, the unit of CPU time in /proc. */
const TICKS_PER_SECOND = 100;

/** @param kept a folder that stays for later runs; otherwise a temporary one */
export function openWorkshop(kept?: string): Workshop {
  if (kept !== undefined) mkdirSync(kept, { recursive: true });
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'pixdock-bench-'));
  const children: ChildProcess[] = [];
  return {
    folder,
    async start([command, args], env) {
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
      children.push(child);
      const printed = listenTo(child);
      const pid = child.pid as number;
      const memory = watchMemory(pid);
      return {
        url: await printed(/(http:\/\/127\.0\.0\.1:\d+)/),
        printed,
        cpuSeconds: () => cpuSeconds(pid),
        peakBytes: () => memory.peak() * 1e6,
        currentBytes: () => memory.now() * 1e6,
        residentBytes: () => residentBytes(pid),
        stop: () => end(child),
      };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(children.map(end));
      if (kept === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for background jobs, such as the placeholders of earlier uploads, which have nothing to do with what is measured next. */
export async function untilIdle({ cpuSeconds }: Server): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY, now = cpuSeconds(); now - before > 0.02; now = cpuSeconds()) {
    before = now;
    await setTimeout(500);
  }
}

/** Whether a system program is installed. */
export function hasProgram(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/** A free port, for programs that can't choose one themselves. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** A finished program. */
export interface Finished {
  /** Wall time in seconds. */
  wall: number;
  /** Its CPU time in seconds, child processes included; 0 if the system doesn't report it. */
  cpu: number;
  stdout: string;
}

/** Runs programs concurrently until all have exited. @throws if one fails */
export async function runAll(commands: [command: string, args: string[]][], env?: NodeJS.ProcessEnv): Promise<Finished> {
  const [started, before] = [performance.now(), cpuOfEnded()];
  const outputs = await Promise.all(commands.map((command) => run(command, env)));
  return { wall: (performance.now() - started) / 1000, cpu: cpuOfEnded() - before, stdout: outputs.join('') };
}

async function run([command, args]: [string, string[]], env?: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 4).join(' ')} … ended with ${code}: ${output.slice(0, 500)}`);
  return output;
}

/** User and system time of a process, its threads and its children: fields 14 to 17, counted after the name in brackets. */
export function cpuSeconds(pid: number): number {
  const path = `/proc/${pid}/stat`;
  return [secondsAt(path, 11), secondsAt(path, 13), ...childrenOf(pid).map(cpuSeconds)].reduce((sum, seconds) => sum + seconds);
}

function residentBytes(pid: number): number {
  const path = `/proc/${pid}/status`;
  const [, kibibytes = '0'] = (existsSync(path) && /^VmRSS:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))) || [];
  return Number(kibibytes) * 1024;
}

/** The same for all child processes that have exited: fields 16 and 17. */
function cpuOfEnded(): number {
  return secondsAt('/proc/self/stat', 13);
}

function secondsAt(path: string, field: number): number {
  if (!existsSync(path)) return 0;
  const [, fields = ''] = readFileSync(path, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(field, field + 2);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

function listenTo(child: ChildProcess): Server['printed'] {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  return (pattern) =>
    new Promise((resolve, reject) => {
      function look() {
        const [, found] = pattern.exec(text) ?? [];
        if (found === undefined) return;
        child.stdout?.off('data', look);
        resolve(found);
      }
      child.stdout?.on('data', look);
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`ended: ${text}`)));
      look();
    });
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}
