import type { Page } from 'playwright/test';
import { batchImages } from '#api/images/changes.ts';
import { listTrash } from '#api/images/trash.ts';
import { audit } from '#test/e2e/axe.ts';
import { expectNoFaults } from '#test/e2e/layout.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { PHONE } from '#test/helpers/screen/screens.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const selected = (page: Page) => page.locator('main header').getByRole('status');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('the trash shows, previews, restores and permanently deletes pictures by mouse and keyboard', async ({ page, service, owner }) => {
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
  // While the question closes, Escape would be for it.
  await expect(page.getByRole('dialog')).toHaveCount(1);
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
