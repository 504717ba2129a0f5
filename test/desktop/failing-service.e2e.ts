import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

test('a service that keeps failing is no longer restarted; its page shows the log, opens its folder and tries again', async ({
  launch,
  folder,
}) => {
  const dataDir = join(folder, 'damaged');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'pixdock.db'), 'this is not a database, but more than a hundred bytes of text'.repeat(5));
  const desktop = await launch({ env: { PIXDOCK_DATA_DIR: dataDir } });
  const { page } = desktop;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Pixdock service keeps failing', { timeout: 30_000 });
  await expect(page.getByText('Pixdock has stopped restarting it')).toBeVisible();
  await expect(page.locator('pre')).toContainText('file is not a database');
  expect(await readFile(join(folder, 'user/logs/service.log'), 'utf8')).toContain('file is not a database');
  await page.getByRole('button', { name: 'Open log folder' }).click();
  await expect.poll(() => desktop.opened()).toEqual([join(folder, 'user/logs')]);

  await rm(join(dataDir, 'pixdock.db'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
});
