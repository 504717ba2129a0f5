import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';

test('a damaged database: where it is and what can be done, and the app continues in another folder', async ({ launch, folder }) => {
  const dataDir = join(folder, 'user/share/pixdock');
  const backups = join(dataDir, 'backups');
  await mkdir(backups, { recursive: true });
  await writeFile(join(backups, 'pixdock-backup.tar'), '');
  const database = join(dataDir, 'pixdock.db');
  await writeFile(database, 'this is not a database, but more than a hundred bytes of text'.repeat(5));
  const desktop = await launch({ asks: true });
  const { page } = desktop;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The database is damaged', { timeout: 30_000 });
  await expect(page.getByText(`Pixdock can’t read ${database}.`)).toBeVisible();
  await expect(page.getByText(`pixdock verify --repair --data-dir "${dataDir}"`)).toBeVisible();
  await expect(page.getByRole('listitem').nth(1)).toContainText(`There are backups in ${backups}.`);
  await expect(page.getByText('safe')).toHaveCount(0);
  await expect(page.locator('pre')).toBeHidden(); // a stack trace helps nobody here
  await expect.poll(() => desktop.labels()).toContain('Pixdock isn’t running: its database is damaged');
  const used = join(folder, 'used');
  await mkdir(used);
  await writeFile(join(used, 'notes.txt'), 'other files');
  await mkdir(join(used, 'Pixdock'));
  await writeFile(join(used, 'Pixdock', 'notes.txt'), 'other files');
  await desktop.choose(used);
  await page.getByRole('button', { name: 'Choose another folder…' }).click();
  await expect(page.getByText('This folder contains other files. Choose an empty one:')).toBeVisible();
  const other = join(folder, 'other');
  await mkdir(other);
  await desktop.choose(other);
  const ended = desktop.app.waitForEvent('close');
  await page.getByRole('button', { name: 'Choose another folder…' }).click();
  await ended;
  const again = await launch({ asks: true });
  await expect(again.page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  expect(existsSync(join(other, 'pixdock.db'))).toBe(true);
  expect(await readFile(database, 'utf8')).toMatch(/^this is not a database/);
});

test('a service that keeps failing is no longer restarted; its page shows the log, opens its folder and tries again', async ({
  launch,
  folder,
}) => {
  const dataDir = join(folder, 'damaged');
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'secrets.json'), 'this is no file of secrets');
  const desktop = await launch({ env: { PIXDOCK_DATA_DIR: dataDir } });
  const { page } = desktop;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Pixdock service keeps failing', { timeout: 30_000 });
  await expect(page.getByText('Pixdock has stopped restarting it')).toBeVisible();
  await expect(page.locator('pre')).toContainText('secrets.json is damaged');
  expect(await readFile(join(folder, 'user/logs/service.log'), 'utf8')).toContain('secrets.json is damaged');
  await page.getByRole('button', { name: 'Open log folder' }).click();
  await expect.poll(() => desktop.opened()).toEqual([join(folder, 'user/logs')]);

  await rm(join(dataDir, 'secrets.json'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('navigation')).toBeVisible();
});
