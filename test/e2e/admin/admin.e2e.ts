import { getAdminSettings } from '#api/admin/settings.ts';
import { listUsers } from '#api/admin/users.ts';
import { getOidc } from '#api/auth/oidc.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, uploadImage } from '#test/helpers/service/service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK } from '#test/helpers/sign-on/sign-on.ts';

test.use({ ownService: true });

test('settings: a new base URL shows how many links change, is rejected with a reason, and once saved starts every link', {
  tag: '@essential',
}, async ({ page, owner, service, complaints }) => {
  await uploadImage(service, await owner.token('upload'), await photoJpeg());
  const before = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 700, height: 800 });
  await page.goto('/settings');
  const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await expect(tabs).toHaveCount(7);
  for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('link', { name: 'Administration' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.setViewportSize(before);
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Settings' }).click();
  const address = page.getByLabel('Link address');
  await address.fill('https://pics.example.org/folder');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('without a path')).toHaveCount(1);
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
  await expect(page.getByText('The link to 1 picture will change')).toBeHidden();
  await address.fill('https://pics.example.org');
  await expect(page.getByText('The link to 1 picture will change')).toBeVisible();
  await page.getByLabel('Site name').fill('Our pictures');
  await page.getByRole('radio', { name: 'Invite only' }).check();
  await page.getByRole('textbox', { name: 'Free space to keep' }).fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  // The button is disabled while it saves, too.
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(await owner.client.call(getAdminSettings, {})).toMatchObject({
    base_url: 'https://pics.example.org',
    site_name: 'Our pictures',
    registration_mode: 'invite',
    disk_reserve_bytes: 3 * 1024 ** 3,
  });
  await expect(page.getByRole('navigation', { name: 'Main navigation' }).first()).toContainText('Our pictures');

  // On a phone, the message leaves the form's buttons free.
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0, { timeout: 15_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel('Site name').fill('Pictures');
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  const message = page.getByRole('alert').filter({ hasText: 'Saved' });
  await expect(message).toBeVisible();
  const bottom = await message.evaluate((one) => one.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThan(await save.evaluate((one) => one.getBoundingClientRect().top));
});

test('users and groups: an account is created in a new group, found, signed out, disabled and enabled again', {
  tag: '@essential',
}, async ({ page, owner, service }) => {
  await page.goto('/admin/groups');
  await page.getByRole('button', { name: 'Create group' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name', { exact: true }).fill('Photographers');
  await form.getByRole('textbox', { name: 'Maximum file size' }).fill('50');
  await form.getByRole('textbox', { name: 'Storage per user' }).fill('');
  await expect(form.getByRole('textbox', { name: 'Storage per user' })).toHaveAttribute('placeholder', 'Unlimited');
  await form.getByRole('button', { name: 'Create group' }).click();
  const group = page.getByRole('listitem').filter({ hasText: 'Photographers' });
  await expect(group).toContainText('Per file: 50 MB · Per video: 500 MB, 10 minutes · Storage: unlimited');

  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('textbox', { name: 'Username' }).fill('grace');
  await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.org');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long enough one');
  await page.getByRole('dialog').getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: 'Photographers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'grace@example.org' });
  await expect(row).toContainText('Photographers');
  await page.getByLabel('Username or email').fill('grac');
  await expect(page.getByRole('listitem').filter({ hasText: OWNER.email })).toHaveCount(0);
  await row.getByRole('button', { name: 'Actions for grace' }).click();
  await expect(page.getByRole('menuitem', { name: 'Disable' })).toBeVisible();
  expect(await audit(page, { within: '[role=menu]', rules: ['color-contrast'] })).toEqual([]);
  const grace = await newSession(service, 'grace', 'a long enough one');
  await grace.token('upload');
  await page.getByRole('menuitem', { name: 'Sessions and tokens' }).click();
  const shown = page.getByRole('dialog', { name: 'Sessions and tokens for grace', exact: true });
  await expect(shown.getByRole('list', { name: 'API tokens' })).toContainText('Upload only · Never used');
  await expect(page.getByRole('menu')).toHaveCount(0);
  expect(await audit(page), 'sessions and tokens').toEqual([]);
  await shown.getByRole('button', { name: 'Sign out and revoke tokens' }).click();
  await page
    .getByRole('dialog', { name: 'End all sessions and revoke all tokens' })
    .getByRole('button', { name: 'Sign out and revoke tokens' })
    .click();
  await expect(shown).toContainText('Not signed in anywhere');
  expect((await grace.fetch('/api/v1/user')).status).toBe(401);
  await page.keyboard.press('Escape');
  await expect(shown).toHaveCount(0);
  await row.getByRole('button', { name: 'Actions for grace' }).click();
  await page.getByRole('menuitem', { name: 'Reset password' }).click();
  await expect(page.getByRole('dialog').getByRole('checkbox', { name: 'Also revoke all API tokens' })).toBeChecked();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Actions for grace' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');
  const stored = async () => (await owner.client.call(listUsers, { query: { q: 'grace' } })).items[0];
  expect(await stored()).toMatchObject({ disabled: true, group: { name: 'Photographers' } });
  await row.getByRole('button', { name: 'Actions for grace' }).click();
  await page.getByRole('menuitem', { name: 'Enable' }).click();
  await expect(row).not.toContainText('Disabled');
  expect(await stored()).toMatchObject({ disabled: false });
});

test('SSO: saving tests the provider and shows the result; the stored secret is never shown and is kept', async ({
  page,
  owner,
  service,
}) => {
  await using provider = await startOidcProvider([`${service.url}${CALLBACK}`], { people: {} });
  await page.goto('/admin/sso');
  await expect(page.getByText((await owner.client.call(getOidc, {})).redirect_uri)).toBeVisible();
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('SSO isn’t set up yet')).toBeVisible();
  await expect(page.getByText('Enter the issuer address of your provider.')).toBeVisible();
  await page.getByLabel('Issuer', { exact: true }).fill(provider.issuer);
  await page.getByLabel('Client ID').fill(provider.clientId);
  await page.getByRole('textbox', { name: 'Client secret' }).fill('wrong');
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByRole('alert', { name: 'Connected to the provider, but users can’t sign in yet' })).toContainText(
    'refuses the client ID or the client secret. Copy both again. Your settings were saved.',
  );
  await page.getByRole('textbox', { name: 'Client secret' }).fill(provider.clientSecret);
  const shown = page.getByRole('switch', { name: 'Show “Sign in with SSO” on the sign-in page', exact: true });
  await expect(shown).toHaveAccessibleDescription('Signing in with a password still works.');
  await shown.check();
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('Connected to the provider', { exact: true })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Connected to the provider' })).toContainText(`${provider.issuer}/token`);
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Client secret' })).toHaveValue('********');
  await provider.stop();
  await page.getByRole('button', { name: 'Save and test' }).click();
  await expect(page.getByText('Couldn’t connect to the provider')).toBeVisible();
  await expect(page.getByText('The connection to the issuer was refused.')).toBeVisible();
  expect(await audit(page), 'SSO with a diagnosis').toEqual([]);
  expect(await owner.client.call(getOidc, {})).toMatchObject({ enabled: true, issuer: provider.issuer, client_secret: '********' });
});
