import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';
import { runCli } from './run-cli.ts';

it('says that the service is running; then reports what is wrong, repairs it, and finds nothing more', async () => {
  const service = await startTestService();
  const { dataDir } = service;
  const owner = await setUp(service);
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  const home = temporaryFolder();
  const verify = (...args: string[]) => runCli(home, ['verify', ...args]);

  const running = await verify('--data-dir', dataDir);
  expect(running).toEqual({
    stdout: '',
    stderr: `pixdock: Pixdock is running with the data folder ${dataDir}. Stop it first, then verify again.\n`,
    code: 1,
  });
  await service.stop();
  try {
    const sound = await runCli(home, ['verify', '--no-color'], { env: { PIXDOCK_DATA_DIR: dataDir } });
    expect(sound).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^pixdock: Checked 1 picture \([\d.]+ KB\): no problems\.\n$/),
      code: 0,
    });

    await mkdir(join(dataDir, 'blobs', 'ab'), { recursive: true });
    await writeFile(join(dataDir, 'blobs', 'ab', 'stray\u001b[31m.jpg'), 'x');
    const found = await verify('--data-dir', dataDir);
    expect(found.stdout).toBe(
      `${dataDir}/blobs/ab/stray\\u{1b}[31m.jpg doesn’t belong to any picture. --repair moves it to ${dataDir}/set-aside/1.\n`,
    );
    const json = await verify('--data-dir', dataDir, '--json');
    expect(JSON.parse(json.stdout)).toEqual({
      problem: expect.stringContaining('doesn’t belong to any picture.'),
      repaired: false,
      advice: expect.stringContaining('--repair moves it'),
    });
    expect([found.stderr, found.code]).toEqual([expect.stringContaining(': 1 problem.\n'), 1]);
    const repaired = await verify('--repair', '--data-dir', dataDir);
    expect(repaired.stdout).toContain(`Moved to ${dataDir}/set-aside/1/`);
    expect([repaired.stderr, repaired.code]).toEqual([expect.stringContaining(': 1 problem, repaired.\n'), 0]);
    expect(await readdir(join(dataDir, 'set-aside', '1'))).toHaveLength(1);
    expect((await verify('--data-dir', dataDir)).code).toBe(0);

    await writeFile(join(dataDir, 'secrets.json'), '{');
    const left = await verify('--repair', '--data-dir', dataDir);
    expect([left.stdout, left.code]).toEqual([expect.stringContaining('secrets.json is damaged. Restore it from a backup.'), 1]);
  } finally {
    await service[Symbol.asyncDispose]();
  }
});

it('reports a folder that isn’t a data folder, and an unknown option', async () => {
  const home = temporaryFolder();
  const wrong = await runCli(home, ['verify', '--data-dir', home]);
  expect(wrong).toEqual({ stdout: '', stderr: expect.stringContaining('isn’t a Pixdock data folder'), code: 1 });
  expect((await runCli(home, ['verify', '--fix'])).code).toBe(2);
  const help = await runCli(home, ['verify', '--help']);
  expect([help.stdout, help.code]).toEqual([expect.stringContaining('--repair'), 0]);
});
