import { createAlbum } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { test } from '#test/e2e/stranger.ts';
import { expect, tiles } from '#test/e2e/web.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a visitor browses a public album by mouse and by keyboard', { tag: '@essential' }, async ({ page, host }) => {
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

test('only pictures that are shown count as viewed, not those beside them', async ({ page, host }) => {
  const album = await host.owner.client.call(createAlbum, { body: { name: 'Counted', visibility: 'public' } });
  for (const [seed, name] of ['left.png', 'shown.png', 'right.png'].entries())
    await uploadImage(host.service, host.token, await png({ seed, width: 300 + seed, height: 200 }), { album_id: album.id }, name);
  const originals: string[] = [];
  const { items } = await host.owner.client.call(listImages, { query: { album_id: album.id } });
  page.on('request', (request) => {
    const key = /\/i\/([0-9A-Za-z]{12})/.exec(request.url())?.[1];
    if (key) originals.push(items.find((image) => image.key === key)?.name ?? '');
  });
  await page.goto(`/a/${album.id}`);
  const neighbour = page.waitForResponse((response) => response.url().includes(`/t/${items[2]?.key}.webp`));
  await page.getByRole('link', { name: /shown\.png/ }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'shown.png' }).last()).toHaveJSProperty('complete', true);
  await neighbour;
  expect(new Set(originals)).toEqual(new Set(['shown.png']));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'left.png' })).toBeVisible();
  await expect.poll(() => originals.includes('left.png')).toBe(true);
});

test('a long album loads more as the visitor scrolls, to the end', async ({ page, host }) => {
  const album = await host.owner.client.call(createAlbum, { body: { name: 'Long', visibility: 'public' } });
  const { user } = (await (await host.owner.fetch('/api/v1/auth/session')).json()).data as { user: { id: number } };
  await withDatabase(host.service, (db) =>
    addImageRows(db, user.id, 230, (index) => ({ album_id: album.id, name: `row ${index}.jpg`, created_at: index + 1 })),
  );
  await page.goto(`/a/${album.id}`);
  await expect(page.getByText('230 pictures')).toBeVisible();
  const last = page.getByRole('link', { name: 'Open row 0.jpg' });
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(last).toBeVisible({ timeout: 500 });
  }).toPass();
  await expect(page.getByText('You’ve reached the end.')).toBeVisible();
  expect(await tiles(page).count()).toBeLessThan(150);
});

test('a protected album opens with its password; empty and unknown ones are explained', async ({ page, host }) => {
  const album = await host.owner.client.call(createAlbum, {
    body: { name: 'Hidden', visibility: 'public', access_password: 'open sesame' },
  });
  await page.goto(`/a/${album.id}`);
  await page.getByLabel('Password', { exact: true }).fill('sesame');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('alert')).toContainText('Incorrect password');
  await expect(page.getByText('Hidden')).toHaveCount(0);
  await page.getByLabel('Password', { exact: true }).fill('open sesame');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('heading', { name: 'Hidden' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No pictures yet' })).toBeVisible();
  await checkPage(page, 'empty album');
  await page.goto('/a/abc');
  await expect(page.getByRole('heading', { name: 'Album not found' })).toBeVisible();
});
