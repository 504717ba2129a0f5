import type { Page } from 'playwright/test';
import { createAlbum, listAlbums } from '#api/albums/albums.ts';
import { batchImages } from '#api/images/changes.ts';
import { countImages } from '#api/images/images.ts';
import { listTrash } from '#api/images/trash.ts';
import { audit } from '#test/e2e/axe.ts';
import { expectNoFaults } from '#test/e2e/layout.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { PHONE } from '#test/helpers/screen/screens.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** More than the page loads at once. */
const MANY = 320;

/** Many pictures with the same bytes, quickly. */
async function fill(service: TestService, owner: AddedUser, each: (index: number) => object = () => ({})) {
  const photo = await photoJpeg({ seed: 1, width: 90, height: 60 });
  const { sha256, size } = await uploadImage(service, await owner.token('upload'), photo, {}, 'first.jpg');
  const start = Date.now() - 60_000;
  const keys = await withDatabase(service, async (db) => {
    const rows = await addImageRows(db, owner.id, MANY - 1, (index) => ({
      ...{ sha256, size, name: `${index}.jpg`, created_at: start - index },
      ...each(index),
    }));
    await db.as('job').write((queries) => queries.updateTable('users').set({ image_count: MANY }).where('id', '=', owner.id).execute());
    return rows;
  });
  return keys;
}

/** Thumbnails of pictures that are deleted while they load would be missing. */
const thumbnailsLoaded = (page: Page) =>
  expect
    .poll(() =>
      tiles(page)
        .locator('img')
        .evaluateAll((all: HTMLImageElement[]) => all.every((image) => image.naturalWidth > 0)),
    )
    .toBe(true);
const selected = (page: Page) => page.locator('main header').getByRole('status');
const inTrash = async (owner: SignedIn) => (await owner.client.call(countImages, { query: { trash: 'true' } })).count;
const remaining = async (owner: SignedIn) => (await owner.client.call(countImages, { query: {} })).count;
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the trash shows, previews, restores and permanently deletes pictures by mouse and keyboard', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const token = await owner.token('upload');
  const keys: string[] = [];
  for (const seed of [1, 2, 3, 4, 5, 6])
    keys.push((await uploadImage(service, token, await photoJpeg({ seed, width: 160, height: 120 }), {}, `${seed}.jpg`)).key);
  for (const key of keys) await owner.client.call(batchImages, { body: { action: 'trash', keys: [key] } });
  const left = async () => (await owner.client.call(listTrash, { query: {} })).items.map(({ name }) => name);

  await page.goto('/');
  await page.getByRole('link', { name: 'Trash' }).click();
  await expect(tiles(page)).toHaveCount(6);
  await expect(tiles(page).first()).toHaveAccessibleName('Open 6.jpg, 30 days left');
  const width = (image: Page | ReturnType<Page['locator']>) =>
    image
      .locator('img')
      .first()
      .evaluate((element: HTMLImageElement) => element.naturalWidth);
  await expect.poll(() => width(tiles(page).first())).toBeGreaterThan(0);
  await expect(page.getByRole('region', { name: 'Recently deleted' })).toHaveCount(0);
  expect(await audit(page)).toEqual([]);

  // The viewer, from where pictures are restored and deleted.
  await tiles(page).nth(1).click();
  const viewer = page.getByRole('dialog', { name: /\.jpg$/ });
  await expect(viewer.getByRole('heading', { name: '5.jpg' })).toBeVisible();
  await expect.poll(() => width(viewer.locator('.yarl__slide_current'))).toBe(160);
  expect(await audit(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect(viewer.getByRole('heading', { name: '4.jpg' })).toBeVisible();
  await page.reload();
  await expect(viewer.getByRole('heading', { name: '4.jpg' })).toBeVisible();
  await viewer.getByRole('button', { name: 'Restore' }).click();
  await expect(viewer.getByRole('heading', { name: '3.jpg' })).toBeVisible();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: 'Permanently delete this picture?' }).getByRole('button', { name: 'Delete permanently' }).click();
  await expect(viewer.getByRole('heading', { name: '2.jpg' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(tiles(page)).toHaveCount(4);

  // The grid's keys.
  const screen = page.viewportSize() ?? PHONE;
  await page.setViewportSize(PHONE);
  await expectNoFaults(page, 'the trash on a phone');
  await page.setViewportSize(screen);
  await page.keyboard.press('Control+a');
  await expect(selected(page)).toHaveText('4 selected');
  expect(await audit(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await tiles(page).first().focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(selected(page)).toHaveText('2 selected');
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: 'Permanently delete 2 pictures?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  expect(await left()).toEqual(['6.jpg', '5.jpg', '2.jpg', '1.jpg']);
  await page.keyboard.press('Delete');
  await question.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(tiles(page)).toHaveCount(2);
  await page.getByRole('checkbox', { name: 'Select 2.jpg' }).click();
  await button(page, 'Restore').click();
  await expect(tiles(page)).toHaveCount(1);
  await button(page, 'Empty trash').click();
  await page.getByRole('dialog', { name: 'Empty the trash?' }).getByRole('button', { name: 'Empty trash' }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  expect(await left()).toEqual([]);

  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(tiles(page)).toHaveCount(2);
});

test('many pictures are deleted after a question, and restored as a whole after a reload', async ({ page, service, owner }) => {
  await fill(service, owner);
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await button(page, `Select all ${MANY}`).click();
  await expect(selected(page)).toHaveText(`${MANY} selected`);
  await page.keyboard.press('Delete');
  await thumbnailsLoaded(page);
  const question = page.getByRole('dialog', { name: `Delete ${MANY} pictures?` });
  await expect(question).toContainText('for 30 days');
  expect(await audit(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(selected(page)).toHaveText(`${MANY} selected`);
  expect(await remaining(owner)).toBe(MANY);
  await page.keyboard.press('Delete');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`${MANY} pictures deleted`)).toBeVisible();
  expect(await inTrash(owner)).toBe(MANY);

  await page.reload();
  await page.getByRole('link', { name: 'Trash' }).click();
  const deletions = page.getByRole('region', { name: 'Recently deleted' });
  await expect(deletions.getByRole('listitem')).toHaveCount(1);
  await expect(deletions).toContainText(`${MANY} pictures`);
  expect(await audit(page)).toEqual([]);
  await deletions.getByRole('button', { name: `Restore ${MANY} pictures` }).click();
  await expect(page.getByText(`${MANY} pictures restored`)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await expect(deletions).toHaveCount(0);
  expect([await remaining(owner), await inTrash(owner)]).toEqual([MANY, 0]);
  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(page.getByText(`${MANY} pictures`, { exact: true })).toBeVisible();
});

test('up to fifty pictures are deleted without a question, and a selection of several requests is one deletion', async ({
  page,
  service,
  owner,
  complaints,
}) => {
  const midnight = new Date().setHours(0, 0, 0, 0);
  await fill(service, owner, (index) => ({
    created_at: index < 49 ? midnight + index : midnight - 1 - index - (index < 54 ? 0 : 86_400_000),
  }));
  await page.goto('/');
  await page.getByRole('checkbox', { name: 'Select all: Today' }).click();
  await expect(selected(page)).toHaveText('50 selected');
  await page.keyboard.press('Delete');
  await expect(page.getByText('50 pictures deleted')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await inTrash(owner)).toBe(50);
  // A day that is loaded, and one that isn't.
  await page.getByRole('checkbox', { name: 'Select all: Yesterday' }).click();
  await page
    .getByRole('checkbox', { name: /^Select all: / })
    .nth(1)
    .click();
  await expect(selected(page)).toHaveText(`${MANY - 50} selected`);
  await thumbnailsLoaded(page);
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText(`${MANY - 50} pictures deleted`)).toBeVisible();
  await page.goto('/trash');
  const deletions = page.getByRole('region', { name: 'Recently deleted' }).getByRole('listitem');
  await expect(deletions).toContainText([`${MANY - 50} pictures`, '50 pictures']);
  // A tile may ask for its thumbnail while its picture is being deleted.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain('404');
});

test('the whole trash is selected, restored and permanently deleted, whatever its size', async ({ page, service, owner }) => {
  const start = Date.now() - 3_600_000;
  await fill(service, owner, (index) => ({
    deleted_at: start - index,
    ...(index === 5 && { expires_at: start, trash_reason: 'expired' }),
  }));
  await page.goto('/trash');
  await expect(page.getByText(`${MANY - 1} pictures`, { exact: true })).toBeVisible();
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await expect(selected(page)).toHaveText('200 selected');
  await button(page, `Select all ${MANY - 1}`).click();
  await expect(selected(page)).toHaveText(`${MANY - 1} selected`);
  for (const name of ['0.jpg', '1.jpg']) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
  await expect(selected(page)).toHaveText(`${MANY - 3} selected`);
  await button(page, 'Restore').click();
  // One has expired.
  const asked = page.getByRole('dialog', { name: `Restore ${MANY - 3} pictures?` });
  await expect(asked).toContainText('1 of them has expired');
  await asked.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText(`${MANY - 3} pictures restored`)).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
  expect([await remaining(owner), await inTrash(owner)]).toEqual([MANY - 2, 2]);
  await button(page, 'Restore all').click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  expect(await remaining(owner)).toBe(MANY);

  // The page would still read what was restored.
  await page.goto('about:blank');
  await owner.client.call(batchImages, { body: { action: 'trash', query: {} } });
  await page.goto('/trash');
  await expect(tiles(page).first()).toBeVisible();
  const kept = (await tiles(page).first().getAttribute('aria-label')) ?? '';
  await page.keyboard.press('Control+a');
  await button(page, `Select all ${MANY}`).click();
  await tiles(page).first().click();
  await page.keyboard.press('Delete');
  const question = page.getByRole('dialog', { name: `Permanently delete ${MANY - 1} pictures?` });
  await question.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByText(`${MANY - 1} pictures permanently deleted`)).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveAccessibleName(kept);
});

test('moving many pictures says which albums they leave, and asks first', async ({ page, service, owner }) => {
  const make = async (name: string, visibility: 'public' | 'private') =>
    (await owner.client.call(createAlbum, { body: { name, visibility } })).id;
  const [harbour, trip] = [await make('Harbour', 'public'), await make('Trip', 'private')];
  await make('Target', 'private');
  await fill(service, owner, (index) => ({ album_id: index < 100 ? harbour : index < 103 ? trip : null }));
  await page.goto('/');
  await expect(tiles(page).first()).toBeVisible();
  await page.keyboard.press('Control+a');
  await button(page, `Select all ${MANY}`).click();
  await page.getByRole('checkbox', { name: 'Select 3.jpg', exact: true }).click();
  const move = async (album: string) => {
    await button(page, 'Add to album').click();
    await button(page, 'Move to another album…').click();
    await page.getByRole('list', { name: 'Albums' }).getByRole('button', { name: album }).click();
  };
  await move('Target');
  const question = page.getByRole('dialog', { name: `Move ${MANY - 1} pictures to Target?` });
  await expect(question).toContainText('Pictures leave these albums');
  await expect(question.getByRole('listitem')).toHaveText(['Harbour (public): 99 pictures', 'Trip: 3 pictures']);
  expect(await audit(page)).toEqual([]);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  const sizes = async () =>
    Object.fromEntries((await owner.client.call(listAlbums, { query: {} })).items.map(({ name, image_count }) => [name, image_count]));
  expect(await sizes()).toEqual({ Harbour: 100, Trip: 3, Target: 0 });
  await move('Target');
  await question.getByRole('button', { name: 'Move' }).click();
  await expect(page.getByText(`${MANY - 1} pictures moved to Target`)).toBeVisible();
  expect(await sizes()).toEqual({ Harbour: 1, Trip: 0, Target: MANY - 1 });
  await page.keyboard.press('Control+z');
  await expect(page.getByText(`Changes to ${MANY - 1} pictures undone`)).toBeVisible();
  expect(await sizes()).toEqual({ Harbour: 100, Trip: 3, Target: 0 });
});

test('Ctrl+Z after restoring deletes again, and says when it can’t', async ({ page, service, owner }) => {
  const { key } = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1 }), {}, 'boat.jpg');
  await page.goto('/');
  await page.getByRole('link', { name: /^Open boat\.jpg/ }).focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('Picture deleted')).toBeVisible();
  await page.getByRole('link', { name: 'Trash' }).click();
  const restore = async () => {
    await page.getByRole('link', { name: /^Open boat\.jpg/ }).focus();
    await page.keyboard.press('Space');
    await button(page, 'Restore').first().click();
    await expect(page.getByText('Picture restored')).toBeVisible();
  };
  await restore();
  await page.keyboard.press('Control+z');
  await expect.poll(() => inTrash(owner)).toBe(1);
  await expect(tiles(page)).toHaveCount(1);
  expect((await owner.client.call(listTrash, { query: {} })).items[0]?.key).toBe(key);
  await expect(page.getByText('Picture restored')).toBeHidden();
  await button(page, 'Restore all').click();
  await expect(page.getByText('Picture restored')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Restoring these can’t be undone. You can delete them again.')).toBeVisible();
});
