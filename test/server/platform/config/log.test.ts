import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { decoderEnv } from '#server/platform/config/allocator.ts';
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

it('passes on to decoders what the system needs, and nothing that could be a secret', () => {
  const env = decoderEnv({ TMPDIR: '/var/tmp', PIXDOCK_SECRET: 's3', HOME: '/home/ada', tmpdir: '/other' }, 'linux');
  expect(env).toMatchObject({ TMPDIR: '/var/tmp', MALLOC_ARENA_MAX: '1' });
  expect(Object.keys(env).filter((name) => /secret|home|tmpdir/i.test(name))).toEqual(['TMPDIR']);
});

it('finds the variables of Windows in any case: Git Bash writes SYSTEMROOT', () => {
  const env = decoderEnv({ SYSTEMROOT: 'C:\\Windows', temp: 'C:\\Temp', Path: 'C:\\bin' }, 'win32');
  expect(env).toMatchObject({ SYSTEMROOT: 'C:\\Windows', temp: 'C:\\Temp' });
  expect(env).not.toHaveProperty('Path');
});

it.runIf(process.platform === 'linux')('restarts a program once, with the options of glibc and V8, its own ones and its arguments', () => {
  const program = join(temporaryFolder(), 'program.ts');
  writeFileSync(
    program,
    `import { ensureAllocator } from ${fileOf('server/platform/config/allocator.ts')};
    ensureAllocator();
    console.log(JSON.stringify({ options: process.execArgv, argument: process.argv[2], arenas: process.env.MALLOC_ARENA_MAX }));`,
  );
  const { MALLOC_ARENA_MAX: _own, ...env } = process.env;
  const printed = execFileSync(process.execPath, ['--stack-size=900', program, 'argument'], { env, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual({
    options: ['--max-semi-space-size=2', '--heap-growing-percent=200', '--stack-size=900'],
    argument: 'argument',
    arenas: '2',
  });
});
