import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
