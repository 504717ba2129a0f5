import type { Page } from 'playwright/test';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const viewer = (page: Page) => page.getByRole('dialog');
const shows = (page: Page, name: string) => expect(viewer(page).getByRole('heading', { name, exact: true })).toBeVisible();
const isFullScreen = (page: Page) => page.evaluate(() => document.fullscreenElement !== null);

test.beforeEach(async ({ service, owner }) => {
  const token = await owner.token('upload');
  for (const seed of [1, 2, 3]) await uploadImage(service, token, await photoJpeg({ seed }), {}, `${seed}.jpg`);
});

test('the viewer plays a slideshow, fills the screen, and its buttons are visible on any picture', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: /^Open 3\.jpg/ }).click();
  await shows(page, '3.jpg');
  // Right after opening, no button has the focus that Space would press.
  await page.keyboard.press('Space');
  await expect(viewer(page).getByRole('button', { name: 'Pause slideshow' })).toBeVisible();
  await page.keyboard.press('Space');
  await expect(viewer(page).getByRole('button', { name: 'Start slideshow' })).toBeVisible();
  await shows(page, '3.jpg');
  const next = viewer(page).getByRole('button', { name: 'Next picture' });
  await expect(next).toHaveCSS('background-color', 'rgba(11, 17, 19, 0.62)');
  await expect(next).toHaveCSS('border-radius', '50%');

  await viewer(page).getByRole('button', { name: 'Start slideshow' }).click();
  await viewer(page).getByLabel('Time per picture').selectOption('3 seconds');
  await shows(page, '2.jpg');
  await viewer(page).getByRole('heading', { name: '2.jpg' }).click();
  await page.keyboard.press('Space');
  await expect(viewer(page).getByRole('button', { name: 'Start slideshow' })).toBeVisible();
  await expect(viewer(page).getByLabel('Time per picture')).toHaveCount(0);
  await shows(page, '2.jpg');

  await page.keyboard.press('f');
  await expect.poll(() => isFullScreen(page)).toBe(true);
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByRole('button', { name: 'No slideshow: this is the last picture' })).toBeDisabled();
  await viewer(page).getByRole('button', { name: 'Exit full screen' }).click();
  await expect.poll(() => isFullScreen(page)).toBe(false);
  await shows(page, '1.jpg');
  await page.keyboard.press('f');
  await expect.poll(() => isFullScreen(page)).toBe(true);
  await page.keyboard.press('f');
  await expect.poll(() => isFullScreen(page)).toBe(false);
});

test('a link is passed on as a QR code and through the system’s share sheet', async ({ page }) => {
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(navigator, 'share', { value: async (data: unknown) => void shared.push(data) });
  });
  await page.goto('/');
  await page.getByRole('link', { name: /^Open 3\.jpg/ }).click();
  await shows(page, '3.jpg');
  await viewer(page).getByRole('button', { name: 'Share…' }).click();
  const shared = await page.evaluate(() => (window as unknown as { shared: { title: string; url: string }[] }).shared);
  expect(shared).toEqual([{ title: '3.jpg', url: expect.stringMatching(/^http.*\/s\/\w{12}$/) }]);
  await viewer(page).getByRole('button', { name: 'QR code' }).click();
  await expect(viewer(page).getByRole('img', { name: `QR code for ${shared[0]?.url}` })).toBeVisible();
  await checkPage(page, 'viewer with a QR code');
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
