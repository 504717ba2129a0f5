import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ProgramResult {
  stdout: string;
  stderr: string;
  code: number | null;
}

export interface ProgramOptions {
  env?: Record<string, string>;
  /** Standard input; empty by default, and null leaves it open for `onStart` to write to. */
  stdin?: Buffer | string | null;
  cwd?: string;
  /** Called with the running process. */
  onStart?: (child: ChildProcessWithoutNullStreams) => void;
}

/** An environment without the settings of the user who runs the tests. */
export function homeEnv(home: string): Record<string, string> {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    TMPDIR: home,
    PATH: process.env.PATH ?? '',
  };
}

/** Runs any program to its end. */
export function runProgram(command: string, args: string[], { env, stdin, cwd, onStart }: ProgramOptions = {}): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk) => stdout.push(chunk));
    child.stderr.on('data', (chunk) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), code }));
    // A program may end without reading its input.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || reject(error));
    if (stdin !== null) child.stdin.end(stdin);
    onStart?.(child);
  });
}
