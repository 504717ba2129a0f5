import type { Page } from 'playwright/test';
import { photoJpeg } from '#test/helpers/images.ts';
import { setUp, uploadImage } from '#test/helpers/service.ts';
import { problemsOf } from './axe.ts';
import { expect, signIn, test, tiles } from './web.ts';

const SCREENS = [
  { name: 'phone', width: 360, height: 740 },
  { name: 'desk', width: 1440, height: 900 },
];

/** No violations and no horizontal scrolling in either colour scheme. */
async function check(page: Page, name: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    expect(await problemsOf(page), `${name}, ${colorScheme}`).toEqual([]);
  }
}

for (const { name, width, height } of SCREENS)
  test(`no page has an accessibility violation: ${name}`, async ({ page, service, context, lan }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    await page.goto(lan);
    await expect(page.getByLabel('Setup code')).toBeVisible();
    await check(page, 'setup');
    const owner = await setUp(service);
    await page.goto('/');
    await expect(page.getByLabel('Username or email')).toBeVisible();
    await check(page, 'sign-in');

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
    await page.getByRole('checkbox', { name: 'Select one.jpg' }).click({ force: true });
    await check(page, 'selection');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await tiles(page).first().click();
    await expect(page.getByRole('dialog').locator('img').first()).toBeVisible();
    if (width < 960) await page.getByRole('button', { name: 'Details' }).click();
    await expect(page.getByRole('complementary')).toBeVisible();
    await check(page, 'viewer');

    await page.goto('/settings/appearance');
    await expect(page.getByRole('heading', { name: 'Language' })).toBeVisible();
    await check(page, 'appearance');
    await page.goto('/settings/account');
    await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await check(page, 'account');
    await page.goto('/settings/tokens');
    await expect(page.getByText('a token that may full')).toBeVisible();
    await check(page, 'tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'new token');
    await page.getByLabel('Name').fill('x');
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await expect(page.getByTestId('shown-once')).toBeVisible();
    await check(page, 'token shown once');
    await page.goto('/nowhere');
    await expect(page.getByText('Page not found')).toBeVisible();
    await check(page, 'not found');
  });
