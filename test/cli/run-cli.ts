import { PassThrough } from 'node:stream';
import type { Io, Output } from '#cli/io.ts';
import { run } from '#cli/program.ts';
import { homeEnv, type ProgramResult } from '#test/helpers/programs/programs.ts';

export interface RunOptions {
  env?: Record<string, string>;
  /** Standard input; empty by default, and null leaves it open for `onStart` to write to. */
  stdin?: Buffer | string | null;
  cwd?: string;
  /** Runs it on a terminal of this many columns, whose screen is the result's `stdout`. */
  columns?: number;
  onStart?: (running: RunningCli) => void;
}

/** What a test can do while the command line runs. */
interface RunningCli {
  stdin: PassThrough;
  stdout: PassThrough;
  stderr: PassThrough;
  /** Asks it to stop, as Ctrl-C does. */
  interrupt(): void;
}

/** Runs the command line in this process to its end, with a home of its own. */
export async function runCli(home: string, args: string[], options: RunOptions = {}): Promise<ProgramResult> {
  const { env, stdin = '', cwd = home, columns, onStart } = options;
  using _ = workIn(cwd);
  const screen = columns === undefined ? {} : { isTTY: true, columns };
  const input = Object.assign(new PassThrough(), { isTTY: columns !== undefined && stdin === null });
  const output = Object.assign(new PassThrough(), screen);
  const errors = columns === undefined ? new PassThrough() : output;
  const [stdout, stderr] = [gather(output), errors === output ? () => '' : gather(errors)];
  const listeners = new Set<() => void>();
  const exit = Promise.withResolvers<number>();
  const io: Io = {
    env: { ...homeEnv(home), ...(columns && { TERM: 'xterm' }), ...env },
    stdin: input,
    stdout: output,
    stderr: errors,
    onSignal(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    exit: exit.resolve,
  };
  if (stdin !== null) input.end(stdin);
  const ended = run(args, io);
  onStart?.({ stdin: input, stdout: output, stderr: errors, interrupt: () => listeners.forEach((listener) => void listener()) });
  const code = await Promise.race([ended, exit.promise]);
  return { stdout: stdout(), stderr: stderr(), code };
}

function gather(output: Output & PassThrough): () => string {
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => {
    // What hasn't been emitted yet.
    for (let chunk = output.read(); chunk !== null; chunk = output.read()) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
}

let working: { cwd: string; runs: number; before: string } | undefined;

/** Changes the folder of this process, which all runs at a time must share. */
function workIn(cwd: string): Disposable {
  if (working && working.cwd !== cwd)
    throw new Error(`The command line is running in ${working.cwd}: wait for it before running it in ${cwd}.`);
  working ??= { cwd, runs: 0, before: process.cwd() };
  working.runs++;
  process.chdir(cwd);
  return {
    [Symbol.dispose]() {
      if (!working || --working.runs > 0) return;
      process.chdir(working.before);
      working = undefined;
    },
  };
}
