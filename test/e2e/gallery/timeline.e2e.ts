import type { Page } from 'playwright/test';
import { expect, test } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { type TestService, uploadImage } from '#test/helpers/service/service.ts';

const DAY = 86_400_000;
const COUNT = 1_200;

/** A library of three years: two pictures a day, with a placeholder each. */
async function fill(service: TestService, owner: AddedUser) {
  const { sha256, size } = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1, width: 90, height: 60 }));
  await withDatabase(service, async (db) => {
    await addImageRows(db, owner.id, COUNT - 1, (index) => {
      const time = Date.UTC(2026, 9, 20, 12) - Math.floor(index / 2) * 2 * DAY - index;
      return {
        ...{ sha256, size, name: `${index}.jpg`, width: 60, height: 90 },
        ...{ created_at: time, taken_at: time, thumbhash: 'YQgGDIRviHCKdZeHeXeHd3eHd3cJ' },
      };
    });
    await db.as('job').write((queries) => queries.updateTable('users').set({ image_count: COUNT }).where('id', '=', owner.id).execute());
  });
}

const height = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

test('the timeline stays where it is when the viewer closes, and when pictures above are deleted and return', async ({
  page,
  service,
  owner,
}) => {
  await fill(service, owner);
  await page.goto('/');
  for (const name of ['0.jpg', '1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg', '6.jpg'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
  const slider = page.getByRole('slider', { name: 'Month shown' });
  await slider.focus();
  await page.keyboard.press('PageDown');
  const tile = page.getByRole('link', { name: 'Open 300.jpg' });
  await page.mouse.move(600, 500);
  await expect
    .poll(async () => {
      if (await tile.isVisible()) return true;
      await page.mouse.wheel(0, 300);
      return false;
    })
    .toBe(true);
  // In the middle, where a click needs no scrolling.
  await tile.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  const place = async () => Math.round((await tile.boundingBox())?.y ?? Number.NaN);
  const all = await height(page);
  let before = await place();
  await expect
    .poll(async () => {
      const last = before;
      before = await place();
      return before - last;
    })
    .toBe(0);
  await page.keyboard.press('Delete');
  await expect(page.getByText('7 pictures deleted')).toBeVisible();
  await expect.poll(() => height(page)).toBeLessThan(all);
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => height(page)).toBe(all);
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);

  await tile.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(tile).toBeFocused();
  expect(Math.abs((await place()) - before)).toBeLessThanOrEqual(2);
});
