import { createAlbum } from '#api/albums/albums.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { test } from '#test/e2e/stranger.ts';
import { expect, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a visitor browses a public album by mouse and by keyboard', async ({ page, host }) => {
  const album = await host.owner.client.call(createAlbum, {
    body: { name: 'Harbour', description: 'One week of ships', visibility: 'public' },
  });
  for (let seed = 1; seed <= 4; seed += 1)
    await uploadImage(host.service, host.token, await photoJpeg({ seed, width: 200 + seed * 20 }), { album_id: album.id }, `${seed}.jpg`);
  await page.goto(`/a/${album.id}`);
  await expect(page.getByRole('heading', { name: 'Harbour' })).toBeVisible();
  await expect(page).toHaveTitle('Harbour · Pixdock');
  await expect(page.getByText('4 pictures')).toBeVisible();
  await expect(tiles(page)).toHaveCount(4);
  await checkPage(page, 'album');
  await tiles(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(tiles(page).nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('heading', { name: '3.jpg' })).toBeVisible();
  await checkPage(page, 'album viewer');
  await viewer.getByRole('button', { name: 'Next picture' }).click();
  await expect(viewer.getByRole('heading', { name: '2.jpg' })).toBeVisible();
  await page.goBack();
  await expect(viewer).toHaveCount(0);
  await expect(tiles(page)).toHaveCount(4);
});
