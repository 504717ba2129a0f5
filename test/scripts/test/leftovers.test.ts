import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { isRunning } from '#test/helpers/programs/process-tree.ts';

it.skipIf(process.platform === 'win32')(
  '`npm test` fails when a process that it started is still alive, names it and ends it',
  async () => {
    const [plant, noted] = ['plant.mjs', 'pid'].map((name) => join(temporaryFolder(), name)) as [string, string];
    // Loaded into all programs, and into those that the run starts with its marker.
    writeFileSync(
      plant,
      `import { spawn } from 'node:child_process';
     import { existsSync, writeFileSync } from 'node:fs';
     if (process.env.PIXDOCK_FAILED_TESTS && !existsSync('${noted}')) {
       const child = spawn('sleep', ['998'], { detached: true, stdio: 'ignore' });
       child.unref();
       writeFileSync('${noted}', String(child.pid));
     }`,
    );
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: `--import ${plant}` };
    delete env.PIXDOCK_FAILED_TESTS; // of the run that runs this test
    const script = join(import.meta.dirname, '../../../scripts/test.mjs');
    const { stdout, status } = spawnSync(process.execPath, [script, 'imports'], { env, encoding: 'utf8' });
    expect(existsSync(noted)).toBe(true);
    const pid = Number(readFileSync(noted, 'utf8'));
    expect({ stdout, status }).toEqual({
      stdout: expect.stringMatching(new RegExp(`passed {2}imports[^]*FAILED .*: ${pid} sleep 998`)),
      status: 1,
    });
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

it.skipIf(process.platform === 'win32')('`npm test` ends what it has started when it is stopped, and leaves no files', async () => {
  const [plant, noted] = ['plant.mjs', 'noted'].map((name) => join(temporaryFolder(), name)) as [string, string];
  // A program of the run that doesn't end on its own, and another that it has started and forgotten.
  writeFileSync(
    plant,
    `import { spawn } from 'node:child_process';
     import { existsSync, writeFileSync } from 'node:fs';
     if (process.env.PIXDOCK_FAILED_TESTS && !existsSync('${noted}')) {
       process.on('SIGTERM', () => undefined);
       setInterval(() => undefined, 1_000);
       const child = spawn('sleep', ['997'], { detached: true, stdio: 'ignore' });
       writeFileSync('${noted}', JSON.stringify({ pids: [process.pid, child.pid], failures: process.env.PIXDOCK_FAILED_TESTS }));
     }`,
  );
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_OPTIONS: `--import ${plant}` };
  delete env.PIXDOCK_FAILED_TESTS; // of the run that runs this test
  const script = join(import.meta.dirname, '../../../scripts/test.mjs');
  const run = spawn(process.execPath, [script, 'imports', 'classes'], { env, stdio: 'ignore' });
  await expect.poll(() => existsSync(noted) && readFileSync(noted, 'utf8')).toMatch(/}$/);
  const { pids, failures } = JSON.parse(readFileSync(noted, 'utf8')) as { pids: number[]; failures: string };
  onTestFinished(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
  });
  expect(pids.map(isRunning)).toEqual([true, true]);
  run.kill('SIGTERM');
  expect(await once(run, 'exit')).toEqual([1, null]);
  expect(pids.map(isRunning)).toEqual([false, false]);
  expect(existsSync(dirname(failures))).toBe(false);
});
