import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { createAlbum } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { dropFiles, expect, test, tiles, typeSignIn } from '#test/e2e/web.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { OWNER, type SignedIn } from '#test/helpers/service/service.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const jpeg = async (name: string, seed: number) => ({ name, mimeType: 'image/jpeg', buffer: await photoJpeg({ seed }) });

test('chosen pictures appear in the timeline, and their link is copied even at an insecure address', { tag: '@essential' }, async ({
  page,
  service,
  owner,
  lan,
}) => {
  const clipboard = await openClipboard(page, service);
  await page.goto(lan);
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose pictures' }).click();
  await (await chooser).setFiles([await jpeg('harbour.jpg', 1)]);
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page).first()).toHaveAccessibleName(/harbour\.jpg/);
  const thumbnail = tiles(page).locator('img');
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  await page.getByRole('region', { name: 'Uploads' }).getByRole('button', { name: 'Copy link to harbour.jpg' }).click();
  // The notice of the upload itself may still be going.
  await expect(page.getByText('Link copied').last()).toBeVisible();
  const link = await clipboard.readText();
  const response = await fetch(link);
  expect(response.status).toBe(200);
  const shown = await sharp(await response.arrayBuffer())
    .raw()
    .toBuffer();
  expect(
    shown.equals(
      await sharp(await photoJpeg({ seed: 1 }))
        .raw()
        .toBuffer(),
    ),
  ).toBe(true);
  void owner;
});

test('pictures dropped anywhere are uploaded; the whole window shows it while they hover', { tag: '@essential' }, async ({
  page,
  owner,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-drop-'));
  const files = [join(folder, 'one.jpg'), join(folder, 'two.png')] as const;
  await writeFile(files[0], await photoJpeg({ seed: 2 }));
  await writeFile(files[1], await png({ seed: 3 }));
  await page.goto('/settings/uploads');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await dropFiles(page, [...files], () => expect(page.getByText('Drop to upload')).toBeVisible());
  await expect(page.getByText('Drop to upload')).toHaveCount(0);
  await expect(panel(page).getByText('2 pictures uploaded')).toBeVisible();
  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(tiles(page)).toHaveCount(2);
  await rm(folder, { recursive: true });
  void owner;
});

test('uploads that wait when the session ends elsewhere are shown at sign-in and resume afterwards', async ({
  page,
  owner,
  complaints,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  // The session ends while the files are on their way.
  await page.route(/\/api\/v1\/upload\?/, async (route) => {
    await owner.fetch('/api/v1/auth/logout', { method: 'POST' });
    await route.continue();
  });
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose pictures' }).click();
  await (await chooser).setFiles([await jpeg('one.jpg', 1), await jpeg('two.jpg', 2)]);
  await expect(page.getByText('Your session has expired')).toContainText('2 uploads are waiting.');
  await page.unrouteAll();
  await typeSignIn(page, OWNER.username, OWNER.password);
  await panel(page).getByRole('button', { name: 'Retry failed uploads' }).click();
  await expect(tiles(page)).toHaveCount(2);
  expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
});
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
