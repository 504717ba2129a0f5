import { expect, it } from 'vitest';
import { presentLogLine, presentWithDetails } from '#server/platform/base/log-lines.ts';
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

it.each([
  ['{"level":30,"time":"2026-11-22T01:34:42.316Z","url":"http://127.0.0.1:1","msg":"listening"}', '01:34:42 listening'],
  [
    '{"level":50,"time":"2026-11-22T01:34:42.316Z","err":{"message":"disk full"},"msg":"job failed"}',
    '01:34:42 error: job failed (disk full)',
  ],
  ['{"level":40,"time":"2026-11-22T01:34:42.316Z","msg":"slow"}', '01:34:42 warning: slow'],
  ['    at startService (server.ts:90:12)', '    at startService (server.ts:90:12)'],
  ["{ code: 'EADDRINUSE' }", "{ code: 'EADDRINUSE' }"],
])('%s', (line, shown) => {
  expect(presentLogLine(line)).toBe(shown);
});

it('with details, names the other fields and prints the stack', () => {
  const entry = {
    level: 50,
    time: '2026-11-22T01:34:42.316Z',
    job: 'trash',
    done: { images: 2 },
    err: { message: 'full', stack: 'Error: full\n    at run' },
  };
  const line = JSON.stringify({ ...entry, msg: 'job failed' });
  expect(presentWithDetails(line)).toBe('01:34:42 error: job failed (full) (job: trash, done: {"images":2})\nError: full\n    at run');
  expect(presentWithDetails('{"level":30,"time":"2026-11-22T01:34:42.316Z","msg":"ready"}')).toBe('01:34:42 ready');
  expect(presentWithDetails('{ not an entry')).toBe('{ not an entry');
});
