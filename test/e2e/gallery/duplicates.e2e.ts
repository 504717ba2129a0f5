import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { changeAlbum, createAlbum, getAlbum } from '#api/albums/albums.ts';
import { updateImage } from '#api/images/changes.ts';
import { listDuplicates } from '#api/images/duplicates.ts';
import { listImages } from '#api/images/images.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test } from '#test/e2e/web.ts';
import { scene } from '#test/helpers/pictures/scene.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

// Pictures are compared once their thumbnails are made, which are there already for the files of another test.
test.use({ ownService: true });

/** A picture that is stored twice, two that look alike, and one that is alone. */
async function fill(service: TestService, owner: SignedIn) {
  const token = await owner.token('upload');
  const [boat, sea, hill] = [await scene(1), await scene(2), await scene(3)];
  const files: [string, Buffer, Record<string, string>?][] = [
    ['boat.jpg', boat],
    ['boat again.jpg', boat, { expires_in: '86400' }],
    ['sea.jpg', sea],
    ['sea small.jpg', await sharp(sea).resize(300).jpeg({ quality: 60 }).toBuffer()],
    ['hill.jpg', hill],
  ];
  const images = [];
  for (const [name, file, fields = {}] of files) images.push(await uploadImage(service, token, file, fields, name));
  // Images are compared once their files have a thumbnail.
  for (const { key } of images) await (await owner.fetch(`/t/${key}.jpg`)).arrayBuffer();
  await expect.poll(async () => (await owner.client.call(listDuplicates, { query: {} })).waiting).toBe(0);
}

const group = (page: Page, name: string) => page.getByRole('region', { name });
const names = async (owner: SignedIn) => (await owner.client.call(listImages, { query: {} })).items.map(({ name }) => name).sort();

test('duplicates are reviewed with the keyboard: of identical files, the best is kept; nothing that only looks alike is marked', async ({
  page,
  service,
  owner,
}) => {
  await fill(service, owner);
  await page.goto('/');
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  const alike = group(page, '2 pictures that look alike');
  await expect(alike.getByRole('button', { name: 'Keep sea.jpg', pressed: true })).toBeVisible();
  await expect(alike.getByRole('button', { name: 'Keep sea small.jpg', pressed: true })).toBeVisible();
  await expect(alike.getByRole('button', { name: 'Delete 0, keep the rest' })).toBeDisabled();
  await expect(group(page, '2 identical files').getByRole('button', { name: /^Keep boat/, pressed: false })).toHaveCount(1);
  await checkPage(page, 'duplicates');
  await alike.getByRole('button', { name: 'Keep sea.jpg' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(alike.getByRole('button', { name: 'Keep sea small.jpg' })).toBeFocused();
  // With both kept, there is nothing to delete.
  await page.keyboard.press('Enter');
  await expect(alike).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Picture deleted')).toBeVisible();
  await expect(alike).toHaveCount(0);
  await expect(
    group(page, '2 identical files')
      .getByRole('button', { name: /^Keep boat/ })
      .first(),
  ).toBeFocused();
  await expect.poll(() => names(owner)).toEqual(['boat again.jpg', 'boat.jpg', 'hill.jpg', 'sea small.jpg']);
  await page.keyboard.press('Control+z');
  await expect(alike).toBeVisible();
  expect(await names(owner)).toContain('sea.jpg');
});

test('pictures that are different are not listed again, unless that is undone', async ({ page, service, owner }) => {
  await fill(service, owner);
  await page.goto('/duplicates');
  const exact = group(page, '2 identical files');
  const alike = group(page, '2 pictures that look alike');
  const reported = page.getByText('These pictures are no longer listed as duplicates');
  await alike.getByRole('button', { name: 'They’re different' }).click();
  await expect(alike).toHaveCount(0);
  await expect(reported).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(alike).toBeVisible();
  await expect(reported).toHaveCount(0);
  await alike.getByRole('button', { name: 'Keep sea.jpg' }).focus();
  await page.keyboard.press('d');
  await expect(alike).toHaveCount(0);
  await expect(reported).toBeVisible();
  await page.reload();
  await expect(exact).toBeVisible();
  await expect(alike).toHaveCount(0);
  await expect(exact.getByRole('button', { name: 'They’re different' })).toHaveCount(0);
  await expect(exact.getByRole('button', { name: 'Keep both' })).toBeVisible();
  await exact.getByRole('button', { name: 'Delete 1, keep the rest' }).click();
  await expect(page.getByRole('heading', { name: 'No duplicates' })).toBeVisible();
  await expect(page.getByText('Picture deleted')).toBeVisible();
  await page.goto('/trash');
  await expect(page.getByRole('link', { name: /^Open boat/ })).toHaveCount(1);
});

test('the copy in use is kept, and one that is deleted leaves its place in an album to the kept one', async ({ page, service, owner }) => {
  await fill(service, owner);
  const { items } = await owner.client.call(listImages, { query: {} });
  const keyOf = (name: string) => items.find((image) => image.name === name)?.key as string;
  const album = await owner.client.call(createAlbum, { body: { name: 'Holiday', visibility: 'public' } });
  await owner.client.call(updateImage, { params: { key: keyOf('sea small.jpg') }, body: { title: 'The sea', albums: [album.id] } });
  await owner.client.call(changeAlbum, { params: { id: album.id }, body: { cover_key: keyOf('sea small.jpg') } });
  const inAlbum = async () => (await owner.client.call(listImages, { query: { album_id: album.id } })).items.map(({ name }) => name);
  await page.goto('/duplicates');
  const alike = group(page, '2 pictures that look alike');
  await alike.getByRole('button', { name: 'Mark all but the best' }).click();
  await expect(alike.getByRole('button', { name: 'Keep sea.jpg', pressed: false })).toBeVisible();
  await expect(alike.getByRole('button', { name: 'Keep sea small.jpg', pressed: true })).toBeVisible();
  for (const fact of ['In Holiday', 'Cover of Holiday', '“The sea”']) await expect(alike.getByText(fact)).toBeVisible();
  await expect(alike.getByRole('checkbox')).toHaveCount(0);
  await alike.getByRole('button', { name: 'Keep sea.jpg' }).click();
  await alike.getByRole('button', { name: 'Keep sea small.jpg' }).click();
  await expect(alike.getByRole('checkbox', { name: 'The kept picture takes its place in Holiday' })).toBeChecked();
  await checkPage(page, 'duplicates with a place in an album');
  await alike.getByRole('button', { name: 'Delete 1, keep the rest' }).click();
  await expect(page.getByText('Picture deleted')).toBeVisible();
  await expect.poll(inAlbum).toEqual(['sea.jpg']);
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Picture restored')).toBeVisible();
  await expect.poll(inAlbum).toEqual(['sea small.jpg']);
  expect(await owner.client.call(getAlbum, { params: { id: album.id } })).toMatchObject({ cover_key: keyOf('sea small.jpg') });
});
