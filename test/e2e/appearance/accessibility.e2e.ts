import type { Page } from 'playwright/test';
import { audit, COLOUR_RULES, checkScreen } from '#test/e2e/axe.ts';
import { expect, signIn, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { DESK, PHONE, type Screen } from '#test/helpers/screen/screens.ts';
import { setUp, uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

/** No violations and no horizontal scrolling on a screen, and enough contrast in both colour schemes. */
async function checkBothSchemes(page: Page, name: string, screen: Screen) {
  await checkScreen(page, name, screen);
  const colorScheme = screen.colorScheme === 'dark' ? 'light' : 'dark';
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
  expect(await audit(page, { rules: COLOUR_RULES }), `${name}, ${colorScheme}, ${screen.name}`).toEqual([]);
}

/** The same on a phone, then on a desk. */
async function check(page: Page, name: string) {
  for (const screen of [PHONE, DESK]) await checkBothSchemes(page, name, screen);
}

test('no page has an accessibility violation', async ({ page, service, context, lan }) => {
  test.slow();
  await page.setViewportSize(DESK);
  const owner = await test.step('setup and sign-in', async () => {
    await page.goto(lan);
    await expect(page.getByLabel('Setup code')).toBeVisible();
    await check(page, 'setup');
    const created = await setUp(service);
    await page.goto('/');
    await expect(page.getByLabel('Username or email')).toBeVisible();
    await check(page, 'sign-in');
    return created;
  });

  await test.step('the gallery, empty and with pictures', async () => {
    await signIn(context, owner, lan);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
    await check(page, 'empty gallery');
    await page.locator('input[type=file]').setInputFiles([
      { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg({ seed: 1 }) },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
    ]);
    await expect(page.getByRole('region', { name: 'Uploads' }).getByRole('status')).toHaveText('1 picture uploaded');
    await check(page, 'gallery with uploads');

    await uploadImage(service, await owner.token('full'), await photoJpeg({ seed: 2 }), { visibility: 'private' });
    await page.goto('/');
    await expect(tiles(page)).toHaveCount(2);
    await page.getByRole('checkbox', { name: 'Select one.jpg' }).click();
    await check(page, 'selection');
    await page.getByRole('button', { name: 'Clear selection' }).click();
  });

  for (const screen of [PHONE, DESK])
    await test.step(`the viewer: ${screen.name}`, async () => {
      await page.setViewportSize(screen);
      await tiles(page).first().click();
      await expect(page.getByRole('dialog').locator('img').first()).toBeVisible();
      if (screen === PHONE) await page.getByRole('button', { name: 'Details' }).click();
      await expect(page.getByRole('complementary')).toBeVisible();
      await checkBothSchemes(page, 'viewer', screen);
      await page.goBack();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });

  await test.step('settings', async () => {
    const sections = page.getByRole('navigation', { name: 'Settings sections' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible();
    await check(page, 'appearance');
    await sections.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { name: 'Username' })).toBeVisible();
    await check(page, 'account');
    // A window that gets narrower keeps the current section in view.
    const size = page.viewportSize() ?? DESK;
    await page.setViewportSize(PHONE);
    await expect(sections.getByRole('link', { name: 'Account' })).toBeInViewport({ ratio: 1 });
    await page.setViewportSize(size);
    await sections.getByRole('link', { name: 'API tokens' }).click();
    await expect(page.getByText('a token that may full')).toBeVisible();
    await check(page, 'tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'new token');
    await page.getByLabel('Name').fill('x');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByTestId('shown-once')).toBeVisible();
    await check(page, 'token shown once');
  });

  await test.step('a missing page', async () => {
    await page.goto('/nowhere');
    await expect(page.getByText('Page not found')).toBeVisible();
    await check(page, 'not found');
  });
});
