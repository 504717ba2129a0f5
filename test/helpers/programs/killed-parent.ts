import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { isRunning } from './process-tree.ts';

/** A file of the project, as a literal to import in a program. */
export const fileOf = (path: string) => JSON.stringify(join(import.meta.dirname, '../../..', path));

/** A program that hangs once it gets a message, as a literal for `fork`. */
export const hangingProgram = (first = '') =>
  JSON.stringify(written(`${first}\nprocess.on('message', () => { for (;;); }); process.send('up');`));

/** A program of the project as Electron's utility process, which hangs once it has handled a message of a type. */
export const hangingUtility = (path: string, type: string) =>
  JSON.stringify(written(`import ${fileOf(path)}; process.parentPort.on('message', ({ data }) => { while (data.type === '${type}'); });`));

function written(code: string): string {
  const path = join(temporaryFolder(), 'program.mjs');
  writeFileSync(path, code);
  return path;
}

/** Kills a program once it has sent the pid of a process that it has started, and waits until that one has ended, too (Linux). */
export async function expectToEndWithParent(program: string, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const parent = fork(written(program), { execArgv: [], env: { ...process.env, ...env } });
  const [pid] = (await once(parent, 'message')) as [number];
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
}
