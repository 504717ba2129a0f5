import type { Page } from 'playwright/test';
import { listAlbums } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** Uploads pictures with these names one by one, so that the last comes first. */
async function fill(service: TestService, owner: SignedIn, names: readonly string[], fields: Record<string, string> = {}) {
  const token = await owner.token('upload');
  const images = [];
  for (const [index, name] of names.entries())
    images.push(await uploadImage(service, token, await photoJpeg({ seed: index + 1, width: 160, height: 120 }), fields, name));
  return images;
}

const check = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click();

test('deleting any number takes one request, and Undo restores everything with its links', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const images = await fill(service, owner, ['a.jpg', 'b.jpg', 'c.jpg']);
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(3);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await check(page, 'a.jpg');
  await check(page, 'c.jpg');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('2 pictures deleted')).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  expect(sent).toEqual(['POST /api/v1/images/batch']);
  expect((await fetch(images[0]?.links.url ?? '')).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tiles(page)).toHaveCount(3);
  await expect(tiles(page).first()).toHaveAccessibleName(/c\.jpg/);
  await expect.poll(async () => (await fetch(images[0]?.links.url ?? '')).status).toBe(200);
});

test('several pictures are added to a new album, get tags and become private; the zip contains them', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const images = await fill(service, owner, ['a.jpg', 'b.jpg', 'c.jpg']);
  await page.goto('/');
  await check(page, 'a.jpg');
  await check(page, 'b.jpg');
  await page.getByRole('button', { name: 'Add to album' }).click();
  await page.getByRole('textbox', { name: 'Add to album' }).fill('Summer');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 pictures added to Summer')).toBeVisible();
  const [album] = (await owner.client.call(listAlbums, { query: {} })).items;
  expect(album).toMatchObject({ name: 'Summer', image_count: 2 });

  await page.getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('sea');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await expect.poll(async () => (await owner.client.call(listImages, { query: { tag: 'sea' } })).items.length).toBe(2);

  await page.getByRole('button', { name: 'Who can see it' }).click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect(page.getByTitle('Only you')).toHaveCount(2);
  await expect.poll(async () => (await fetch(images[0]?.links.url ?? '')).status).toBe(404);

  const zip = await page.getByRole('link', { name: 'Download as zip' }).getAttribute('href');
  const response = await owner.fetch(zip ?? '');
  expect(response.headers.get('content-type')).toBe('application/zip');
  await response.body?.cancel();
});

test('a picture is renamed, tagged, sorted and protected in its details', async ({ page, service, owner }) => {
  const [image] = await fill(service, owner, ['photo.jpg']);
  const clipboard = await openClipboard(page, service);
  await page.goto(`/?picture=${image?.key}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByLabel('File').fill('Lighthouse.jpg');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Lighthouse.jpg' })).toBeVisible();
  await details.getByRole('combobox', { name: 'Tags' }).fill('coast');
  await page.keyboard.press('Enter');
  await details.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: '1 week' }).click();
  await details.getByRole('button', { name: 'Set expiry' }).click();
  await expect(details.getByRole('combobox', { name: 'Expires' })).toHaveValue(/^on \d/);
  await details.getByLabel('View limit').fill('3');
  await page.keyboard.press('Enter');
  await expect(details.getByText('3 views left')).toBeVisible();
  await details.getByRole('button', { name: 'Set password' }).click();
  await details.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await page.keyboard.press('Enter');
  await expect(details.getByText('Password-protected')).toBeVisible();

  const [stored] = (await owner.client.call(listImages, { query: {} })).items;
  expect(stored).toMatchObject({ name: 'Lighthouse.jpg', tags: ['coast'], max_views: 3, has_password: true });
  expect(Date.parse(stored?.expires_at ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  expect((await fetch(image?.links.url ?? '')).status).toBe(401);
  // For a view-limited picture, the share page's link is copied.
  await page.getByRole('button', { name: 'Copy links' }).click();
  expect(await clipboard.readText()).toBe(image?.links.share_url);
  await details.getByLabel('Title', { exact: true }).fill('The old lighthouse');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'The old lighthouse' })).toBeVisible();
});

test.describe('a selection', () => {
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
});
