import type { Page } from 'playwright/test';
import { updateImage } from '#api/images/changes.ts';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
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
async function _opens(page: Page, name: string) {
  await shows(page, name);
  await expect(viewerOf(page).getByRole('button', { name: 'Next picture' })).toBeVisible();
  await expect(viewerOf(page).getByRole('img', { name, exact: true }).first()).toBeVisible();
}

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
