import type { Page } from 'playwright/test';
import { audit } from '#test/e2e/axe.ts';
import { expect, forgetSession, signIn, test } from '#test/e2e/web.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { OWNER, setUp } from '#test/helpers/service/service.ts';
import { startOidcProvider } from '#test/helpers/sign-on/oidc-provider.ts';
import { CALLBACK, signOnWith } from '#test/helpers/sign-on/sign-on.ts';

test.use({ ownService: true });

/** Signs in on the provider's own pages, which take any name with any password and then ask for consent. */
async function signInAtProvider(page: Page, person: string) {
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** The provider's pages load a font from the internet and a missing icon, which these tests ignore. */
test.beforeEach(async ({ page }) => {
  const empty = { status: 200, contentType: 'text/css', body: '' };
  await page.route(/^https:|\/favicon\.ico$/, (route) => route.fulfill(empty));
});

test('the sign-in page offers the provider once an admin has enabled it, and users return signed in', async ({ page, service }) => {
  const owner = await setUp(service);
  await using provider = await startOidcProvider([`${service.url}${CALLBACK}`], {
    people: { mia: { email: 'mia@example.net', preferred_username: 'mia' } },
  });
  const button = page.getByRole('link', { name: 'Sign in with SSO' });
  await page.goto(service.url);
  await expect(page.getByLabel('Username or email')).toBeVisible();
  await expect(button).toHaveCount(0);

  await signOnWith(owner, provider);
  await page.goto(`${service.url}/settings/account`);
  await expect(button).toBeVisible();
  expect(await audit(page)).toEqual([]);
  await button.click();
  await signInAtProvider(page, 'mia');
  await expect(page).toHaveURL(`${service.url}/settings/account`);
  await expect(page.getByText('mia@example.net')).toBeVisible();
});

test('signing in from another address of the service ends at the link address', async ({ page, service, lan }) => {
  const owner = await setUp(service);
  await using provider = await startOidcProvider([`${service.url}${CALLBACK}`], { people: { noah: { email: 'noah@example.net' } } });
  await signOnWith(owner, provider);
  await page.goto(lan);
  await page.getByRole('link', { name: 'Sign in with SSO' }).click();
  await signInAtProvider(page, 'noah');
  await expect(page).toHaveURL(`${service.url}/`);
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
});

test('an administrator can’t sign on before they have linked their account, which their settings show and undo', async ({
  page,
  service,
  complaints,
}) => {
  const owner = await setUp(service);
  await using provider = await startOidcProvider([`${service.url}${CALLBACK}`], {
    people: { boss: { email: OWNER.email, email_verified: true } },
  });
  await signOnWith(owner, provider);
  await page.goto(service.url);
  await page.getByRole('link', { name: 'Sign in with SSO' }).click();
  await signInAtProvider(page, 'boss');
  await expect(page.getByRole('alert')).toContainText('link it under Settings → Account');

  await signIn(page.context(), owner, service.url);
  await page.goto(`${service.url}/settings/account`);
  await page.getByRole('button', { name: 'Link SSO account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link your account to SSO' });
  await dialog.getByRole('textbox', { name: 'Current password' }).fill('not the password');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Current password' })).toHaveAccessibleDescription('The current password is incorrect.');
  expect(await audit(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${service.url}/settings/account?linked=1`);
  await expect(page.getByRole('status').filter({ hasText: 'Your account is linked' })).toBeVisible();
  await expect(page.getByText(provider.issuer)).toBeVisible();
  expect(await audit(page)).toEqual([]);

  await page.getByRole('button', { name: `Remove link to ${provider.issuer}` }).click();
  const removal = page.getByRole('dialog', { name: 'Remove this link?' });
  await removal.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
  await removal.getByRole('button', { name: 'Remove link' }).click();
  await expect(page.getByText('Not linked')).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);

  const admin = await addUser(service, 'carol', 'admin');
  await forgetSession(page);
  await signIn(page.context(), admin, service.url);
  await page.goto(`${service.url}/admin/sso`);
  await expect(page.getByText('Only the owner can change these settings.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Issuer' })).toBeDisabled();
  await expect(page.getByRole('textbox', { name: 'Issuer' })).toHaveValue(provider.issuer);
  await expect(page.getByRole('switch', { name: 'Trust unverified email addresses' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Save and test' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Copy redirect URI' })).toBeEnabled();
  expect(await audit(page)).toEqual([]);
});
