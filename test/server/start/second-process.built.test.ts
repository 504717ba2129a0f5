import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';

it('refuses a data folder that another process uses, and accepts it once that process is killed', async () => {
  const folder = temporaryFolder();
  const first = await startChildService(folder);
  await expect(startChildService(folder)).rejects.toThrow(
    /^the service exited with 1: pixdock: Another Pixdock service is already using the data folder .*\n$/,
  );
  expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
  await first.kill();
  const second = await startChildService(folder);
  expect(await second.stop()).toBe(0);
});

it('reports unreadable secrets and changes nothing', async () => {
  const folder = temporaryFolder();
  await (await startChildService(folder)).stop();
  writeFileSync(join(folder, 'secrets.json'), '{');
  await expect(startChildService(folder)).rejects.toThrow(/secrets.json is damaged/);
  rmSync(join(folder, 'secrets.json'));
  const again = await startChildService(folder);
  expect(await again.stop()).toBe(0);
});

it('keeps its compiled code in the data folder, which only its user can open', async () => {
  const folder = join(temporaryFolder(), 'data');
  const service = await startChildService(folder, { NODE_COMPILE_CACHE: '' });
  await service.stop();
  expect(readdirSync(join(folder, 'compiled'))).toHaveLength(1);
  if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(service.printed()).not.toContain('could look into the data folder');
});

it.skipIf(process.platform === 'win32')('loads no code that another user could have put there', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  const stop = async () => await (await startChildService(folder, { NODE_COMPILE_CACHE: '' })).stop();
  await stop();
  expect(readdirSync(join(folder, 'compiled'))).toEqual([]);
  await stop(); // the first start has made the folder private
  expect(readdirSync(join(folder, 'compiled'))).toHaveLength(1);
});
