import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { createAlbum, listAlbums } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { dropFiles, expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Uploads' });
const jpeg = async (name: string, seed: number) => ({ name, mimeType: 'image/jpeg', buffer: await photoJpeg({ seed }) });
/** Runs in the page. */
const isPlaceholderCut = (field: HTMLElement) => {
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  context.font = getComputedStyle(field).font;
  return context.measureText((field as HTMLInputElement).placeholder).width > field.clientWidth;
};
const moreWays = async (page: Page, entry: string) => {
  await page.getByRole('button', { name: 'More ways to upload' }).first().click();
  await page.getByRole('menuitem', { name: entry }).click();
};

test('a batch gets its options before it begins; they can be kept, and asked for each time', async ({ page, owner }) => {
  const family = await owner.client.call(createAlbum, { body: { name: 'Family' } });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await moreWays(page, 'With options…');
  await (await chooser).setFiles([await jpeg('one.jpg', 1), await jpeg('two.jpg', 2)]);
  const dialog = page.getByRole('dialog', { name: 'Upload 2 pictures' });
  await expect(dialog).toContainText('one.jpg, two.jpg');
  await expect(panel(page)).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'Albums' }).click();
  await page.getByRole('option', { name: 'New album…' }).click();
  await page.getByRole('option', { name: 'Family' }).click();
  await page.keyboard.press('Tab');
  await dialog.getByLabel('Name').fill('Coast');
  await dialog.getByText('Only you').click();
  await dialog.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'After 7 days' }).click();
  await dialog.getByRole('textbox', { name: 'View limit' }).fill('5');
  await dialog.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  const tags = dialog.getByLabel('Tags');
  expect(await tags.evaluate(isPlaceholderCut)).toBe(false);
  await tags.fill('sea');
  await dialog.getByLabel('Use these options for all uploads in this browser').check();
  await checkPage(page, 'upload options');
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  const { items: albums } = await owner.client.call(listAlbums, { query: {} });
  const { items } = await owner.client.call(listImages, { query: {} });
  expect(albums).toMatchObject([
    { name: 'Coast', image_count: 2 },
    { name: 'Family', image_count: 2 },
  ]);
  const expected = { albums: [albums[0]?.id, family.id], visibility: 'private', max_views: 5, has_password: true, tags: ['sea'] };
  expect(items).toMatchObject([expected, expected]);
  expect(Date.parse(items[0]?.expires_at ?? '') - Date.now()).toBeGreaterThan(6 * 86_400_000);

  // From now on one click is enough, and the password isn't kept.
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([await jpeg('three.jpg', 3)]);
  await expect(panel(page).getByRole('status')).toHaveText('3 pictures uploaded');
  const [third] = (await owner.client.call(listImages, { query: {} })).items;
  expect(third).toMatchObject({ ...expected, name: 'three.jpg', has_password: false });
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('open sesame');

  await page.getByRole('link', { name: 'Settings' }).first().click();
  await page.getByRole('link', { name: 'Uploads' }).click();
  await expect(page.getByText('Only you · Coast, Family · After 7 days · 5 views · sea')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Ask before each upload').locator('xpath=ancestor::section').getByRole('switch').click({ force: true });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([await jpeg('four.jpg', 4)]);
  await page.getByRole('dialog', { name: 'Upload 1 picture' }).getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('4 pictures uploaded');
  const [fourth] = (await owner.client.call(listImages, { query: {} })).items;
  expect(fourth).toMatchObject({ name: 'four.jpg', album_id: null, visibility: 'public', expires_at: null, tags: [] });
});

test('dropped and chosen folders become albums when asked', async ({ page, owner }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-drop-'));
  const holiday = join(folder, 'Holiday');
  await mkdir(join(holiday, 'Beach'), { recursive: true });
  await writeFile(join(holiday, 'a.jpg'), await photoJpeg({ seed: 21 }));
  await writeFile(join(holiday, 'Beach', 'b.jpg'), await photoJpeg({ seed: 22 }));
  await writeFile(join(holiday, 'notes.txt'), 'no picture');
  await page.goto('/albums');
  await expect(page.getByRole('heading', { name: 'Albums', exact: true })).toBeVisible();
  const albums = async () => {
    const { items } = await owner.client.call(listAlbums, { query: {} });
    return Object.fromEntries(items.map(({ name, image_count }) => [name, image_count]));
  };

  const zone = page.getByText('Drop here to choose options first');
  const isShown = () => expect(zone).toBeVisible();
  await dropFiles(page, [holiday], isShown);
  const dialog = page.getByRole('dialog', { name: 'Upload 2 pictures' });
  await expect(dialog.getByText('Create an album called “Holiday” for this folder?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByRole('status')).toHaveText('2 pictures uploaded');
  expect(await albums()).toEqual({ Holiday: 2 });
  await expect(page.getByRole('link', { name: 'Holiday, 2 pictures' })).toBeVisible();

  // The same pictures again, from the file dialog: with one album for each folder, the existing one gets them.
  const chooser = page.waitForEvent('filechooser');
  await moreWays(page, 'A folder…');
  await (await chooser).setFiles(holiday);
  await dialog.getByLabel('2 albums, one for each folder and subfolder').check();
  await expect(dialog.getByText('Holiday, Holiday / Beach')).toBeVisible();
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(panel(page).getByText('4 files')).toHaveCount(0);
  await expect.poll(albums).toEqual({ Holiday: 2, 'Holiday / Beach': 1 });

  // Dropped on the zone for options, even a single file waits for them.
  await dropFiles(page, [join(holiday, 'a.jpg')], isShown, async () => {
    const { x = 0, y = 0 } = (await zone.boundingBox()) ?? {};
    return { x: x + 50, y: y + 30 };
  });
  await expect(page.getByRole('dialog', { name: 'Upload 1 picture' }).getByLabel('Tags')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await rm(folder, { recursive: true });
});
