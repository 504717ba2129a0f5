import { type ChildProcess, fork } from 'node:child_process';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReaper } from '#server/platform/base/reaper.ts';
import { decoderEnv } from '#server/platform/config/allocator.ts';
import { describeError, type FromDecoder, type ToDecoder } from './messages.ts';

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
  send(message: ToDecoder): void;
  onMessage(listener: (message: FromDecoder) => void): void;
  /** Called once, even if it could not start. */
  onExit(listener: (exit: Exit) => void): void;
  /** Ends it immediately. */
  kill(): void;
  /** Whether it keeps this process running. */
  hold(isBusy: boolean): void;
}

export type LaunchDecoder = () => DecoderProcess;

const isSource = import.meta.url.endsWith('.ts');

/** The program's file: the source, or a file beside the service in the bundle, whose files are all one folder deep. */
const PROGRAM = pathOf(isSource ? './program.ts' : '../server/decoder.js');

/** The service's modules. */
const MODULES = pathOf(isSource ? '../../../' : '../');

/** It may read its own code, load libvips and start threads; not read or write other files from JavaScript, start processes or open an inspector. */
const PERMISSIONS = [
  '--permission',
  ...codePaths().map((path) => `--allow-fs-read=${path}`),
  '--allow-addons',
  '--allow-worker',
  '--disable-warning=SecurityWarning',
];

/** Modules, packages, and the file that says how to load them. */
function codePaths(): string[] {
  const sharp = fileURLToPath(import.meta.resolve('sharp'));
  const packages = sharp.slice(0, sharp.indexOf('node_modules') + 'node_modules'.length);
  return [MODULES, packages, join(MODULES, '../package.json')];
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** V8 would let garbage grow until the process counts as worn, and starting another costs more than collecting it. */
const SMALL_HEAP = '--max-semi-space-size=1';

const endWithService = createReaper(0);

/** Takes the place of a process where none can be started: in a thread of Electron's utility process, in which backups are tried. */
export const decodeHere: LaunchDecoder = () => {
  const state = { isWorn: false, memory: 0 };
  let reply: (message: FromDecoder) => void;
  const performer = import('./perform.ts').then(
    ({ createPerformer }) => createPerformer(reply, async (job) => ({ ...(await job()), ...state })),
    (error: unknown) => () => reply({ ...describeError(error), ...state }),
  );
  return {
    pid: process.pid,
    send: (message) => void performer.then((receive) => receive(message)),
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
 * @param program replaced in tests of what it may do
 */
export function launchDecoder(program = PROGRAM): DecoderProcess {
  try {
    return decoderOf(
      fork(program, [], {
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

function decoderOf(child: ChildProcess): DecoderProcess {
  endWithService(child);
  return {
    pid: child.pid,
    // A process that has just died doesn't get it, and one that lacked file descriptors has no channel; their exits are reported separately.
    send: (message) => void child.send?.(message, () => undefined),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromDecoder)),
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
