import { createAlbum } from '#api/albums/albums.ts';
import { getProfile, listSessions } from '#api/auth/user.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { OWNER, type TestService, uploadImage } from '#test/helpers/service/service.ts';

const login = (service: TestService, password: string) =>
  fetch(`${service.url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' },
    body: JSON.stringify({ login: OWNER.username, password }),
  });

test('name, email and password are changed; a wrong password is rejected with a message', async ({ page, service, owner, complaints }) => {
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Change: Username' }).click();
  await page.getByRole('dialog').getByLabel('Username').fill('grace');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'Account: grace' })).toBeVisible();

  await page.getByRole('button', { name: 'Change: Email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change your email address' });
  await dialog.getByLabel('Email').fill('grace@example.org');
  await dialog.getByRole('textbox', { name: 'Current password' }).fill('not the password');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Current password' })).toHaveAccessibleDescription('The current password is incorrect.');
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await owner.client.call(getProfile, {})).toMatchObject({ username: 'grace', email: 'grace@example.org' });

  const token = await owner.token('full');
  await page.getByRole('button', { name: 'Change: Password' }).click();
  const change = page.getByRole('dialog', { name: 'Change your password' });
  await change.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
  await change.getByRole('textbox', { name: 'New password' }).fill('a much better password');
  await change.getByRole('checkbox', { name: 'Also revoke all API tokens' }).check();
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  expect((await login(service, OWNER.password)).status).toBe(401);
  expect((await fetch(`${service.url}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  const link = await page.getByRole('link', { name: 'Download everything' }).getAttribute('href');
  const exported = await owner.fetch(link ?? '');
  expect(exported.headers.get('content-type')).toBe('application/zip');
  await exported.body?.cancel();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
});

test('sessions are listed by browser and ended individually, all others at once, or together with all tokens', async ({
  page,
  service,
  owner,
}) => {
  for (let count = 0; count < 3; count += 1) await login(service, OWNER.password);
  await page.goto('/settings/sessions');
  const rows = page.getByRole('list', { name: 'Your sessions' }).getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign out Firefox · Windows' }).first().click();
  await expect(rows).toHaveCount(3);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(rows).toHaveCount(1);
  expect((await owner.client.call(listSessions, { query: {} })).items).toHaveLength(1);

  await login(service, OWNER.password);
  const token = await owner.token('upload');
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('list', { name: 'Your tokens' }).getByRole('listitem')).toHaveCount(1);
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign out and revoke tokens' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out and revoke tokens' }).click();
  await expect(page.getByRole('button', { name: 'Sign out and revoke tokens' })).toHaveCount(0);
  await expect(rows).toHaveCount(1);
  expect((await fetch(`${service.url}/api/v1/user/limits`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
});

test('uploads get the visibility and the album chosen in the settings', { tag: '@essential' }, async ({ page, service, owner }) => {
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
