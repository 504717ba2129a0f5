import { batchImages } from '#api/images/changes.ts';
import { listTrash } from '#api/images/trash.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('the trash lists, restores, permanently deletes after confirmation, and is emptied', async ({ page, service, owner }) => {
  const token = await owner.token('upload');
  const keys = [];
  for (const seed of [1, 2, 3, 4])
    keys.push((await uploadImage(service, token, await photoJpeg({ seed, width: 160, height: 120 }), {}, `${seed}.jpg`)).key);
  await owner.client.call(batchImages, { body: { action: 'trash', keys } });
  const left = async () => (await owner.client.call(listTrash, { query: {} })).items.length;

  await page.goto('/');
  await page.getByRole('link', { name: 'Trash' }).click();
  const list = page.getByRole('list', { name: 'Trash' });
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await expect(list.getByText('30 days left').first()).toBeVisible();
  await expect
    .poll(() =>
      list
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
  expect(await audit(page)).toEqual([]);

  await page.getByRole('button', { name: 'Restore 1.jpg' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await list.getByRole('checkbox', { name: 'Select 2.jpg' }).check();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  const question = page.getByRole('dialog', { name: 'Permanently delete this picture?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  expect(await left()).toBe(3);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await question.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(question).toHaveCount(0);
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click();
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  expect(await left()).toBe(0);

  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveAccessibleName(/1\.jpg/);
});
