import type { Page } from 'playwright/test';
import { getAdminSettings } from '#api/admin/settings.ts';
import { createInvite } from '#api/auth/invites.ts';
import { writeSettings } from '#server/core/settings/settings.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, forgetSession, signIn, test } from '#test/e2e/web.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { setUp, type TestService } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

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
