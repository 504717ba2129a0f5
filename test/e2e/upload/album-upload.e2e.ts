import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { createAlbum } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { dropFiles } from '#test/e2e/drop.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const jpeg = async (name: string, seed: number) => ({ name, mimeType: 'image/jpeg', buffer: await photoJpeg({ seed }) });
const albumsOf = async (owner: SignedIn) =>
  Object.fromEntries((await owner.client.call(listImages, { query: {} })).items.map(({ name, album_id }) => [name, album_id]));

test('files chosen, dropped or pasted on an album page go into the album, and the panel shows it', async ({ page, service, owner }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-drop-'));
  await writeFile(join(folder, 'dropped.jpg'), await photoJpeg({ seed: 2 }));
  const coast = await owner.client.call(createAlbum, { body: { name: 'Coast' } });
  const clipboard = await openClipboard(page, service);
  await page.goto(`/albums/${coast.id}`);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload new' }).click();
  await (await chooser).setFiles([await jpeg('chosen.jpg', 1)]);
  await expect(panel(page).getByText('Upload to Coast')).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  await dropFiles(page, [join(folder, 'dropped.jpg')], () => expect(page.getByText('Drop to upload to Coast')).toBeVisible());
  await expect(tiles(page)).toHaveCount(2);
  await clipboard.writePng(await png({ seed: 4 }));
  await page.keyboard.press('Control+v');
  await expect(tiles(page)).toHaveCount(3);
  expect(Object.values(await albumsOf(owner))).toEqual([coast.id, coast.id, coast.id]);
  await page.getByRole('link', { name: 'Albums', exact: true }).click();
  await expect(page.getByRole('link', { name: 'Coast, 3 pictures' })).toBeVisible();
  await rm(folder, { recursive: true });
});

test('uploads go into the opened album even before its page and its name have loaded', async ({ page, owner }) => {
  const coast = await owner.client.call(createAlbum, { body: { name: 'Coast' } });
  const code = Promise.withResolvers<void>();
  const names = Promise.withResolvers<void>();
  await page.route('**/assets/album-page-*.js', (route) => code.promise.then(() => route.continue()));
  await page.route('**/api/v1/albums?*', (route) => names.promise.then(() => route.continue()));
  await page.goto(`/albums/${coast.id}`);
  await page.locator('input[type=file]').setInputFiles([await jpeg('first.jpg', 9)]);
  await expect(panel(page).getByRole('status')).toHaveText('1 picture uploaded');
  await expect(page.getByRole('link', { name: 'All albums' })).toHaveCount(0);
  code.resolve();
  await expect(page.getByRole('link', { name: 'All albums' })).toBeVisible();
  await page.locator('input[type=file]').setInputFiles([await jpeg('second.jpg', 8)]);
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  names.resolve();
  await expect(panel(page).getByText('Upload to Coast')).toBeVisible();
  expect(await albumsOf(owner)).toEqual({ 'first.jpg': coast.id, 'second.jpg': coast.id });
});
