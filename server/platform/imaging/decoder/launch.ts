import { type ChildProcess, fork } from 'node:child_process';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReaper } from '#server/platform/base/reaper.ts';
import { decoderEnv } from '#server/platform/config/allocator.ts';
import { describeError, type Reply, type Request } from './messages.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Where signals can't be told from codes. */
  readonly isCrash?: boolean;
  /** Why it could not start. */
  readonly err?: unknown;
}

/** A process that decodes. */
export interface DecoderProcess {
  readonly pid: number | undefined;
  send(request: Request): void;
  onReply(listener: (reply: Reply) => void): void;
  /** Called once, even if it could not start. */
  onExit(listener: (exit: Exit) => void): void;
  /** Ends it immediately. */
  kill(): void;
  /** Whether it keeps this process running. */
  hold(isBusy: boolean): void;
}

export type LaunchDecoder = () => DecoderProcess;

/** It may read pictures, load libvips and start threads; not write files from JavaScript, start processes or open an inspector. */
const PERMISSIONS = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-worker', '--disable-warning=SecurityWarning'];

/** V8 would let garbage grow until the process counts as worn, and starting another costs more than collecting it. */
const SMALL_HEAP = '--max-semi-space-size=1';

const endWithService = createReaper(0);

/** The program's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
function programPath(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? './program.ts' : '../server/decoder.js', here));
}

/** Takes the place of a process where none can be started: in a thread of Electron's utility process, in which backups are tried. */
export const decodeHere: LaunchDecoder = () => {
  let reply: (reply: Reply) => void;
  return {
    pid: process.pid,
    async send(request) {
      const outcome = await import('./perform.ts').then(({ perform }) => perform(request), describeError);
      reply({ ...outcome, isWorn: false, memory: 0 });
    },
    onReply(listener) {
      reply = listener;
    },
    onExit: () => undefined,
    kill: () => undefined,
    hold: () => undefined,
  };
};

/** Starts a decoder on this process's Node. */
export const launchDecoder: LaunchDecoder = () => {
  try {
    return decoderOf(
      fork(programPath(), [], {
        cwd: parse(process.execPath).root,
        env: decoderEnv(),
        execArgv: [...PERMISSIONS, SMALL_HEAP],
        serialization: 'advanced',
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
  } catch (err) {
    return unstarted(err);
  }
};

/** Node throws for some reasons why a process can't start, such as a lack of memory; its exit is reported as it is for the others. */
function unstarted(err: unknown): DecoderProcess {
  return {
    pid: undefined,
    send: () => undefined,
    onReply: () => undefined,
    onExit: (listener) => void setImmediate(listener, { code: null, signal: null, err }),
    kill: () => undefined,
    hold: () => undefined,
  };
}

function decoderOf(child: ChildProcess): DecoderProcess {
  endWithService(child);
  return {
    pid: child.pid,
    // A process that has just died doesn't get it, and one that lacked file descriptors has no channel; their exits are reported separately.
    send: (request) => void child.send?.(request, () => undefined),
    onReply: (listener) => void child.on('message', (reply) => listener(reply as Reply)),
    onExit(listener) {
      const { promise, resolve } = Promise.withResolvers<Exit>();
      child.once('exit', (code, signal) => resolve({ code, signal }));
      child.on('error', (err) => resolve({ code: null, signal: null, err }));
      void promise.then(listener);
    },
    kill: () => void child.kill('SIGKILL'),
    hold(isBusy) {
      for (const handle of [child, child.channel]) isBusy ? handle?.ref() : handle?.unref();
    },
  };
}
