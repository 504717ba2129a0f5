import { getConfig } from '#api/config.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, forgetSession, test } from '#test/e2e/web.ts';
import { svg } from '#test/helpers/pictures/drawings.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

/** Black, and so wide that it contains the name. */
const WORDMARK = svg('<rect x="10" y="10" width="380" height="80" rx="20" fill="#000"/>', 'width="400" height="100"');
const ACCENT = /^rgb\(130, 108, 12\)$/;

test('an admin chooses a logo and a colour, sees both before saving, and returns to the defaults', async ({
  page,
  owner,
  service,
  complaints,
}) => {
  const image = await uploadImage(service, await owner.token('upload'), await photoJpeg());
  await page.goto('/admin/branding');
  const save = page.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();

  await page.getByLabel('Colour', { exact: true }).fill('#ffd40');
  await expect(page.getByText('Enter a colour such as #125d69.')).toBeVisible();
  await expect(save).toBeDisabled();
  await page.getByLabel('Colour', { exact: true }).fill('FFD400');
  // White text isn't readable on it, so it is made darker.
  await expect(page.getByText(/^#826c0c, contrast [45]\.?\d? : 1$/).first()).toBeVisible();
  await expect(page.getByText(/^#ffd400, contrast 1\d\.?\d? : 1$/)).toBeVisible();
  await page.locator('input[type=file][accept*=svg]').setInputFiles({ name: 'wordmark.svg', mimeType: 'image/svg+xml', buffer: WORDMARK });
  await expect(page.getByText('New logo: wordmark.svg')).toBeVisible();
  // It couldn't be seen on a dark page.
  await expect(page.locator('figure').nth(1).locator('img[data-plate="dark"]')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await checkPage(page, 'before it is saved');
  await expect(page.locator('nav img')).toHaveCount(0);
  await save.click();
  await expect(page.getByText('Saved. Open pages change when they are reloaded.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Pixdock' }).locator('img')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toHaveCSS('background-color', ACCENT);

  // A file that isn't a picture leaves everything as it is, the colour too.
  await page.getByLabel('Colour', { exact: true }).fill('#0000ff');
  await page
    .locator('input[type=file][accept*=svg]')
    .setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('notes') });
  await save.click();
  await expect(page.getByRole('alert').getByText('Supported formats: jpeg, png, webp, svg.')).toBeVisible();
  complaints.length = 0; // the refusal, and a picture that the browser can't show
  expect(await owner.client.call(getConfig, {})).toMatchObject({ accent_color: '#ffd400', logo: { width: 512 } });
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Colour', { exact: true })).toHaveValue('#ffd400');

  await test.step('visitors', async () => {
    await forgetSession(page);
    for (const path of [`/s/${image.key}`, '/sign-in']) {
      // Without scripts: the page as it is sent.
      await page.route('**/assets/**/*.js', (route) => route.abort());
      await page.goto(path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--pd-accent').trim())).toBe('#826c0c');
      await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /\/branding\/icon\?v=/);
      complaints.length = 0; // the scripts
      await page.unroute('**/assets/**/*.js');
      await page.goto(path);
      await expect(page.locator('img[data-plate]')).toBeVisible();
      await expect(page.getByRole('button').or(page.getByRole('link')).first()).toBeVisible();
    }
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveCSS('background-color', ACCENT);
  });

  await test.step('the defaults', async () => {
    const at = owner.cookie.indexOf('=');
    await page.context().addCookies([{ name: owner.cookie.slice(0, at), value: owner.cookie.slice(at + 1), url: page.url() }]);
    await page.goto('/admin/branding');
    await page.getByRole('button', { name: 'Use the default logo' }).click();
    await page.getByRole('button', { name: 'Use the default colour' }).click();
    await save.click();
    await expect(page.getByRole('button', { name: 'Upload', exact: true })).toHaveCSS('background-color', 'rgb(18, 93, 105)');
    await expect(page.locator('nav img')).toHaveCount(0);
    await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon.svg');
  });
});

test('a user has initials, then a picture, and removes it', async ({ page, owner: _owner }) => {
  await page.goto('/settings/account');
  const account = page.getByRole('link', { name: 'Account: ada' });
  const setting = page.getByRole('group', { name: 'Avatar' });
  await expect(setting).toContainText('A');
  await setting
    .locator('..')
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg() });
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(account.locator('img')).toBeVisible();
  await checkPage(page, 'with a picture');
  await page.goto('/admin/users');
  await expect(page.getByRole('listitem').locator('img')).toHaveCount(1);
  await page.goto('/settings/account');
  await page.getByRole('button', { name: 'Remove: Avatar' }).click();
  await expect(account.locator('img')).toHaveCount(0);
});
