import type { Page } from 'playwright/test';
import { startOidcProvider } from '#test/helpers/oidc-provider.ts';
import { setUp } from '#test/helpers/service.ts';
import { CALLBACK, signOnWith } from '#test/helpers/sign-on.ts';
import { audit } from './axe.ts';
import { expect, test } from './web.ts';

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

test('the sign-in page explains why single sign-on failed', async ({ page, service }) => {
  const owner = await setUp(service);
  await using provider = await startOidcProvider([`${service.url}${CALLBACK}`], { people: { pia: {} } });
  await signOnWith(owner, provider);
  await page.goto(service.url);
  await page.getByRole('link', { name: 'Sign in with SSO' }).click();
  await signInAtProvider(page, 'pia');
  await expect(page).toHaveURL(`${service.url}/sign-in?error=oidc_no_email`);
  await expect(page.getByRole('alert')).toContainText('didn’t share your email address');
  expect(await audit(page)).toEqual([]);

  await provider.stop();
  await page.getByRole('link', { name: 'Sign in with SSO' }).click();
  await expect(page.getByRole('alert')).toContainText('isn’t responding');
  await page.goto(`${service.url}/login?error=%3Cscript%3E`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
