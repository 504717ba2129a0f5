import { changePreferences, getProfile } from '#api/auth/user.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('a new browser copies links in the account’s format', async ({ page, service, owner }) => {
  await owner.client.call(changePreferences, { body: { link_format: 'bbcode' } });
  await uploadImage(service, await owner.token('upload'), await photoJpeg(), {}, 'harbour.jpg');
  const clipboard = await openClipboard(page, service);
  await page.goto('/');
  await page.getByRole('checkbox', { name: 'Select harbour.jpg' }).click();
  await page.getByRole('button', { name: 'Copy links' }).click();
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await clipboard.readText()).toMatch(/^\[img\]http.*\[\/img\]$/);
});

test('a format chosen on the page applies to the account everywhere; finished uploads are copied in it', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const clipboard = await openClipboard(page, service);
  const stored = async () => (await owner.client.call(getProfile, {})).preferences.link_format;
  await page.goto('/settings/uploads');
  const choice = page.getByRole('combobox', { name: 'Link format' });
  await choice.click();
  await page.getByRole('option', { name: 'Markdown', exact: true }).click();
  await expect.poll(stored).toBe('markdown');
  await page.locator('input[type=file]').setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg() }]);
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await clipboard.readText()).toMatch(/^!\[.*a\.jpg\]\(http.*\)$/);
  await owner.client.call(changePreferences, { body: { link_format: 'html' } });
  await page.reload();
  await expect(choice).toHaveValue('HTML');
});

test('the share page or a template can be the account’s format', async ({ page, service, owner }) => {
  const image = await uploadImage(service, await owner.token('upload'), await photoJpeg(), {}, 'harbour.jpg');
  const clipboard = await openClipboard(page, service);
  const stored = async () => (await owner.client.call(getProfile, {})).preferences;
  const choose = async (name: string) => {
    await page.goto('/settings/uploads');
    await page.getByRole('combobox', { name: 'Link format' }).click();
    await page.getByRole('option', { name }).click();
  };
  const copied = async () => {
    await page.goto('/');
    await page.getByRole('checkbox', { name: 'Select harbour.jpg' }).click();
    await page.getByRole('button', { name: 'Copy links' }).click();
    await expect(page.getByText('Link copied')).toBeVisible();
    return clipboard.readText();
  };
  await choose('Share page');
  await expect.poll(stored).toMatchObject({ link_format: 'share_page' });
  expect(await copied()).toBe(image.links.share_url);
  await choose('Custom');
  await page.getByRole('textbox', { name: 'Template' }).fill('{name} at {share_url}');
  await expect(page.getByText(/^harbour\.jpg at http.*\/s\//)).toBeVisible();
  await expect.poll(stored).toMatchObject({ link_format: 'custom', link_template: '{name} at {share_url}' });
  expect(await copied()).toBe(`harbour.jpg at ${image.links.share_url}`);
});

test('a format that can’t be saved is shown immediately, then reverted with a message', async ({ page, owner, complaints }) => {
  await page.goto('/settings/uploads');
  const choice = page.getByRole('combobox', { name: 'Link format' });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/user/preferences', async (route) => {
    await held.promise;
    await route.fulfill({ status: 503, json: { status: false, message: 'The service is busy.', data: { code: 'unavailable' } } });
  });
  await expect(choice).toHaveValue('URL');
  await choice.click();
  await page.getByRole('option', { name: 'Markdown', exact: true }).click();
  await expect(choice).toHaveValue('Markdown');
  held.resolve();
  await expect(page.getByText('The service is busy.')).toBeVisible();
  await expect(choice).toHaveValue('URL');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('503')]);
  void owner;
});

test.describe(() => {
  test.use({ ownService: true });

  test('a guest’s choice is kept in their browser', async ({ page, owner, context }) => {
    await owner.fetch('/api/v1/admin/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ guest_upload_enabled: true }),
    });
    await context.clearCookies();
    const upload = () =>
      page.locator('input[type=file]').setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(bytes) }]);
    const bytes = await photoJpeg();
    await page.goto('/upload');
    await upload();
    const format = page.getByRole('combobox', { name: 'Format' });
    await format.selectOption('Markdown');
    await expect(page.getByText(/^!\[a\.jpg\]/)).toBeVisible();
    await page.reload();
    await upload();
    await expect(format).toHaveValue('markdown');
  });
});
