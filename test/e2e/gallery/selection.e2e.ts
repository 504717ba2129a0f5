import type { Page } from 'playwright/test';
import { listAlbums } from '#api/albums/albums.ts';
import { updateImage } from '#api/images/changes.ts';
import { listImages } from '#api/images/images.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

const DAY = 86_400_000;

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

test('Ctrl+A on the page selects what is loaded, and all of it is deleted and restored', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
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

test('pictures move to a new album once, a pending tag counts, and the messages say what happened', async ({ page, service, owner }) => {
  await fill(service, owner, 5);
  await page.goto('/');
  await page.getByRole('checkbox', { name: 'Select 0.jpg' }).click();
  await page.getByRole('checkbox', { name: 'Select 1.jpg' }).click();
  await page.getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('sea');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await expect(page.getByText('Tags added to 2 pictures')).toBeVisible();
  expect(await total(owner, { tag: 'sea' })).toBe(2);
  // The pictures' own tags and all others are offered, and however many there are, the buttons stay.
  const many = Array.from({ length: 40 }, (_, index) => `holiday ${index}`);
  const tagged = (await owner.client.call(listImages, { query: { limit: 10 } })).items.find(({ name }) => name === '3.jpg');
  await owner.client.call(updateImage, { params: { key: tagged?.key ?? '' }, body: { tags: many } });
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select 0.jpg' }).click();
  await page.getByRole('checkbox', { name: 'Select 1.jpg' }).click();
  await page.getByRole('button', { name: 'Tags' }).click();
  const present = page.getByRole('group', { name: 'Tags on these pictures' });
  await present.getByRole('button', { name: 'sea' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('HOLIDAY 3');
  const others = page.getByRole('group', { name: 'Your other tags' });
  await expect(others.getByRole('button')).toHaveCount(11);
  await others.getByRole('button', { name: 'holiday 3', exact: true }).click();
  await page.getByRole('combobox', { name: 'Tags' }).focus();
  for (const tag of many.slice(10, 34)) {
    await page.keyboard.insertText(tag);
    await page.keyboard.press('Enter');
  }
  await expect(others.getByRole('button')).toHaveCount(15);
  const add = page.getByRole('button', { name: 'Add tags' });
  await add.click({ trial: true });
  await page.getByRole('button', { name: 'Remove tags' }).click();
  await expect(page.getByText('Tags removed from 2 pictures')).toBeVisible();
  expect(await total(owner, { tag: 'sea' })).toBe(0);
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Changes to 2 pictures undone')).toBeVisible();
  // A later change leaves the tags alone, and its undoing too.
  await page.getByRole('button', { name: 'Who can see it' }).click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect(page.getByText('2 pictures are now visible only to you')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Changes to 2 pictures undone').last()).toBeVisible();
  await expect.poll(() => total(owner, { tag: 'sea', visibility: 'public' })).toBe(2);
  await page.getByRole('button', { name: 'Favourites' }).click();
  await page.getByRole('menuitem', { name: 'Add to favourites' }).click();
  await expect(page.getByText('2 pictures added to favourites')).toBeVisible();
  await expect(page.getByTitle('Favourite', { exact: true })).toHaveCount(2);
  expect(await total(owner, { favourite: 'true' })).toBe(2);
  await page.keyboard.press('Control+z');
  await expect(page.getByTitle('Favourite', { exact: true })).toHaveCount(0);
  expect(await total(owner, { favourite: 'true' })).toBe(0);
  await page.getByRole('button', { name: 'Expiry' }).click();
  await page.getByRole('menuitem', { name: '1 hour' }).click();
  await expect(page.getByText('2 pictures expire in 1 hour')).toBeVisible();
  await page.getByRole('button', { name: 'Expiry' }).click();
  await page.getByRole('menuitem', { name: 'Date and time…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set expiry' });
  await dialog.getByLabel(/^Date and time/).fill('2020-01-01T12:00');
  await expect(dialog.getByRole('button', { name: 'Set expiry' })).toBeDisabled();
  await dialog.getByLabel(/^Date and time/).fill(`${new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10)}T12:00`);
  await dialog.getByRole('button', { name: 'Set expiry' }).click();
  await expect(page.getByText(/^2 pictures expire on \d/)).toBeVisible();

  await page.getByRole('button', { name: 'Add to album' }).click();
  const search = page.getByRole('textbox', { name: 'Add to album' });
  await search.fill('Product shots');
  await page.getByRole('button', { name: 'Create “Product shots”' }).click();
  await expect(page.getByText('2 pictures added to Product shots')).toBeVisible();
  await expect(search).toHaveCount(0);
  await expect(selected(page)).toHaveText('2 selected');
  expect((await owner.client.call(listAlbums, { query: {} })).items).toMatchObject([{ name: 'Product shots', image_count: 2 }]);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.last().click();
  await expect(page.getByText('Changes to 2 pictures undone').last()).toBeVisible();
  expect((await owner.client.call(listAlbums, { query: {} })).items).toMatchObject([{ name: 'Product shots', image_count: 0 }]);
  await page.getByRole('button', { name: 'Add to album' }).click();
  await page.getByRole('button', { name: 'Product shots', exact: true }).click();
  // That of the message before, to the same album, may still be there.
  await page.getByRole('link', { name: 'Open album' }).last().click();
  await expect(page.getByRole('heading', { name: 'Product shots' })).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
});
