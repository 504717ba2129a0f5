import type { Page } from 'playwright/test';
import { listGroups } from '#api/admin/groups.ts';
import { listImages } from '#api/images/images.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { png } from '#test/helpers/pictures/images.ts';

test.use({ ownService: true });

const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const file = async (name: string, seed: number) => ({ name, mimeType: 'image/png', buffer: await png({ seed, width: 60, height: 40 }) });

/** Opens the options for some files. */
async function withOptions(page: Page, ...files: Awaited<ReturnType<typeof file>>[]) {
  await page.getByRole('button', { name: 'More ways to upload' }).first().click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'With options…' }).click();
  await (await chooser).setFiles(files);
  return page.getByRole('dialog', { name: files.length > 1 ? `Upload ${files.length} pictures` : 'Upload 1 picture' });
}

test('a picture gets its address and format before it is uploaded', async ({ page, owner }) => {
  const images = async () => (await owner.client.call(listImages, { query: {} })).items.map(({ slug, ext }) => `${slug}.${ext}`);
  await page.goto('/');
  const dialog = await withOptions(page, await file('one.png', 1));
  await expect(dialog.getByRole('combobox', { name: 'If it’s taken' })).toHaveCount(0);
  const address = dialog.getByRole('textbox', { name: 'Custom address' });
  await address.fill('-plans');
  await expect(dialog.getByText('Use 2 to 63 letters')).toBeVisible();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page)).toHaveCount(0);
  await address.fill('Floor-Plans');
  await dialog.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'WebP' }).click();
  await checkPage(page, 'address and format');
  await dialog.getByLabel('Use these options for all uploads in this browser').check();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('1 picture uploaded');
  expect(await images()).toEqual(['floor-plans.webp']);

  // The format is kept, the address isn't.
  const second = await withOptions(page, await file('two.png', 2));
  await expect(second.getByRole('combobox', { name: 'Format' })).toHaveValue('WebP');
  await expect(second.getByRole('textbox', { name: 'Custom address' })).toHaveValue('');
  await second.getByRole('textbox', { name: 'Custom address' }).fill('floor-plans');
  await expect(second.getByText('Another picture uses this address, or did until recently.')).toBeVisible();
  await second.getByRole('combobox', { name: 'If it’s taken' }).click();
  await page.getByRole('option', { name: 'Add a number' }).click();
  await expect(second.getByText('Another picture uses this address, or did until recently.')).toHaveCount(0);
  await second.getByRole('combobox', { name: 'Format' }).click();
  await page.getByRole('option', { name: 'Keep the format' }).click();
  await second.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  expect(await images()).toEqual(['floor-plans-2.png', 'floor-plans.webp']);

  const several = await withOptions(page, await file('three.png', 3), await file('four.png', 4));
  await several.getByRole('textbox', { name: 'Custom address' }).fill('garden');
  await expect(several.getByText('The first picture gets this address, the others a similar one.')).toBeVisible();
  await expect(several.getByRole('combobox', { name: 'If it’s taken' })).toHaveValue('Add a number');
  await several.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('4 pictures uploaded');
  expect((await images()).slice(0, 2).sort()).toEqual(['garden-2.webp', 'garden.webp']);
  await page.goto('/settings/uploads');
  await expect(page.getByText('WebP', { exact: true })).toBeVisible();
});

test('an admin decides which groups can convert', async ({ page, owner }) => {
  await page.goto('/admin/groups');
  const allowed = async () =>
    Object.fromEntries((await owner.client.call(listGroups, { query: {} })).items.map(({ kind, allow_convert }) => [kind, allow_convert]));
  expect(await allowed()).toEqual({ owner: true, default: true, guest: false });
  await page
    .getByRole('button', { name: /^Edit Guests|Guests/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch', { name: 'Allow converting pictures' }).click({ force: true });
  await checkPage(page, 'the dialog of a group');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await allowed()).toEqual({ owner: true, default: true, guest: true });
});
