import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { getAdminSettings } from '#api/admin/settings.ts';
import { pollDevice, requestDevice } from '#api/auth/devices.ts';
import { createInvite } from '#api/auth/invites.ts';
import { createClient } from '#api/client.ts';
import { writeSettings } from '#server/core/settings/settings.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, forgetSession, signIn, test, tiles, typeSignIn } from '#test/e2e/web.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { OWNER, setUp, type TestService } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

test('a fresh service is set up through the address that it prints, and shows what to do next', { tag: '@essential' }, async ({
  page,
  service,
}) => {
  const address = `${service.url}/setup#code=${service.setupCode}`;
  const code = page.getByRole('textbox', { name: 'Setup code' });
  await page.goto(`${service.url}/setup`);
  await expect(code).toHaveValue('');
  await page.goto(address);
  await expect(code).toHaveValue(service.setupCode ?? 'none');
  await page.reload();
  await expect(code).toHaveValue(service.setupCode ?? 'none');
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.getByLabel('Username').fill(OWNER.username);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByLabel('Site name').fill('Harbour pictures');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await expect(page.getByText('Harbour pictures')).toBeVisible();
  await page.goto(`${service.url}/setup`);
  await expect(page).toHaveURL(`${service.url}/`);
});

test('a visitor sees only the sign-in page, then the page they asked for', { tag: '@essential' }, async ({ page, service, complaints }) => {
  await setUp(service);
  await page.goto('/settings/tokens');
  await expect(page.getByRole('heading', { name: 'Sign in to Pixdock' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);

  await typeSignIn(page, OWNER.email, 'a wrong password');
  await expect(page.getByRole('alert')).toContainText('Incorrect username or password.');

  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/settings\/tokens$/);
  await expect(page.getByRole('button', { name: 'Create token' })).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
});

test('an expired session leads to sign-in and back', async ({ page, service, context, lan, owner, complaints }) => {
  await page.goto('/settings/appearance');
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  // Any request without a session would lead to sign-in before the press.
  const pressed = Promise.withResolvers<void>();
  await page.route('**/api/v1/**', async (route) => {
    await pressed.promise;
    await route.continue();
  });
  await context.clearCookies();
  await page.getByRole('link', { name: 'API tokens' }).click();
  pressed.resolve();
  await expect(page.getByRole('heading', { name: 'Sign in to Pixdock' })).toBeVisible();
  await expect(page.getByText('Your session has expired')).toBeVisible();
  await typeSignIn(page, OWNER.username, OWNER.password);
  await expect(page.getByRole('button', { name: 'Create token' })).toBeVisible();
  // One for each request that was pending.
  expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
  void [service, lan, owner];
});

test('signing out clears the cached pictures', async ({ page, owner, lan, context, complaints }) => {
  // A request that completes only after the session has ended.
  const signedOut = page.waitForResponse('**/api/v1/auth/logout');
  await page.route('**/api/v1/user/limits', async (route) => {
    await signedOut;
    await route.continue().catch(() => undefined); // aborted by then
  });
  await page.goto('/settings/account');
  await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Pixdock' })).toBeVisible();
  await expect(page.getByText('Your session has expired')).toHaveCount(0);
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(tiles(page)).toHaveCount(0);
  await signIn(context, owner, lan);
  await page.goto('/');
  await expect(page).toHaveURL(/\/sign-in$/);
  // Requests of the page that were under way.
  expect(complaints.splice(0).every((text) => text.includes('401'))).toBe(true);
});

async function setMode(service: TestService, registration_mode: 'open' | 'invite') {
  await withDatabase(service, (db) => db.as('job').write((queries) => writeSettings(queries, { registration_mode })));
  await service.restart();
}

async function fillIn(page: Page, username: string) {
  // The sign-in page has fields with the same names: wait for this one.
  await expect(page.getByRole('heading', { name: 'Join Pixdock' })).toBeVisible();
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@example.net`);
  await page.getByLabel('Password', { exact: true }).fill('long enough now');
  await page.getByRole('button', { name: 'Create account' }).click();
}

test('an invite link creates an account, once', { tag: '@essential' }, async ({ page, service, complaints }) => {
  const owner = await setUp(service);
  await setMode(service, 'invite');
  const { url } = await owner.client.call(createInvite, { body: {} });
  await page.goto(url);
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await fillIn(page, 'mia');
  await page.getByRole('button', { name: 'Open in this browser' }).click();
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();

  await forgetSession(page);
  await page.goto(url);
  await expect(page.getByText('This invite can’t be used.')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  expect(await audit(page)).toEqual([]);
  await page.getByRole('link', { name: 'Enter another invite code' }).click();
  await page.getByLabel('Invite code').fill(new URL(url).searchParams.get('invite') ?? '');
  await fillIn(page, 'noah');
  await expect(page.getByRole('alert')).toContainText('invite isn’t valid');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('403'), expect.stringContaining('403')]);
});

test('a disabled invite is reported and can be enabled; until then its page has no form', async ({ page, service, lan }) => {
  const owner = await setUp(service);
  const { code } = await owner.client.call(createInvite, { body: {} });
  await page.goto(`/register?invite=${code}`);
  await expect(page.getByText('This site isn’t accepting invites right now')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Already have an account? Sign in' })).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);

  await signIn(page.context(), owner, lan);
  await page.goto('/admin/invites');
  await page.getByRole('button', { name: 'Create invite' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toContainText('Invites are disabled');
  await dialog.getByRole('button', { name: 'Enable invites' }).click();
  await expect(page.getByText('Invites are disabled')).toHaveCount(0);
  expect((await owner.client.call(getAdminSettings, {})).registration_mode).toBe('invite');

  await forgetSession(page);
  await page.goto(`/register?invite=${code}`);
  await expect(page.getByLabel('Invite code')).toHaveValue(code);
  await fillIn(page, 'mia');
  await expect(page.getByRole('heading', { name: 'Welcome to Pixdock' })).toBeVisible();
});

test('a signed-out user follows a device’s link, signs in, compares the code and approves', async ({ page, service, lan }) => {
  await setUp(service);
  const device = createClient({ baseUrl: service.url });
  const asked = Date.now();
  const { device_code, user_code, verify_url, interval } = await device.call(requestDevice, { body: { name: 'Desk computer' } });
  await page.goto(verify_url.replace(service.linkAddress, lan));
  await typeSignIn(page, OWNER.username, OWNER.password);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Let “Desk computer” upload for you?');
  await expect(page.getByText(user_code, { exact: true })).toBeVisible();
  await expect(page.getByRole('definition').first()).toHaveText(OWNER.username);
  await expect(page.getByText('127.0.0.1')).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('status')).toContainText('“Desk computer” is connected');
  // A device that asks more often is told to slow down.
  await delay(Math.max(0, asked + interval * 1000 - Date.now()));
  expect(await device.call(pollDevice, { body: { device_code } })).toMatchObject({ state: 'approved', username: OWNER.username });
  await page.getByRole('link', { name: 'Show API tokens' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Desk computer' })).toContainText('Upload only');
});
