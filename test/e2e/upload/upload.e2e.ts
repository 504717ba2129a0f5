import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { listImages } from '#api/images/images.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { dropFiles } from '#test/e2e/drop.ts';
import { untilQuiet } from '#test/e2e/quiet.ts';
import { expect, signIn, test, tiles, typeSignIn } from '#test/e2e/web.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { OWNER } from '#test/helpers/service/service.ts';

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
  await expect(page.getByText('Link copied')).toBeVisible();
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

test.describe(() => {
  test.use({ ownService: true });

  test('a file that the server has no room for is sent again only when the user asks for it', async ({ page, owner, complaints }) => {
    const reserve = (disk_reserve_bytes: number) => owner.client.call(changeAdminSettings, { body: { disk_reserve_bytes } });
    await reserve(Number.MAX_SAFE_INTEGER);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/api/v1/upload')) sent += 1;
    });
    await page.locator('input[type=file]').setInputFiles([await jpeg('harbour.jpg', 1)]);
    await expect(panel(page).getByRole('listitem')).toContainText(/harbour\.jpg.*The server’s disk is nearly full.*Free up space/);
    expect(sent).toBe(1);
    await reserve(0);
    await panel(page).getByRole('button', { name: 'Retry harbour.jpg' }).click();
    await expect(tiles(page)).toHaveCount(1);
    expect(sent).toBe(2);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('507')]);
  });
});

test('uploads that wait when the session ends elsewhere are shown at sign-in and resume afterwards', { tag: '@essential' }, async ({
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

test.describe(() => {
  test.use({ ownService: true });

  test('files chosen after a sign-out elsewhere wait for the user, and never become a guest’s public pictures', async ({
    page,
    context,
    owner,
    complaints,
  }) => {
    await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
    // A request that is still pending would lead to sign-in before the upload.
    await untilQuiet(page);
    await context.clearCookies(); // as signing out in another tab does
    await page.locator('input[type=file]').setInputFiles([await jpeg('mine.jpg', 1)]);
    await expect(page.getByText('Your session has expired')).toContainText('1 upload is waiting.');
    await typeSignIn(page, OWNER.username, OWNER.password);
    await panel(page).getByRole('button', { name: 'Retry failed uploads' }).click();
    await expect(tiles(page)).toHaveCount(1);
    expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
  });
});

test('after another tab signs in a different user, the page uploads nothing as them until they retry', async ({
  page,
  context,
  service,
  lan,
  owner,
  complaints,
}) => {
  const grace = await addUser(service, 'grace');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await signIn(context, grace, lan);
  await page.locator('input[type=file]').setInputFiles([await jpeg('mine.jpg', 1)]);
  await expect(panel(page).getByRole('button', { name: 'Retry failed uploads' })).toBeVisible();
  await expect(page.getByRole('link', { name: /grace/ })).toBeVisible();
  expect((await grace.client.call(listImages, { query: {} })).items).toEqual([]);
  await panel(page).getByRole('button', { name: 'Retry failed uploads' }).click();
  await expect(tiles(page)).toHaveCount(1);
  expect((await owner.client.call(listImages, { query: {} })).items).toEqual([]);
  // 403: until it knows, the page asks for what only an administrator may see.
  expect(complaints.splice(0).every((text) => /401|403/.test(text))).toBe(true);
});
