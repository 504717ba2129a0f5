import { homeEnv, type ProgramOptions, type ProgramResult, runProgram } from '#test/helpers/programs/programs.ts';
import { built } from '#test/helpers/service/built.ts';

/** The built command line. */
export const CLI = built('cli/pixdock.js');

/** Runs the built command line in a process of its own to its end, with a home of its own. */
export function runBuiltCli(
  home: string,
  args: string[],
  { env, stdin, cwd = home, onStart }: ProgramOptions = {},
): Promise<ProgramResult> {
  return runProgram(process.execPath, [CLI, ...args], {
    env: { ...homeEnv(home), ...env },
    cwd,
    ...(stdin !== undefined && { stdin }),
    ...(onStart && { onStart }),
  });
}
