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

test('a pasted screenshot is uploaded under a name with its time', async ({ page, service, owner }) => {
  const clipboard = await openClipboard(page, service);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await clipboard.writePng(await png({ seed: 4 }));
  await page.keyboard.press('Control+v');
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveAccessibleName(/Open Pasted .*\d\d\.\d\d\.png/);
  void owner;
});

test('the panel lists failures first and counts each picture once; hopeless files can’t be retried', async ({
  page,
  owner,
  complaints,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  const good = [await jpeg('good-1.jpg', 5), await jpeg('good-2.jpg', 7)] as const;
  await page
    .locator('input[type=file]')
    .setInputFiles([
      good[0],
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: (await photoJpeg({ seed: 6 })).subarray(0, 5000) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
      good[1],
    ]);
  const rows = panel(page).getByRole('listitem');
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  await expect(panel(page).getByText('2 uploads failed')).toBeVisible();
  await expect(rows).toContainText([/broken\.jpg.*damaged/, /notes\.txt.*Allowed formats: jpg/, 'good-1.jpg', 'good-2.jpg']);
  await expect(tiles(page)).toHaveCount(2);
  // Neither can succeed, so only removing them is offered.
  await expect(panel(page).getByRole('button', { name: /^Retry/ })).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Remove broken.jpg from the list' }).click();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);

  await page.getByRole('button', { name: 'Close uploads' }).click();
  const fresh = await jpeg('fresh.jpg', 9);
  await page.locator('input[type=file]').setInputFiles([good[0], fresh, { ...fresh, name: 'copy of fresh.jpg' }, good[1]]);
  await expect(panel(page).getByRole('status')).toHaveText('1 new, 2 already uploaded');
  await expect(panel(page).getByText('1 file is a copy of another')).toBeVisible();
  await expect(rows.filter({ hasText: 'good-1.jpg' })).toContainText('Already uploaded');
  await expect(panel(page).getByRole('button', { name: 'Copy 3 links' })).toBeVisible();
  await expect(tiles(page)).toHaveCount(3);

  // A batch that the browser refuses whole stays as short as the window.
  await page.getByRole('button', { name: 'Close uploads' }).click();
  await page.evaluate(() => {
    const files = new DataTransfer();
    for (let index = 0; index < 10_000; index += 1) files.items.add(new File(['text'], `${index}.txt`, { type: 'text/plain' }));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true }));
  });
  await expect(panel(page).getByRole('status')).toHaveText('10000 uploads failed');
  expect(await rows.count()).toBeLessThan(30);
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

test('each file shows its progress and speed, and can be cancelled individually', async ({ page, owner }) => {
  const noise = await sharp({
    create: { width: 900, height: 900, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 });
  await page
    .locator('input[type=file]')
    .setInputFiles([{ name: 'slow.png', mimeType: 'image/png', buffer: noise }, await jpeg('quick.jpg', 8)]);
  const progress = page.getByRole('progressbar', { name: 'Upload progress for slow.png' });
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(5);
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'slow.png' })).toContainText(/\d+% · .+B\/s/);
  await page.getByRole('button', { name: 'Cancel slow.png' }).click();
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'slow.png' })).toContainText('Cancelled');
  await expect(panel(page).getByRole('status')).toHaveText('1 picture uploaded');
  await cdp.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await page.getByRole('button', { name: 'Retry slow.png' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  await expect(tiles(page)).toHaveCount(2);
  void owner;
});

test('all links are copied together in the chosen format', async ({ page, service, owner }) => {
  const clipboard = await openClipboard(page, service);
  await page.goto('/settings/uploads');
  await page.getByRole('combobox', { name: 'Link format' }).click();
  await page.getByRole('option', { name: 'Markdown', exact: true }).click();
  await expect(page.getByText('![harbour](')).toBeVisible();
  await page.getByRole('link', { name: 'Pictures' }).click();
  await page.locator('input[type=file]').setInputFiles([await jpeg('a.jpg', 10), await jpeg('b.jpg', 11)]);
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  await page.getByRole('button', { name: 'Copy 2 links' }).click();
  await expect(page.getByText('2 links copied')).toBeVisible();
  expect(await clipboard.readText()).toMatch(/^!\[.*a\.jpg\]\(http.*\)\n!\[.*b\.jpg\]\(http.*\)$/);
  // The links of a later upload are copied alone, or with the earlier ones.
  await page.locator('input[type=file]').setInputFiles([await jpeg('c.jpg', 12)]);
  await expect(panel(page).getByRole('status')).toHaveText('3 pictures uploaded');
  await panel(page).getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect.poll(() => clipboard.readText()).toMatch(/^!\[.*c\.jpg\]\(http.*\)$/);
  await panel(page).getByRole('button', { name: 'Copy all 3' }).click();
  await expect.poll(async () => (await clipboard.readText()).split('\n')).toHaveLength(3);
  void owner;
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
