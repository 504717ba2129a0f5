import { TOTP } from 'otpauth';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, forgetSession, signIn, test, typeSignIn } from '#test/e2e/web.ts';
import { addUser, USER_PASSWORD } from '#test/helpers/service/data/users.ts';
import { OWNER } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

/** The code that an app shows in the next 30 seconds: accepted as well, and never the one before. */
const nextCode = (secret: string) => new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
const codeNow = (secret: string) => new TOTP({ secret }).generate();

test('two-factor authentication is set up with a QR code, and asks for a code at the next sign-in', async ({ page, owner, complaints }) => {
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Turn on', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused();
  expect(await audit(page)).toEqual([]);
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.getByLabel('Code', { exact: true }).fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('This code isn’t valid.')).toHaveCount(1);
  await expect(dialog.getByLabel('Code', { exact: true })).toBeFocused();
  await dialog.getByLabel('Code', { exact: true }).fill(codeNow(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = dialog.getByRole('list', { name: 'Save your recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = await codes.first().innerText();
  expect(await audit(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'I’ve saved the codes' }).click();
  await expect(page.getByText('10 recovery codes left')).toBeVisible();

  await forgetSession(page);
  await page.goto('/sign-in');
  await typeSignIn(page, OWNER.username, OWNER.password);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  expect(await audit(page)).toEqual([]);
  await page.getByLabel('Code', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('This code isn’t valid.');
  await page.getByLabel('Code', { exact: true }).fill(nextCode(secret));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();

  await forgetSession(page);
  await page.goto('/sign-in');
  await typeSignIn(page, OWNER.username, OWNER.password);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recovery);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await page.goto('/settings/account');
  await expect(page.getByText('9 recovery codes left')).toBeVisible();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByLabel('Current password').fill(OWNER.password);
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(page.getByText('Two-factor authentication turned off')).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401'), expect.stringContaining('401')]);
  void owner;
});

test('a site requires it: a user sets it up at sign-in, and an admin resets it', async ({ page, service, owner, context, lan }) => {
  await owner.client.call(changeAdminSettings, { body: { two_factor_required: 'everyone' } });
  await addUser(service, 'bea');
  await forgetSession(page);
  await page.goto('/sign-in?next=%2Fsettings%2Faccount');
  await typeSignIn(page, 'bea', USER_PASSWORD);
  await expect(page.getByText('This site requires a second factor.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(await audit(page)).toEqual([]);
  const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('list', { name: 'Save your recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I’ve saved the codes' }).click();
  await expect(page.getByText('This site requires it, so you can’t turn it off.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn off' })).toHaveCount(0);

  await signIn(context, owner, lan);
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Actions for bea' }).click();
  await page.getByRole('menuitem', { name: 'Reset two-factor authentication' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset two-factor authentication' }).click();
  await expect(page.getByText('Two-factor authentication reset for bea')).toBeVisible();
  await page.goto('/admin/settings');
  await expect(page.getByRole('radio', { name: 'Required for everyone' })).toBeChecked();
  await page.getByRole('radio', { name: 'Required for administrators' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.goto('/admin/audit');
  await expect(page.getByRole('heading', { name: 'Reset two-factor authentication bea' })).toBeVisible();
});

test('a passkey is added at localhost, renamed, used to sign in, and removed', async ({ page, service, owner, context }) => {
  const local = `http://localhost:${new URL(service.url).port}`;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  });
  await signIn(context, owner, local);
  await page.goto(`${local}/settings/account`);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(OWNER.password);
  expect(await audit(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Rename Passkey' }).click();
  await dialog.getByLabel('Name').fill('Work laptop');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Remove Work laptop' })).toBeVisible();

  await forgetSession(page);
  await page.goto(`${local}/sign-in?next=%2Fsettings%2Faccount`);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('Last used')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Work laptop' }).click();
  await dialog.getByLabel('Current password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove Work laptop' })).toHaveCount(0);
});
