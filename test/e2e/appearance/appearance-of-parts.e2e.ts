import type { Locator } from 'playwright/test';
import { createAlbum } from '#api/albums/albums.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test.use({ viewport: { width: 1440, height: 900 } });

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('not on the page');
  return box;
};

test('a long album name leaves room for the picture count and the search', async ({ page, service, owner }) => {
  const name = 'A very long album name that goes on and on and on until it does not fit any more, really';
  const album = await owner.client.call(createAlbum, { body: { name } });
  await page.goto('/');
  await uploadImage(service, await owner.token('upload'), await photoJpeg(), { album_id: album.id });
  await page.reload();
  const usual = await boxOf(page.getByRole('combobox', { name: 'Search pictures' }));
  await page.goto(`/albums/${album.id}`);
  await expect(page.getByRole('combobox', { name: 'Search pictures' })).toBeVisible();
  expect((await boxOf(page.getByRole('combobox', { name: 'Search pictures' }))).width).toBe(usual.width);
  expect((await boxOf(page.getByText('1 picture', { exact: true }))).height).toBeLessThan(30);
});

test('an album’s header fits any window and shows its name, also right after the window has shrunk', async ({ page, service, owner }) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Mountains' } });
  await uploadImage(service, await owner.token('upload'), await photoJpeg(), { album_id: album.id });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.goto(`/albums/${album.id}`);
  await expect(tiles(page)).toHaveCount(1);
  const name = page.getByRole('heading', { name: 'Mountains' });
  for (const width of [1280, 1024, 900, 768, 700, 645, 390, 360]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await name.evaluate((heading) => heading.scrollWidth - heading.clientWidth), `${width} px`).toBe(0);
    expect(await name.evaluate((heading) => heading.scrollHeight - heading.clientHeight), `${width} px`).toBeLessThan(5);
    await expect.poll(overflow, `${width} px`).toBe(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await tiles(page).first().focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Use as album cover' })).toBeVisible();
  for (const width of [900, 700, 645]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(overflow, `${width} px, selected`).toBe(0);
  }
});

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

test('on a phone, the button that makes an album public shows its whole label', async ({ page, owner }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await owner.client.call(createAlbum, { body: { name: 'Coast' } });
  await page.goto('/albums');
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const words = page.getByRole('button', { name: 'Make public and copy link' }).getByText('Make public');
  await expect(words).toBeVisible();
  expect(await words.evaluate((label) => label.scrollWidth - label.clientWidth)).toBeLessThanOrEqual(0);
});
