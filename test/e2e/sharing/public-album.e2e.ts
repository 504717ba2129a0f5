import { changeAdminSettings } from '#api/admin/settings.ts';
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

test.describe('light pages', () => {
  test.use({ ownService: true });

  test('visitors load light pages only, in their language and colours', async ({ browser, host, baseURL }) => {
    const album = await host.owner.client.call(createAlbum, { body: { name: 'Harbour', visibility: 'public' } });
    const { key } = await uploadImage(host.service, host.token, await photoJpeg({ seed: 41 }), { album_id: album.id }, 'quay.jpg');
    const context = await browser.newContext({
      locale: 'zh-CN',
      colorScheme: 'dark',
      baseURL: baseURL ?? '',
      viewport: { width: 390, height: 844 },
    });
    const page = await context.newPage();
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });

    await page.goto(`/s/${key}`);
    await expect(page.getByRole('button', { name: '复制链接' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light');
    await checkPage(page, 'share page, Chinese');

    await page.goto(`/a/${album.id}`);
    await expect(tiles(page)).toHaveCount(1);

    await host.owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
    await page.goto('/upload');
    await expect(page.getByRole('button', { name: '选择图片' })).toBeVisible();
    await checkPage(page, 'guest upload, Chinese');

    await page.goto('/settings/tokens');
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fsettings%2Ftokens$/);
    await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible();
    await checkPage(page, 'sign-in, Chinese');
    expect(scripts.filter((path) => !/^\/(?:scheme\.js|assets\/light\/)/.test(path))).toEqual([]);
    await context.close();
  });
});
