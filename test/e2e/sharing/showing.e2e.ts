import { checkPage } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.beforeEach(async ({ service, owner }) => {
  const token = await owner.token('upload');
  for (const seed of [1, 2, 3]) await uploadImage(service, token, await photoJpeg({ seed }), {}, `${seed}.jpg`);
});

test('every page is named in its tab', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveTitle('Pictures · Pixdock');
  const nav = page.getByRole('navigation', { name: 'Main navigation' }).first();
  for (const [link, title] of [
    ['Albums', 'Albums'],
    ['Trash', 'Trash'],
    ['Settings', 'Appearance'],
  ] as const) {
    await nav.getByRole('link', { name: link }).click();
    await expect(page).toHaveTitle(`${title} · Pixdock`);
  }
  await page.getByRole('link', { name: 'API tokens' }).click();
  await expect(page).toHaveTitle('API tokens · Pixdock');
  await nav.getByRole('link', { name: 'Administration' }).click();
  await expect(page).toHaveTitle('Dashboard · Pixdock');
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page).toHaveTitle('Users · Pixdock');
});

test('a person who follows a dead link gets a page, in their language', async ({ page, complaints, browser, lan }) => {
  const response = await page.goto('/i/unknown.jpg');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible();
  await checkPage(page, 'dead link');
  await page.getByRole('link', { name: 'Go to the home page' }).click();
  await expect(page).toHaveTitle('Pictures · Pixdock');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  const chinese = await browser.newPage({ locale: 'zh-CN' });
  await chinese.goto(`${lan.replace('pixdock.test', 'localhost')}/t/unknown`);
  await expect(chinese.getByRole('heading', { name: '页面不存在' })).toBeVisible();
  await chinese.close();
});
