import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { built } from '#test/helpers/built.ts';

/** The built command line. */
export const CLI = built('cli/pixdock.js');

export interface CliResult {
  stdout: string;
  stderr: string;
  code: number | null;
}

export interface CliOptions {
  env?: Record<string, string>;
  /** Standard input; empty by default, and null leaves it open for `onStart` to write to. */
  stdin?: Buffer | string | null;
  cwd?: string;
  /** Called with the running process. */
  onStart?: (child: ChildProcessWithoutNullStreams) => void;
}

/** Runs the built command line to its end, with a home of its own. */
export function runCli(home: string, args: string[], { env, stdin, cwd = home, onStart }: CliOptions = {}): Promise<CliResult> {
  return runProgram(process.execPath, [CLI, ...args], {
    env: { ...homeEnv(home), ...env },
    cwd,
    ...(stdin !== undefined && { stdin }),
    ...(onStart && { onStart }),
  });
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
export function runProgram(command: string, args: string[], { env, stdin, cwd, onStart }: CliOptions = {}): Promise<CliResult> {
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
