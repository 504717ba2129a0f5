import type { Readable, Writable } from 'node:stream';

/** What a command reads; on a terminal, someone is typing. */
export type Input = Readable & { isTTY?: boolean };
/** What a command writes to. Without a descriptor, it counts as a pipe unless it is a terminal. */
export type Output = Writable & { isTTY?: boolean; columns?: number; fd?: number };

/** The outside of the command line: the process that runs it, or a test. */
export interface Io {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back for each signal that asks the program to stop. @returns a function that ends that */
  onSignal(listener: () => void): () => void;
  /** Ends the program at once. */
  exit(code: number): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The process's own. Its streams are opened when they are first used. */
export const processIo: Io = {
  env: process.env,
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  onSignal(listener) {
    for (const signal of SIGNALS) process.on(signal, listener);
    return () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    };
  },
  exit: (code) => process.exit(code),
};
