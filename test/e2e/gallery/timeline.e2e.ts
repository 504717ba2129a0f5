import type { Page } from 'playwright/test';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
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
/** Tops of the headings on the screen, and how many headings have each. */
const headingTops = (page: Page) =>
  page.locator('main h2').evaluateAll((headings) => {
    const tops = headings.map((heading) => Math.round(heading.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
  });

test('one move leads to any month of a library whose height is known at once', async ({ page, service, owner }) => {
  await fill(service, owner);
  // The first thumbnails don't wait for the shape of the whole library, and stay where they are when it arrives.
  const shape = Promise.withResolvers<void>();
  await page.route('**/api/v1/images/timeline*', async (route) => {
    await shape.promise;
    await route.continue();
  });
  await page.goto('/');
  const slider = page.getByRole('slider', { name: 'Month shown' });
  await expect(tiles(page).nth(20)).toBeVisible();
  await expect(slider).toHaveCount(0);
  const places = () => tiles(page).evaluateAll((all) => all.slice(0, 20).map((tile) => JSON.stringify(tile.getBoundingClientRect())));
  const first = await places();
  shape.resolve();
  await expect(slider).toBeVisible();
  expect(await places()).toEqual(first);
  const whole = await height(page);
  expect(whole).toBeGreaterThan(20_000);
  // Days of two pictures share a row.
  await expect.poll(async () => Math.max(...(await headingTops(page)))).toBeGreaterThan(1);

  await expect(slider).toHaveAttribute('aria-valuetext', /2026$/);
  await slider.focus();
  await page.keyboard.press('End');
  await expect(slider).toHaveAttribute('aria-valuetext', 'July 2023');
  // Opaque, so that the days below don't show through.
  await expect(page.locator('header').filter({ has: page.getByRole('heading', { name: 'Pictures' }) })).toHaveCSS(
    'background-color',
    'rgb(255, 255, 255)',
  );
  await expect(page.getByRole('link', { name: /^Open 11\d\d\.jpg/ }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: /^\w{3}, \d+ Jul 2023$/ }).first()).toBeVisible();
  // But for the line that ends the list.
  expect(Math.abs((await height(page)) - whole)).toBeLessThan(100);
  await page.keyboard.press('PageUp');
  await expect(slider).toHaveAttribute('aria-valuetext', 'December 2024');
  await page.keyboard.press('ArrowDown');
  await expect(slider).toHaveAttribute('aria-valuetext', 'November 2024');

  const box = await slider.boundingBox();
  if (!box) throw new Error('the slider has no box');
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + box.height * 0.5, { steps: 5 });
  await expect(slider).toHaveAttribute('aria-valuetext', /2025$/);
  await page.mouse.up();
  await expect(tiles(page).first()).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500);
  await checkPage(page, 'the middle of a timeline');
});

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
