import { expect, test } from '#test/e2e/web.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';

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

test.describe('appearance of parts', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('parts of the administration', async ({ page, service, owner, complaints }) => {
    expect(owner.cookie).not.toBe('');
    await withDatabase(service, (db) => db.as('job').write((queries) => queries.deleteFrom('audit').execute()));
    await page.goto('/admin/audit');
    const open = (section: string) =>
      page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: section, exact: true }).click();

    await test.step('an empty audit log doesn’t mention a filter', async () => {
      await expect(page.getByText('No entries yet')).toBeVisible();
      await page.getByLabel('From').fill('2099-01-01');
      await expect(page.getByText('No entries match these filters.')).toBeVisible();
    });
    await test.step('the system page names its components', async () => {
      await open('System');
      await expect(page.getByText('Database size')).toBeVisible();
      await expect(page.getByRole('term').filter({ hasText: /^node$|^database$/ })).toHaveCount(0);
      await expect(page.getByRole('term').filter({ hasText: 'Node.js' })).toBeVisible();
    });
    await test.step('an amount shows its unit next to it', async () => {
      await open('Groups');
      await page.getByRole('button', { name: 'Edit Users' }).click();
      const unit = page.getByRole('combobox', { name: 'Unit for Maximum file size' });
      await expect(unit).toHaveText(/MB/);
      const room = await unit.evaluate((field) => {
        const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(field);
        return field.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
      });
      expect(room).toBeGreaterThan(30);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    await test.step('a placeholder stays grey after an error', async () => {
      await open('Webhooks');
      await page.getByRole('button', { name: 'Create webhook' }).first().click();
      const dialog = page.getByRole('dialog');
      const url = dialog.getByLabel('URL');
      const colour = () => url.evaluate((field) => getComputedStyle(field, '::placeholder').color);
      const before = await colour();
      await dialog.getByLabel('Name').fill('chat');
      await dialog.getByRole('button', { name: 'Create webhook' }).click();
      await expect(url).toHaveAttribute('aria-invalid', 'true');
      expect(await colour()).toBe(before);
    });
    await test.step('an alert without advice has no empty line', async () => {
      await page.goto('/admin/settings');
      // One that no field of the form shows.
      const refusal = { status: false, message: 'No.', data: { code: 'invalid_request', retry: 'never', problem: 'not_origin' } };
      await page.route('**/api/v1/admin/settings', (route) =>
        route.request().method() === 'PATCH' ? route.fulfill({ status: 400, json: refusal }) : route.continue(),
      );
      await page.getByLabel('Site name').fill('Harbour pictures');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByRole('alert')).toBeVisible();
      expect(await page.getByRole('alert').locator('p:empty').count()).toBe(0);
    });
    expect(complaints.splice(0)).toHaveLength(2);
  });
});
