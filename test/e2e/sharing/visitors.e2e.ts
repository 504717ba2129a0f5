import { readFile } from 'node:fs/promises';
import { createAlbum } from '#api/albums/albums.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { test } from '#test/e2e/stranger.ts';
import { expect, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { unzip } from '#test/helpers/pictures/zip.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a visitor downloads a whole album and plays it as a slideshow', async ({ page, host }) => {
  const album = await host.owner.client.call(createAlbum, { body: { name: 'Harbour week', visibility: 'public' } });
  const add = async (seed: number, fields: Record<string, string> = {}) =>
    uploadImage(host.service, host.token, await photoJpeg({ seed, width: 300 + seed }), { ...fields, album_id: album.id }, `${seed}.jpg`);
  for (const seed of [101, 102, 103]) await add(seed);
  await add(104, { max_views: '2' });
  await add(105, { visibility: 'private' });
  await page.goto(`/a/${album.id}`);
  await expect(page).toHaveTitle('Harbour week · Pixdock');
  await expect(tiles(page)).toHaveCount(3);
  await expect(page.getByText('1 more picture has a view limit. You can open it only with its own link.')).toBeVisible();
  await checkPage(page, 'album with a download');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all' }).click();
  const zip = await download;
  expect(zip.suggestedFilename()).toBe('Harbour week.zip');
  expect([...(await unzip(await readFile(await zip.path()))).keys()]).toEqual(['103.jpg', '102.jpg', '101.jpg']);

  await page.getByRole('button', { name: 'Slideshow' }).click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('heading', { name: '103.jpg' })).toBeVisible();
  await viewer.getByLabel('Time per picture').selectOption('3 seconds');
  await expect(viewer.getByRole('heading', { name: '102.jpg' })).toBeVisible();
  await viewer.getByRole('button', { name: 'Pause slideshow' }).click();
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect(viewer).toHaveCount(0);
  await tiles(page).first().click();
  await expect(viewer.getByRole('button', { name: 'Start slideshow' })).toBeVisible();
  await page.keyboard.press('Space');
  await expect(viewer.getByRole('button', { name: 'Pause slideshow' })).toBeVisible();
});
