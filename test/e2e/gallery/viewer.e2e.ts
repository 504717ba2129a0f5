import type { Page } from 'playwright/test';
import { createAlbum } from '#api/albums/albums.ts';
import { getProfile } from '#api/auth/user.ts';
import { updateImage } from '#api/images/changes.ts';
import type { Image } from '#api/images/images.ts';
import { expect, forgetSession, test } from '#test/e2e/web.ts';
import { photoJpeg, png } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** Uploads pictures named 1.jpg to n.jpg one by one, so that n comes first in the timeline. */
async function fill(service: TestService, owner: SignedIn, count: number, fields: Record<string, string> = {}) {
  const token = await owner.token('upload');
  const images = [];
  for (let seed = 1; seed <= count; seed += 1)
    images.push(await uploadImage(service, token, await photoJpeg({ seed }), fields, `${seed}.jpg`));
  return images;
}

const viewerOf = (page: Page) => page.getByRole('dialog');
const shows = (page: Page, name: string) => expect(viewerOf(page).getByRole('heading', { name, exact: true })).toBeVisible();

/** The viewer shows its text before its stage, which handles the arrow keys. */
async function opens(page: Page, name: string) {
  await shows(page, name);
  await expect(viewerOf(page).getByRole('button', { name: 'Next picture' })).toBeVisible();
  await expect(viewerOf(page).getByRole('img', { name, exact: true }).first()).toBeVisible();
}

test('arrow keys change the picture wherever the focus is, except in a field', async ({ page, service, owner }) => {
  const images = await fill(service, owner, 4);
  await page.goto('/');
  await page.getByRole('link', { name: /^Open 4\.jpg/ }).click();
  await opens(page, '4.jpg');
  await page.keyboard.press('ArrowRight');
  await shows(page, '3.jpg');
  await expect(page).toHaveURL(`/?picture=${images[2]?.key}`);
  await viewerOf(page).getByRole('button', { name: 'Favourite' }).focus();
  await page.keyboard.press('ArrowRight');
  await shows(page, '2.jpg');
  await viewerOf(page).getByRole('button', { name: 'Next picture' }).click();
  await shows(page, '1.jpg');
  await page.keyboard.press('ArrowLeft');
  await shows(page, '2.jpg');
  await viewerOf(page).getByLabel('File').focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowLeft');
  await shows(page, '3.jpg');
});

test('arrow keys change the picture in a public album immediately', async ({ page, service, owner }) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Trip', visibility: 'public' } });
  await fill(service, owner, 2, { album_id: album.id });
  await forgetSession(page);
  await page.goto(`/a/${album.id}`);
  await page.getByRole('link', { name: 'Open 2.jpg' }).click();
  await opens(page, '2.jpg');
  await page.keyboard.press('ArrowRight');
  await shows(page, '1.jpg');
});

test('Escape first reverts a field, then closes the viewer', async ({ page, service, owner }) => {
  const [image] = await fill(service, owner, 1);
  const viewer = viewerOf(page);
  await page.goto(`/?picture=${image?.key}`);
  await viewer.getByLabel('File').fill('never.jpg');
  await page.keyboard.press('Escape');
  await expect(viewer.getByLabel('File')).toHaveValue('1.jpg');
  await viewer.getByLabel('Tags').fill('never');
  await page.keyboard.press('Escape');
  await expect(viewer.getByLabel('Tags')).toHaveValue('');
  await viewer.getByLabel('View limit').fill('7');
  await page.keyboard.press('Escape');
  await expect(viewer.getByLabel('View limit')).toHaveValue('');
  await viewer.getByRole('button', { name: 'Set password' }).click();
  await viewer.getByLabel('Password', { exact: true }).fill('half of it');
  await page.keyboard.press('Escape');
  await expect(viewer.getByLabel('Password', { exact: true })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  const { data } = (await (await owner.fetch(`/api/v1/images/${image?.key}`)).json()) as { data: Image };
  expect(data).toMatchObject({ name: '1.jpg', tags: [], max_views: 0, has_password: false });
});

test('a link to an older picture opens it among its neighbours with the total count', async ({ page, service, owner }) => {
  const { id } = await owner.client.call(getProfile, {});
  const [oldest] = await withDatabase(service, (db) =>
    addImageRows(db, id, 450, (index) => ({ name: `${index}.jpg`, created_at: Date.UTC(2024, 0, 1) + index, taken_at: 0 })),
  );
  await withDatabase(service, (db) => db.as('job').write((queries) => queries.updateTable('users').set({ image_count: 450 }).execute()));
  const body = await png({ width: 30, height: 20 });
  await page.route(/\/[it]\/\w{12}/, (route) => route.fulfill({ contentType: 'image/png', body }));
  await page.goto(`/?picture=${oldest}`);
  await shows(page, '0.jpg');
  // Until its neighbours are there, the carousel has the picture on both sides, too.
  await expect(viewerOf(page).getByLabel('450 of 450').first()).toBeAttached();
  await expect(viewerOf(page).getByLabel('449 of 450')).toBeAttached();
  await page.keyboard.press('ArrowLeft');
  await shows(page, '1.jpg');
  await page.goto('/');
  await page.getByRole('link', { name: /^Open 449\.jpg/ }).click();
  await expect(viewerOf(page).getByLabel('1 of 450')).toBeAttached();
});

test('a used-up view limit is reported, can be raised, and offers no thumbnail', async ({ page, service, owner }) => {
  const [image] = await fill(service, owner, 1);
  if (!image) throw new Error('nothing uploaded');
  const look = () => fetch(image.links.url).then(({ status }) => status);
  expect(await look()).toBe(200);
  await owner.client.call(updateImage, { params: { key: image.key }, body: { max_views: 1 } });
  expect([await look(), await look()]).toEqual([200, 410]);
  const viewer = viewerOf(page);
  await page.goto(`/?picture=${image.key}`);
  await expect(viewer.getByRole('note')).toContainText('No views left');
  await expect(viewer.getByText('Thumbnail')).toHaveCount(0);
  await expect(viewer.getByText('1 of 1 used')).toBeVisible();
  await expect(viewer.getByText('2 views in the last 30 days (including views before the limit was set)')).toBeVisible();
  await viewer.getByRole('button', { name: 'Allow 1 more' }).click();
  await expect(viewer.getByText('1 view left')).toBeVisible();
  expect(await look()).toBe(200);
  await viewer.getByText('Only you', { exact: true }).click();
  await expect(viewer.getByRole('note')).toHaveText(/Only you can open these links/);
});

test('a link to a picture that was deleted leads to the trash', async ({ page, service, owner, complaints }) => {
  const [image] = await fill(service, owner, 2);
  await owner.fetch(`/api/v1/images/${image?.key}`, { method: 'DELETE' });
  await page.goto(`/?picture=${image?.key}`);
  await expect(viewerOf(page)).toContainText('Pictures in your trash are kept for 30 days');
  await viewerOf(page).getByRole('link', { name: 'Open trash' }).click();
  await expect(page.getByRole('link', { name: /^Open 1\.jpg/ })).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
});
