import type { Page } from 'playwright/test';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

/** Whether the viewer shows the bytes of its picture. */
const isShown = (page: Page) =>
  page
    .locator('.yarl__slide_current img:not([data-placeholder])')
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0);

/** The number of thumbnails on the page that failed to load. */
const broken = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLImageElement>('img[src^="/t/"]')].filter((image) => image.complete && !image.naturalWidth).length,
  );

test('the page reports an unreachable service and resumes automatically when it is back', { tag: '@essential' }, async ({
  page,
  service,
  owner,
  complaints,
}) => {
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(1);
  await service.stop();
  // Not even the next page's code can be loaded, but the former page doesn't stay under the entry of the next.
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach Pixdock.' })).toBeVisible();
  await expect(page.getByRole('navigation').locator('a[data-status="active"]')).toHaveText(['Settings']);
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(tiles(page)).toBeHidden();
  await service.restart();
  await expect(page.getByText('Can’t reach Pixdock.')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible();
  await page.getByRole('link', { name: 'API tokens' }).click();
  await expect(page.getByText('a token that may upload')).toBeVisible();
  expect(complaints.splice(0).every((text) => /ERR_CONNECTION|Failed to (load|fetch)/.test(text))).toBe(true);
});

test('“Retry now” tries to reach the service immediately', async ({ page, service, owner, complaints }) => {
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await service.stop();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByText('Can’t reach Pixdock.')).toBeVisible();
  await page.clock.pauseAt(Date.now() + 2_000); // from here on the page doesn't retry automatically
  const press = async () => {
    // An attempt that is still running counts for the click.
    const asked = page.waitForRequest('**/api/v1/auth/session', { timeout: 2_000 });
    await Promise.all([asked, page.getByRole('button', { name: 'Retry now' }).click()]);
  };
  await expect(press).toPass({ timeout: 15_000 });
  expect(complaints.splice(0).every((text) => /ERR_CONNECTION|Failed to (load|fetch)/.test(text))).toBe(true);
  void owner;
});

test('pictures that failed to load appear automatically once the service is back', async ({ page, service, owner, complaints }) => {
  const token = await owner.token('upload');
  for (let seed = 1; seed <= 4; seed += 1) await uploadImage(service, token, await photoJpeg({ seed, width: 2000, height: 1000 }));
  await page.goto('/settings/tokens');
  await expect(page.getByText('a token that may upload')).toBeVisible();
  await service.stop();
  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach Pixdock.' })).toBeVisible();
  // The banner says it for the whole page.
  await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await service.restart();
  await expect(tiles(page)).toHaveCount(4);
  await expect(page.getByRole('alert')).toHaveCount(0);
  // Beyond the neighbour that the viewer loads ahead.
  await tiles(page).first().click();
  await expect.poll(() => isShown(page)).toBe(true);
  await service.stop();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Next picture' })).toBeDisabled();
  await expect(page.locator('[data-current] .tabler-icon-photo-off')).toBeVisible();
  await service.restart();
  await expect.poll(() => isShown(page)).toBe(true);
  await expect(page.locator('.tabler-icon-photo-off')).toHaveCount(0);
  expect(complaints.splice(0).every((text) => /ERR_CONNECTION|Failed to (load|fetch)/.test(text))).toBe(true);
});

test('uploads wait for a restart however long it takes, and thumbnails that failed meanwhile load again', async ({
  page,
  service,
  owner,
  complaints,
}) => {
  const token = await owner.token('upload');
  for (let index = 0; index < 30; index += 1)
    await uploadImage(service, token, await photoJpeg({ width: 600, height: 200, seed: index + 20 }));
  await page.setViewportSize({ width: 420, height: 420 });
  await page.clock.install();
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  const uploads = page.getByRole('region', { name: 'Uploads' });
  const panelCode = page.waitForResponse(/\/panel-[^/]+\.js$/);
  await page.clock.fastForward(6_000);
  // With all that it imports, which arrives in no particular order.
  await page.evaluate((url) => import(url), (await panelCode).url());
  await service.stop();

  await page.locator('input[type=file]').setInputFiles([
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg({ seed: 1 }) },
    { name: 'two.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg({ seed: 2 }) },
  ]);
  await expect(uploads.getByText('Can’t reach Pixdock. Reconnecting…')).toBeVisible();
  // Rows that come into view during the outage have no thumbnails.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect.poll(() => broken(page)).toBeGreaterThan(0);
  await expect(page.locator('img[data-broken]').first()).toHaveCSS('opacity', '0');
  // Longer than the retries of a single upload take.
  await page.clock.fastForward(60_000);
  await expect(uploads.getByText('Can’t reach Pixdock. Reconnecting…')).toBeVisible();
  await expect(uploads.getByRole('status')).toHaveText('Uploading 2 pictures');

  await service.restart();
  await expect(uploads.getByRole('status')).toHaveText('2 pictures uploaded');
  await expect.poll(() => broken(page)).toBe(0);
  await expect(page.locator('img[data-broken]')).toHaveCount(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(tiles(page).first()).toHaveAccessibleName(/(one|two)\.jpg/);
  expect(complaints.splice(0).every((text) => /ERR_CONNECTION|Failed to (load|fetch)/.test(text))).toBe(true);
});
