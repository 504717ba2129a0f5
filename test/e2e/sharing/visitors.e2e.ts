import { readFile } from 'node:fs/promises';
import { createAlbum } from '#api/albums/albums.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { test } from '#test/e2e/stranger.ts';
import { expect, tiles } from '#test/e2e/web.ts';
import { image, photoJpeg } from '#test/helpers/pictures/images.ts';
import { unzip } from '#test/helpers/pictures/zip.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a visitor zooms into a shared picture, and into a view-limited one without spending another view', async ({ page, host }) => {
  const bytes = await photoJpeg({ width: 1800, height: 1200 });
  const { key } = await uploadImage(host.service, host.token, bytes, { title: 'The harbour' }, 'harbour.jpg');
  await page.goto(`/s/${key}`);
  await expect(page).toHaveTitle('The harbour · Pixdock');
  await page.getByRole('link', { name: 'Shared picture The harbour' }).click();
  const viewer = page.getByRole('dialog');
  const picture = viewer.getByRole('img', { name: 'The harbour' });
  await expect(picture).toBeVisible();
  const widthOf = async () => (await picture.boundingBox())?.width ?? 0;
  const before = await widthOf();
  await picture.hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -600);
  await page.keyboard.up('Control');
  await expect.poll(widthOf).toBeGreaterThan(before * 1.2);
  await viewer.getByRole('button', { name: 'Zoom out' }).click();
  await checkPage(page, 'zoomed share');
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await page.keyboard.press('f');
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false);
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);

  const white = await image({ width: 900, height: 600 }).linear(0, 255).png().toBuffer();
  const limited = await uploadImage(host.service, host.token, white, { max_views: '1' }, 'white.png');
  const looks: string[] = [];
  page.on('request', (request) => {
    if (/\/[it]\//.test(new URL(request.url()).pathname)) looks.push(request.url());
  });
  await page.goto(`/s/${limited.key}`);
  await page.getByRole('button', { name: 'Show picture (1 view left)' }).click();
  const shown = page.getByRole('button', { name: 'Shared picture white.png' });
  await expect(shown.getByRole('img')).toHaveCSS('box-shadow', /rgba\(128, 140, 144, 0\.3\) 0px 0px 0px 1px/);
  await shown.click();
  await expect.poll(() => viewer.getByRole('img', { name: 'white.png' }).evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(900);
  expect(looks).toHaveLength(1);
});

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
