import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { createReaper } from '#server/platform/base/reaper.ts';
import { describeError, type FromDecoder, PIPE, type ToDecoder } from './messages.ts';
import { commandOf, currentProtection } from './protection.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The processor time of a process that was killed, where the system reports it. */
  readonly cpuSeconds?: number | undefined;
  /** Why it could not start. */
  readonly err?: unknown;
}

/** A process that decodes. */
export interface DecoderProcess {
  readonly pid: number | undefined;
  send(message: ToDecoder): void;
  /** Sends bytes of a picture through a pipe, and resolves when they may be overwritten. Undefined: there is none. */
  pipe?: (bytes: Uint8Array) => Promise<void>;
  onMessage(listener: (message: FromDecoder) => void): void;
  /** Called once, even if it could not start. */
  onExit(listener: (exit: Exit) => void): void;
  /** Ends it immediately. */
  kill(): void;
  /** Whether it keeps this process running. */
  hold(isBusy: boolean): void;
}

export type LaunchDecoder = () => DecoderProcess;

const endWithService = createReaper(0);

/** Takes the place of a process where none can be started: in a thread of Electron's utility process, in which backups are tried. */
export const decodeHere: LaunchDecoder = () => {
  const state = { isWorn: false, memory: 0, cpuSeconds: 0 };
  let reply: (message: FromDecoder) => void;
  const performer = import('./perform.ts').then(
    ({ createPerformer }) => createPerformer(reply, async (job) => ({ ...(await job()), ...state })),
    (error: unknown) => ({ receive: () => reply({ ...describeError(error), ...state }) }),
  );
  return {
    pid: process.pid,
    send: (message) => void performer.then(({ receive }) => receive(message)),
    onMessage(listener) {
      reply = listener;
    },
    onExit: () => undefined,
    kill: () => undefined,
    hold: () => undefined,
  };
};

/**
 * Starts a decoder on this process's Node.
 * @param protection replaced in tests, like the program
 */
export function launchDecoder(protection = currentProtection(), given?: string): DecoderProcess {
  const { program, execPath, execArgv, options } = commandOf(protection, given);
  try {
    const child = fork(program, [], {
      ...options,
      execPath,
      execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
    });
    return decoderOf(child, protection.isWrapped ?? false);
  } catch (err) {
    return unstarted(err);
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Of a second, in which Linux counts processor time. */
const TICKS = 100;
/** After the process's name: the processor time that it has used itself, and in the system. */
const [USER_AT, SYSTEM_AT] = [11, 12];

/** The processor time of a process and of those that it has started, which is the decoder in bubblewrap. Undefined on other systems than Linux. */
function cpuSecondsOf(pid: number): number | undefined {
  const stat = readAbout(pid, 'stat');
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const own = (Number(fields[USER_AT]) + Number(fields[SYSTEM_AT])) / TICKS;
  const children = readAbout(pid, `task/${pid}/children`)?.split(' ').filter(Boolean) ?? [];
  return children.reduce((sum, child) => sum + (cpuSecondsOf(Number(child)) ?? 0), own);
}

/** Undefined for a process that has ended, and where the system has no such file. */
function readAbout(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null): Exit => ({ code, signal });

/** Codes over this are signals, in shells and in bubblewrap. */
const FIRST_SIGNAL = 128;

/** How the process in bubblewrap ended. */
function exitInside(code: number | null, signal: NodeJS.Signals | null): Exit {
  const inside = Object.entries(constants.signals).find(([, number]) => code === FIRST_SIGNAL + number);
  return inside ? { code: null, signal: inside[0] as NodeJS.Signals } : { code, signal };
}

/** Node throws for some reasons why a process can't start, such as a lack of memory; its exit is reported as it is for the others. */
function unstarted(err: unknown): DecoderProcess {
  return {
    pid: undefined,
    send: () => undefined,
    onMessage: () => undefined,
    onExit: (listener) => void setImmediate(listener, { code: null, signal: null, err }),
    kill: () => undefined,
    hold: () => undefined,
  };
}

/** @param isWrapped whether it is bubblewrap, and leads a process group */
function decoderOf(child: ChildProcess, isWrapped: boolean): DecoderProcess {
  endWithService(child, isWrapped);
  const toExit = isWrapped ? exitInside : exitOf;
  // Killed while it starts, bubblewrap leaves a process behind, which isn't yet bound to end with it.
  if (isWrapped) child.once('exit', () => killGroup(child));
  // A process that lacked file descriptors has none.
  const pipe = (child.stdio as ChildProcess['stdio'] | undefined)?.[PIPE] as Socket | undefined;
  pipe?.on('error', () => undefined); // it has ended
  let cpuSeconds: number | undefined;
  return {
    pid: child.pid,
    // The exit of a process that doesn't get them is reported.
    pipe: (bytes) => new Promise((resolve) => pipe?.write(bytes, () => resolve())),
    // A process that has just died doesn't get it, and one that lacked file descriptors has no channel; their exits are reported separately.
    send: (message) => void child.send?.(message, () => undefined),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromDecoder)),
    onExit(listener) {
      const { promise, resolve } = Promise.withResolvers<Exit>();
      child.once('exit', (code, signal) => resolve({ ...toExit(code, signal), cpuSeconds }));
      child.on('error', (err) => resolve({ code: null, signal: null, err }));
      void promise.then(listener);
    },
    kill() {
      cpuSeconds = child.pid === undefined ? undefined : cpuSecondsOf(child.pid);
      if (isWrapped) killGroup(child);
      else child.kill('SIGKILL');
    },
    hold(isBusy) {
      for (const handle of [child, child.channel, pipe]) isBusy ? handle?.ref() : handle?.unref();
    },
  };
}
