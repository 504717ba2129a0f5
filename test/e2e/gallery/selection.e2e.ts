import type { Page } from 'playwright/test';
import { listImages } from '#api/images/images.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** Many pictures of today with the same bytes, quickly. */
async function fill(service: TestService, owner: AddedUser, count: number) {
  const { sha256, size, key } = await uploadImage(
    service,
    await owner.token('upload'),
    await photoJpeg({ seed: 1, width: 90, height: 60 }),
  );
  const midnight = new Date().setHours(0, 0, 0, 0);
  await withDatabase(service, async (db) => {
    await addImageRows(db, owner.id, count - 1, (index) => ({
      sha256,
      size,
      name: `${index}.jpg`,
      created_at: midnight + index,
    }));
    await db.as('job').write((queries) => queries.updateTable('users').set({ image_count: count }).where('id', '=', owner.id).execute());
  });
  return key;
}

const bar = (page: Page) => page.locator('main header');
const selected = (page: Page) => bar(page).getByRole('status');
const total = async (owner: SignedIn, query: object = {}) =>
  (await owner.client.call(listImages, { query: { limit: 200, ...query } })).items.length;

test('Ctrl+A on the page selects what is loaded, and all of it is deleted and restored', async ({ page, service, owner }) => {
  await fill(service, owner, 450);
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await expect(selected(page)).toHaveText('200 selected');
  const day = page.getByRole('checkbox', { name: 'Select all: Today' });
  await expect(day).toHaveJSProperty('indeterminate', true);
  // The bar is at its longest, and still fits.
  await expect(bar(page).getByRole('button', { name: 'Expiry' })).toBeVisible();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  const usual = page.viewportSize();
  for (const width of [1670, 1570, 1340, 1100, 1030, 900, 830, 770, 645]) {
    await page.setViewportSize({ width, height: 720 });
    await expect.poll(overflow, `${width} px`).toBeLessThanOrEqual(0);
  }
  const offer = bar(page).getByText('Select all 450');
  expect(await offer.evaluate((label) => label.scrollWidth - label.clientWidth)).toBeLessThanOrEqual(0);
  await page.setViewportSize(usual ?? { width: 1280, height: 720 });
  await bar(page).getByRole('button', { name: 'Select all 450' }).click();
  await expect(selected(page)).toHaveText('450 selected');
  await expect(day).toBeChecked();
  await tiles(page).first().click();
  await expect(selected(page)).toHaveText('449 selected');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Delete 449 pictures?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('449 pictures deleted')).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(page.getByText('449 pictures restored')).toBeVisible();
  await expect(page.getByText('450 pictures')).toBeVisible();
  await expect.poll(() => tiles(page).count()).toBeGreaterThan(10);
  // Only what is loaded: the list shows what is left, and Undo puts everything back in its place. How much that is after an undo depends on time.
  await page.reload();
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await expect(selected(page)).toHaveText('200 selected');
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('200 pictures deleted')).toBeVisible();
  await expect(tiles(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('200 pictures restored')).toBeVisible();
  // A range across what isn't loaded, from a picture near the start to one near the end.
  await page.reload();
  const boxes = page.getByRole('checkbox', { name: /^Select \d/ });
  await boxes.nth(1).click();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole('checkbox', { name: 'Select 0.jpg' })).toBeAttached();
  await page.getByRole('checkbox', { name: 'Select 1.jpg', exact: true }).click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveText('447 selected');
  await page.getByRole('button', { name: 'Who can see it' }).click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect(page.getByText('447 pictures are now visible only to you')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Changes to 447 pictures undone')).toBeVisible();
  expect(await total(owner, { visibility: 'private' })).toBe(0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('combobox', { name: 'Search pictures' }).fill('44');
  await page.keyboard.press('Control+a');
  await expect(bar(page).getByRole('combobox', { name: 'Search pictures' })).toBeVisible();
});
