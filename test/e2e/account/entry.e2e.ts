import { expect, signIn, test, tiles, typeSignIn } from '#test/e2e/web.ts';
import { OWNER, setUp } from '#test/helpers/service/service.ts';

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
