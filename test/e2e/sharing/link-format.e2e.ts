import { changePreferences, getProfile } from '#api/auth/user.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';

test('a format chosen on the page applies to the account everywhere; finished uploads are copied in it', async ({
  page,
  service,
  owner,
}) => {
  const clipboard = await openClipboard(page, service);
  const stored = async () => (await owner.client.call(getProfile, {})).preferences.link_format;
  await page.goto('/settings/uploads');
  const choice = page.getByRole('combobox', { name: 'Link format' });
  await choice.click();
  await page.getByRole('option', { name: 'Markdown', exact: true }).click();
  await expect.poll(stored).toBe('markdown');
  await page.locator('input[type=file]').setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photoJpeg() }]);
  await expect(page.getByText('Link copied')).toBeVisible();
  expect(await clipboard.readText()).toMatch(/^!\[.*a\.jpg\]\(http.*\)$/);
  await owner.client.call(changePreferences, { body: { link_format: 'html' } });
  await page.reload();
  await expect(choice).toHaveValue('HTML');
});
