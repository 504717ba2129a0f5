import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { fileOf } from '#test/helpers/programs/killed-parent.ts';

/** A program that logs two lines and exits when it gets a message. */
async function logging() {
  const program = join(temporaryFolder(), 'logs.mjs');
  writeFileSync(
    program,
    `import { openLog } from ${fileOf('server/platform/config/log.ts')};
     const log = openLog('info');
     process.once('message', () => {
       log.info('first');
       log.info('last');
       process.exit(0);
     });
     process.send('up');`,
  );
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

it('lets a program exit whose output nobody reads', async () => {
  const child = await logging();
  child.stdout?.destroy();
  child.send('exit');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('prints what was logged just before the exit', async () => {
  const child = await logging();
  let printed = '';
  child.stdout?.on('data', (chunk) => (printed += chunk));
  child.send('exit');
  await once(child, 'close');
  expect(printed).toMatch(/"first"\}\n.*"last"\}\n$/);
});
