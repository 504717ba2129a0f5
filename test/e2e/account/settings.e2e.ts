import { createAlbum } from '#api/albums/albums.ts';
import { getProfile } from '#api/auth/user.ts';
import { audit } from '#test/e2e/axe.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('uploads get the visibility and the album chosen in the settings', async ({ page, service, owner }) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Inbox' } });
  await page.goto('/settings/uploads');
  await page.getByText('Only you', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Default album' }).click();
  await page.getByRole('option', { name: 'Inbox' }).click();
  await page.getByRole('switch', { name: 'Keep artist and copyright' }).click();
  await expect
    .poll(async () => (await owner.client.call(getProfile, {})).preferences)
    .toMatchObject({
      visibility: 'private',
      album_id: album.id,
      keep_copyright: true,
    });
  const image = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  expect(image).toMatchObject({ visibility: 'private', album_id: album.id });
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Default album' })).toHaveValue('Inbox');
  expect(await audit(page)).toEqual([]);
});

test('a token is created, shown once with settings for other programs, and works until revoked', async ({ page, service, owner }) => {
  const clipboard = await openClipboard(page, service);
  await page.goto('/settings/tokens');
  await expect(page.getByText('No tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: 'Create token' });
  await form.getByRole('button', { name: 'Create token' }).click();
  await expect(form).toContainText('Enter a name');
  await form.getByLabel('Name').fill('ShareX on the laptop');
  await form.getByLabel('Expiry').click();
  await page.getByRole('option', { name: '90 days' }).click();
  await form.getByRole('button', { name: 'Create token' }).click();

  const shown = page.getByRole('dialog', { name: 'Copy your new token now' });
  const secret = await shown.getByTestId('shown-once').innerText();
  expect(secret).toMatch(/^pxd_[\w-]{43}$/);
  await shown.getByRole('button', { name: 'Copy Token' }).click();
  expect(await clipboard.readText()).toBe(secret);
  await expect(shown.getByRole('tabpanel')).toContainText(`echo ${secret} | pixdock login ${service.linkAddress}`);
  await shown.getByRole('tab', { name: 'curl' }).click();
  await expect(shown.getByRole('tabpanel')).toContainText(`Authorization: Bearer ${secret}`);
  await shown.getByRole('tab', { name: 'ShareX' }).click();
  const settings = JSON.parse(await shown.getByRole('tabpanel').locator('pre').innerText());
  expect(settings).toMatchObject({ RequestURL: `${service.linkAddress}/api/v1/upload`, Headers: { Authorization: `Bearer ${secret}` } });
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I’ve saved the token' }).click();
  await expect(shown).toHaveCount(0);

  expect((await uploadImage(service, secret, await photoJpeg())).key).toMatch(/^\w{12}$/);
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: 'ShareX on the laptop' });
  await expect(row).toContainText('Upload only');
  await expect(row).toContainText('Valid until');
  await expect(page.getByText(secret)).toHaveCount(0);
  await row.getByRole('button', { name: 'Revoke ShareX on the laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No tokens yet')).toBeVisible();
  await expect(uploadImage(service, secret, await photoJpeg())).rejects.toMatchObject({ code: 'unauthorized' });
  void owner;
});
