import type { Page } from 'playwright/test';
import { createAlbum, listAlbums } from '#api/albums/albums.ts';
import { getImage, listImages } from '#api/images/images.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const bar = (page: Page) => page.locator('main header');

test('pictures are added to an album, shown in several by the viewer, and removed from one without being deleted', async ({
  page,
  service,
  owner,
}) => {
  const token = await owner.token('upload');
  const album = async (name: string) => (await owner.client.call(createAlbum, { body: { name } })).id;
  const [trip, family] = [await album('Trip'), await album('Family')];
  const keys: Record<string, string> = {};
  for (const [index, name] of ['boat', 'dog', 'sea'].entries())
    keys[name] = (
      await uploadImage(service, token, await photoJpeg({ seed: index + 1 }), index === 0 ? { album_id: trip } : {}, `${name}.jpg`)
    ).key;
  const albumsOf = async (name: string) => new Set((await owner.client.call(getImage, { params: { key: keys[name] ?? '' } })).albums);

  await page.goto(`/albums/${trip}`);
  await expect(tiles(page)).toHaveCount(1);
  await page.getByRole('link', { name: 'Add pictures' }).click();
  await expect(page.getByRole('heading', { name: 'Add to Trip' })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: 'Select pictures to add' })).toBeDisabled();
  await expect(page.getByRole('link', { name: /^boat\.jpg, already in the album$/i })).toBeVisible();
  // A press chooses a picture instead of opening it.
  await page.getByRole('link', { name: 'sea.jpg' }).click();
  await page.getByRole('link', { name: 'dog.jpg' }).click();
  await page.keyboard.press('Delete');
  await checkPage(page, 'pictures to add');
  await bar(page).getByRole('button', { name: 'Add 2 pictures' }).click();
  await expect(page.getByText('2 pictures added to Trip')).toBeVisible();
  await expect(tiles(page)).toHaveCount(3);

  await page.getByRole('link', { name: /^Open dog\.jpg/ }).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  const field = details.getByRole('combobox', { name: 'Albums' });
  await field.fill('fam');
  await page.getByRole('option', { name: 'Family' }).click();
  await expect.poll(() => albumsOf('dog')).toEqual(new Set([trip, family]));
  await field.fill('Best of');
  await page.getByRole('option', { name: 'Create “Best of”' }).click();
  await expect(details.getByText('Best of', { exact: true })).toBeVisible();
  await expect.poll(async () => (await albumsOf('dog')).size).toBe(3);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0);

  await page.getByRole('checkbox', { name: 'Select dog.jpg' }).click();
  await page.getByRole('checkbox', { name: 'Select sea.jpg' }).click();
  await bar(page).getByRole('button', { name: 'Remove from album' }).click();
  await expect(page.getByText('2 pictures removed from Trip')).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  expect([await albumsOf('dog'), await albumsOf('sea')].map(({ size }) => size)).toEqual([2, 0]);
  await page.keyboard.press('Control+z');
  await expect(tiles(page)).toHaveCount(3);
  const counts = (await owner.client.call(listAlbums, { query: {} })).items.map(({ name, image_count }) => [name, image_count]);
  expect(Object.fromEntries(counts)).toEqual({ Trip: 3, Family: 1, 'Best of': 1 });
});

test('an album is arranged by dragging and by keyboard, and shown so to its visitors', async ({ page, service, owner }) => {
  const token = await owner.token('upload');
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Trip', visibility: 'public' } });
  for (const seed of [1, 2, 3, 4]) await uploadImage(service, token, await photoJpeg({ seed }), { album_id: id }, `${seed}.jpg`);
  const order = async () =>
    (await owner.client.call(listImages, { query: { album_id: id, sort: 'album_order' } })).items
      .map(({ name }) => name.slice(0, 1))
      .join('');
  const shown = async () =>
    (await tiles(page).evaluateAll((all) => all.map((tile) => tile.getAttribute('aria-label'))))
      .map((label) => /\d/.exec(label ?? '')?.[0])
      .join('');
  await page.goto(`/albums/${id}`);
  await expect.poll(shown).toBe('4321');
  const more = page.getByRole('button', { name: 'More actions for Trip' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Arrange pictures' }).click();
  await checkPage(page, 'arranging');
  await tiles(page)
    .nth(3)
    .dragTo(tiles(page).nth(0), { targetPosition: { x: 5, y: 60 } });
  await expect.poll(shown).toBe('1432');
  await expect.poll(order).toBe('1432');
  const reported = (text: string) => page.getByRole('alert').filter({ hasText: text });
  const undo = reported('1.jpg is now 1 of 4').getByRole('button', { name: 'Undo' });
  // With the focus in it, the message stays.
  await undo.focus();
  await checkPage(page, 'arranged');
  await undo.click();
  await expect.poll(shown).toBe('4321');
  await tiles(page)
    .nth(3)
    .dragTo(tiles(page).nth(0), { targetPosition: { x: 5, y: 60 } });
  await expect.poll(order).toBe('1432');
  await tiles(page).nth(1).focus();
  await page.keyboard.press('Alt+ArrowRight');
  await page.keyboard.press('Alt+ArrowRight');
  await expect.poll(shown).toBe('1324');
  await expect.poll(order).toBe('1324');
  await expect(tiles(page).nth(3)).toBeFocused();
  await expect(reported('4.jpg is now 4 of 4')).toBeVisible();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(order).toBe('1342');
  // Ctrl+Z undoes what has been reported.
  await expect(reported('4.jpg is now 3 of 4')).toBeVisible();
  await expect(page.getByText('2.jpg is now 4 of 4').filter({ visible: true })).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect.poll(order).toBe('1324');
  await expect.poll(shown).toBe('1324');
  await tiles(page).nth(3).focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect.poll(order).toBe('1342');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect.poll(shown).toBe('1342');
  await page.goto(`/a/${id}`);
  await expect(page.getByRole('link', { name: /^Open \d/ }).first()).toHaveAccessibleName(/1\.jpg/);
  await page.goto(`/albums/${id}`);
  await expect.poll(shown).toBe('1342');
  await more.click();
  await page.getByRole('menuitem', { name: 'Show newest first again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Newest first' }).click();
  await expect.poll(shown).toBe('4321');
});
