import { audit } from '#test/e2e/axe.ts';
import { expect, forgetSession, signIn, test } from '#test/e2e/web.ts';
import { OWNER } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

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
