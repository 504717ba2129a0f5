import { expect, test } from '#test/e2e/web.ts';

test.use({ ownService: true });

test('the language changes immediately and is remembered', async ({ page, owner }) => {
  await page.goto('/settings/appearance');
  await page.getByText('简体中文').click();
  await expect(page.getByRole('heading', { name: '设置' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await page.goto('/');
  await expect(page.getByRole('heading', { name: '上传你的第一张图片' })).toBeVisible();
  void owner;
});

test.describe('in a Chinese browser', () => {
  test.use({ locale: 'zh-CN' });
  test('the page is in Chinese automatically', async ({ page, service }) => {
    await page.goto(service.url);
    await expect(page.getByRole('heading', { name: '设置你的 Pixdock 服务器' })).toBeVisible();
  });
});

test('the colour scheme follows the system until one is chosen, and applies before the first paint', async ({
  page,
  owner,
  complaints,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/settings/appearance');
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  expect(await ground()).toBe('rgb(19, 26, 28)');
  await page.evaluate(() => document.addEventListener('transitionrun', () => document.body.setAttribute('data-faded', '')));
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expect.poll(ground).toBe('rgb(255, 255, 255)');
  await expect(page.locator('body'), 'without motion, colours change at once').not.toHaveAttribute('data-faded');
  await page.getByText('Dark', { exact: true }).click();
  await expect.poll(ground).toBe('rgb(19, 26, 28)');
  // The app itself never runs here: only the stored choice sets the colours.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(complaints.splice(0).every((text) => text.includes('ERR_FAILED'))).toBe(true);
  void owner;
});
