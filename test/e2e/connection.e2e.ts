import { photoJpeg } from '#test/helpers/images.ts';
import { uploadImage } from '#test/helpers/service.ts';
import { expect, test, tiles } from './web.ts';

test('the page reports an unreachable service and resumes automatically when it is back', async ({ page, service, owner, complaints }) => {
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(1);
  await service.stop();
  // Not even the next page's code can be loaded.
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach Pixdock.' })).toBeVisible();
  await service.restart();
  await expect(page.getByText('Can’t reach Pixdock.')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Link format' })).toBeVisible();
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
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.goto('/settings/tokens');
  await expect(page.getByText('a token that may upload')).toBeVisible();
  await service.stop();
  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach Pixdock.' })).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t reach Pixdock.' })).toBeVisible();
  await service.restart();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(complaints.splice(0).every((text) => /ERR_CONNECTION|Failed to (load|fetch)/.test(text))).toBe(true);
});
