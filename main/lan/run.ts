import { execFile } from 'node:child_process';
import { endWithApp } from '#main/base/system/end-with-app.ts';

const LIMIT_MS = 5_000;

/** Runs a program of the system; returns its output, or undefined when it is missing, fails or takes longer than five seconds. */
export type Run = (program: string, args: readonly string[]) => Promise<string | undefined>;

export const run: Run = (program, args) =>
  new Promise((resolve) => {
    endWithApp(execFile(program, args, { timeout: LIMIT_MS, windowsHide: true }, (error, stdout) => resolve(error ? undefined : stdout)));
  });
