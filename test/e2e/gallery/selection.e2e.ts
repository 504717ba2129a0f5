import type { Page } from 'playwright/test';
import { listAlbums } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Many pictures with the same bytes, quickly: `today` of them today, the others on the day before. */
async function fill(service: TestService, owner: SignedIn, { count, today = count }: { count: number; today?: number }) {
  const { sha256, size, key } = await uploadImage(
    service,
    await owner.token('upload'),
    await photoJpeg({ seed: 1, width: 90, height: 60 }),
  );
  const noon = new Date().setHours(0, 0, 0, 0);
  await withDatabase(service, async (db) => {
    await addImageRows(db, 1, count - 1, (index) => ({
      sha256,
      size,
      name: `${index}.jpg`,
      created_at: index < today - 1 ? noon + index : noon - DAY / 2 - index,
    }));
    await db.write((queries) => queries.updateTable('users').set({ image_count: count }).where('id', '=', 1).execute());
  });
  return key;
}

const bar = (page: Page) => page.locator('main header');
const selected = (page: Page) => bar(page).getByRole('status');
const total = async (owner: SignedIn, query: object = {}) =>
  (await owner.client.call(listImages, { query: { limit: 200, ...query } })).items.length;

test('Ctrl+A on the page selects what is loaded, and all of it is deleted and restored', async ({ page, service, owner }) => {
  await fill(service, owner, { count: 450 });
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
  await page.setViewportSize({ width: 645, height: 720 });
  await expect.poll(overflow, '645 px').toBeLessThanOrEqual(0);
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
  // Only what is loaded: the list shows what is left, and Undo puts everything back in its place.
  await page.keyboard.press('Control+a');
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

test('a day’s checkbox selects the whole day, loaded or not, and no other', async ({ page, service, owner }) => {
  await fill(service, owner, { count: 320, today: 260 });
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  const day = page.getByRole('checkbox', { name: 'Select all: Today' });
  await day.click();
  await expect(selected(page)).toHaveText('260 selected');
  await page.getByRole('button', { name: 'Who can see it' }).click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect(page.getByText('260 pictures are now visible only to you')).toBeVisible();
  await expect(page.getByText('320 pictures')).toBeVisible();
  await page.goto('/?visibility=public');
  await expect(page.getByText('60 pictures')).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select all: Yesterday' })).toBeAttached();
  await expect(page.getByRole('checkbox', { name: 'Select all: Today' })).toHaveCount(0);
});

test('a search follows deletions and their undoing, and counts correctly', async ({ page, service, owner }) => {
  await fill(service, owner, { count: 12 });
  await page.goto('/?q=jpg');
  await expect(page.getByText('12 pictures')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select 3.jpg' }).click();
  await page.keyboard.press('Delete');
  await expect(page.getByText('11 pictures')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('12 pictures')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await expect(page.getByRole('heading', { name: 'No matching pictures' })).toBeVisible();
  await expect(page.getByText('12 pictures deleted')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(tiles(page)).toHaveCount(12);
});

test('pictures move to a new album once, a pending tag counts, and the messages say what happened', async ({ page, service, owner }) => {
  await fill(service, owner, { count: 5 });
  await page.goto('/');
  await page.getByRole('checkbox', { name: 'Select 0.jpg' }).click();
  await page.getByRole('checkbox', { name: 'Select 1.jpg' }).click();
  await page.getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('sea');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await expect(page.getByText('Tags added to 2 pictures')).toBeVisible();
  expect(await total(owner, { tag: 'sea' })).toBe(2);
  // A later change leaves the tags alone, and its undoing too.
  await page.getByRole('button', { name: 'Who can see it' }).click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect(page.getByText('2 pictures are now visible only to you')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Changes to 2 pictures undone')).toBeVisible();
  expect(await total(owner, { tag: 'sea', visibility: 'public' })).toBe(2);
  await page.getByRole('button', { name: 'Favourites' }).click();
  await page.getByRole('menuitem', { name: 'Add to favourites' }).click();
  await expect(page.getByText('2 pictures added to favourites')).toBeVisible();
  await expect(page.getByTitle('Favourite', { exact: true })).toHaveCount(2);
  expect(await total(owner, { favourite: 'true' })).toBe(2);
  await page.keyboard.press('Control+z');
  await expect(page.getByTitle('Favourite', { exact: true })).toHaveCount(0);
  expect(await total(owner, { favourite: 'true' })).toBe(0);
  await page.getByRole('button', { name: 'Expiry' }).click();
  await page.getByRole('menuitem', { name: '1 week' }).click();
  await expect(page.getByText('2 pictures expire in 7 days')).toBeVisible();

  await page.getByRole('button', { name: 'Move to album' }).click();
  await page.getByRole('menuitem', { name: 'Create album' }).click();
  await page.getByLabel('Name').fill('Product shots');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 pictures moved to Product shots')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveCount(0);
  await expect(selected(page)).toHaveCount(0);
  expect((await owner.client.call(listAlbums, { query: {} })).items).toMatchObject([{ name: 'Product shots', image_count: 2 }]);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.last().click();
  await expect(page.getByText('Changes to 2 pictures undone').last()).toBeVisible();
  expect((await owner.client.call(listAlbums, { query: {} })).items).toMatchObject([{ name: 'Product shots', image_count: 0 }]);
  await page.getByRole('checkbox', { name: 'Select 0.jpg' }).click();
  await page.getByRole('checkbox', { name: 'Select 1.jpg' }).click();
  await page.getByRole('button', { name: 'Move to album' }).click();
  await page.getByRole('menuitem', { name: 'Product shots' }).click();
  await page.getByRole('link', { name: 'Open album' }).click();
  await expect(page.getByRole('heading', { name: 'Product shots' })).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
});

test('the links of all pictures are copied, even those that aren’t loaded', async ({ page, service, owner }) => {
  await fill(service, owner, { count: 205 });
  const clipboard = await openClipboard(page, service);
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await bar(page).getByRole('button', { name: 'Select all 205' }).click();
  await bar(page).getByRole('button', { name: 'Copy links' }).click();
  await expect(page.getByText('205 links copied')).toBeVisible();
  expect((await clipboard.readText()).split('\n')).toHaveLength(205);
  const zip = await page.getByRole('link', { name: 'Download as zip' }).getAttribute('href');
  expect(zip).toMatch(/as_of=/);
});
