import { resolve } from 'node:path';
import { app } from 'electron';
import { HIDDEN } from './start-at-login.ts';

/** The arguments for the app itself; in development they follow its folder. */
export function ownArguments(argv: readonly string[], cwd: string): string[] {
  if (app.isPackaged) return argv.slice(1);
  return argv.slice(argv.findIndex((argument, index) => index > 0 && resolve(cwd, argument) === app.getAppPath()) + 1);
}

/**
 * Starts the app again once it has quit, with its options but without the files and links of this start.
 * @param program to start instead of the running one
 * @param more arguments for the app itself
 */
export function relaunch(program: string | undefined, more: readonly string[] = []): void {
  const own = ownArguments(process.argv, process.cwd());
  const before = process.argv.slice(1, process.argv.length - own.length);
  const options = own.filter((argument) => argument.startsWith('-') && argument !== HIDDEN);
  app.relaunch({ args: [...before, ...options, ...more], ...(program !== undefined && { execPath: program }) });
}
