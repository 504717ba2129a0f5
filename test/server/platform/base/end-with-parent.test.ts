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

it.runIf(process.platform === 'linux')('kills a process that hangs when the one that started it is killed', () =>
  expectToEndWithParent(
    `import { fork } from 'node:child_process';
     import { createReaper } from ${fileOf('server/platform/base/reaper.ts')};
     const reap = createReaper(0);
     const brief = fork(${hangingProgram('process.exit();')});
     reap(brief);
     await new Promise((resolve) => brief.once('exit', resolve));
     const child = fork(${hangingProgram()});
     reap(child);
     child.once('message', () => {
       child.send('hang');
       process.send(child.pid);
     });`,
  ),
);
