import { checkPage } from '#test/e2e/axe.ts';
import { expect, test } from './fixtures.ts';

// How the app writes links: Settings → This computer → Links, and the tray.

test('a template of one’s own: previewed while typing, checked, and used for what is copied', async ({ desktop, image }) => {
  const { page } = desktop;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  const preview = page.getByRole('status', { name: 'Preview' });
  await expect(preview).toHaveText(/^http\S+\/i\/\w{12}\.jpg\nhttp\S+\/i\/\w{12}\.png$/);
  await page.getByRole('combobox', { name: 'Link format' }).click();
  await page.getByRole('option', { name: 'Custom' }).click();
  const template = page.getByRole('textbox', { name: 'Template' });
  await template.fill('{name} {size}');
  await expect(page.getByText('Unknown placeholder: {size}')).toBeVisible();
  await expect(preview).toHaveText('harbour.jpg {size}\nplan.png {size}');
  await template.fill('');
  await expect(page.getByText('Enter a template.')).toBeVisible();
  await template.fill('<{name}|{width}×{height}>');
  await page.getByRole('radiogroup', { name: 'Separator between links' }).getByText('Comma').click();
  await expect(preview).toHaveText('<harbour.jpg|1600×1067>, <plan.png|1280×720>');
  await checkPage(page, 'links');
  await expect
    .poll(() => page.evaluate(() => window.pixdock?.getPreferences()))
    .toMatchObject({ linkFormat: 'custom', linkTemplate: '<{name}|{width}×{height}>', linkSeparator: 'comma' });

  await desktop.choose(await image('a.png', '#123'), await image('b.png', '#456'));
  await desktop.press('Upload files…');
  await expect.poll(() => desktop.clipboardText()).toBe('<a.png|60×40>, <b.png|60×40>');
  await desktop.press('Link format', 'URL');
  await desktop.press('Link format', 'Custom');
  await expect.poll(() => desktop.labels('Recent uploads')).toContain('a.png');
  await desktop.press('Recent uploads', 'a.png');
  await expect.poll(() => desktop.clipboardText()).toBe('<a.png|60×40>');
});
