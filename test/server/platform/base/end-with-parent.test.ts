import { it } from 'vitest';
import { expectToEndWithParent, fileOf, hangingProgram } from '#test/helpers/programs/killed-parent.ts';

it.runIf(process.platform === 'linux')('ends a process that hangs when its parent is killed', () =>
  expectToEndWithParent(
    `import { fork } from 'node:child_process';
     const child = fork(${hangingProgram(`import { endWithParent } from ${fileOf('server/platform/base/end-with-parent.ts')}; endWithParent();`)});
     child.once('message', () => {
       child.send('hang');
       process.send(child.pid);
     });`,
  ),
);
