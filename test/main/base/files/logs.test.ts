import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { setupLogs } from '#main/base/files/logs.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { fileOf } from '#test/helpers/programs/killed-parent.ts';

const quiet = () => ({ error: vi.fn(), warn: vi.fn(), info: vi.fn(), log: vi.fn() });

test('what main writes to the console is in its log, too', () => {
  const folder = join(temporaryFolder(), 'logs');
  const source = quiet();
  const { error } = source;
  setupLogs({ folder, echo: false, source });
  source.error('The window could not show its page:', new Error('refused'));
  expect(error).toHaveBeenCalledOnce();
  expect(readFileSync(join(folder, 'main.log'), 'utf8')).toMatch(
    /^\S+T\S+Z \[error\] The window could not show its page: Error: refused\n/,
  );
});

test('the log of the service starts again at its limit while the service runs, and keeps the previous one', async () => {
  const folder = temporaryFolder();
  const logs = setupLogs({ folder, echo: false, maxBytes: 1_000, source: quiet() });
  for (const process of [1, 2]) {
    const output = new PassThrough();
    logs.follow(output);
    for (let line = 0; line < 100; line += 1) output.write(`process ${process}, \u001b[31mline\u001b[39m ${line}\n`);
    output.end();
    await once(output, 'close');
  }
  expect(readdirSync(folder).sort()).toEqual(['service.log', 'service.old.log']);
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).size).toBeLessThan(1_100);
  expect(await logs.lastServiceLines(2)).toEqual(['process 2, line 98', 'process 2, line 99']);
});

test('a full disk is reported on the console and stops nothing', async () => {
  const folder = temporaryFolder();
  symlinkSync('/dev/full', join(folder, 'main.log'));
  symlinkSync('/dev/full', join(folder, 'service.log'));
  const source = quiet();
  const { error } = source;
  const logs = setupLogs({ folder, echo: false, source });
  source.error('something happened');
  expect(error).toHaveBeenCalledWith('something happened');
  const output = new PassThrough();
  logs.follow(output);
  output.end('a line\n');
  await once(output, 'close');
  expect(await logs.lastServiceLines(5)).toEqual([]);
});

test('a terminal that closes doesn’t end the app, whose log continues', async () => {
  const folder = temporaryFolder();
  const program = `
    const { Readable } = await import('node:stream');
    const { outliveTerminal, setupLogs } = await import(${fileOf('main/base/files/logs.ts')});
    outliveTerminal();
    const { follow } = setupLogs({ folder: ${JSON.stringify(folder)}, echo: true });
    process.on('message', () => {
      for (let line = 0; line < 50; line += 1) console.error('a line', line);
      // It follows the error of the first write, which the console alone would ignore.
      process.stdout.once('close', () => process.exit(0));
      follow(Readable.from(['of the service\\n']));
    });
    process.send('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  await once(child, 'message');
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.send('write');
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(readFileSync(join(folder, 'main.log'), 'utf8').match(/a line/g)).toHaveLength(50);
  expect(readFileSync(join(folder, 'service.log'), 'utf8')).toMatch(/of the service/);
});
