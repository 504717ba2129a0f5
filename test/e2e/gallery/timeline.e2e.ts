import type { Page } from 'playwright/test';
import { createAlbum } from '#api/albums/albums.ts';
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

test.describe('a place in a long library', () => {
  const COUNT = 900;

  /** A library of many screens, in the album if there is one. */
  async function fill(service: TestService, owner: AddedUser, album_id: string | null = null) {
    const { sha256, size } = await uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: 1, width: 90, height: 60 }));
    await withDatabase(service, async (db) => {
      await addImageRows(db, owner.id, COUNT - 1, (index) => {
        const time = Date.UTC(2025, 9, 20, 12) - Math.floor(index / 9) * DAY - index;
        return { sha256, size, name: `${index}.jpg`, width: 90, height: 60, album_id, created_at: time, taken_at: time };
      });
      await db.as('job').write((queries) => queries.updateTable('users').set({ image_count: COUNT }).where('id', '=', owner.id).execute());
    });
  }

  /** The key of the first picture below the header, and its distance from the top. */
  const inView = (page: Page) =>
    tiles(page).evaluateAll((all) => {
      const first = all.map((tile) => ({ tile, top: Math.round(tile.getBoundingClientRect().top) })).find(({ top }) => top >= 72);
      return first ? `${first.tile.getAttribute('data-picture')} at ${first.top}` : '';
    });

  /** Waits until what is in view stays. */
  async function settled(page: Page) {
    let before = '';
    await expect
      .poll(async () => {
        const last = before;
        before = await inView(page);
        return before !== '' && before === last;
      })
      .toBe(true);
    return before;
  }

  async function scrollFar(page: Page) {
    await expect(tiles(page).first()).toBeVisible();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(9_000);
    await page.evaluate(() => window.scrollTo(0, 8_000));
    await expect.poll(() => inView(page)).not.toBe('');
    return settled(page);
  }

  test('the gallery keeps its place on back, forward and reload, behind a picture, and in another theme and language', async ({
    page,
    service,
    owner,
  }) => {
    await fill(service, owner);
    await page.goto('/');
    const place = await scrollFar(page);
    const stays = () => expect.poll(() => inView(page)).toBe(place);
    await page.getByRole('link', { name: 'Albums' }).click();
    await expect(page.getByRole('heading', { name: 'Albums', exact: true })).toBeVisible();
    await page.goBack();
    await stays();
    await page.goForward();
    await expect(page.getByRole('heading', { name: 'Albums', exact: true })).toBeVisible();
    await page.goBack();
    await stays();
    await page.reload();
    await stays();

    // With a picture open, too.
    await page.locator(`[data-picture="${place.split(' at ')[0]}"]`).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await stays();

    await page.emulateMedia({ colorScheme: 'dark' });
    await stays();
    // Pictures that were added meanwhile don't move those in view.
    await page.getByRole('link', { name: 'Albums' }).click();
    await expect(page.getByRole('heading', { name: 'Albums', exact: true })).toBeVisible();
    const token = await owner.token('upload');
    for (let seed = 20; seed < 24; seed += 1)
      await uploadImage(service, token, await photoJpeg({ seed, width: 60, height: 300 }), {}, `${seed}.jpg`);
    await page.goBack();
    await stays();

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Dark', { exact: true }).click();
    await page.getByText('简体中文').click();
    await expect(page.getByText('深色')).toBeVisible();
    await page.goBack();
    await stays();
  });

  test('an album, the albums and the admins’ pictures keep their place, too', async ({ page, service, owner }) => {
    const album = await owner.client.call(createAlbum, { body: { name: 'Trip' } });
    for (let index = 0; index < 40; index += 1) await owner.client.call(createAlbum, { body: { name: `Album ${index}` } });
    await fill(service, owner, album.id);
    await page.goto(`/albums/${album.id}`);
    const place = await scrollFar(page);
    await page.reload();
    await expect.poll(() => inView(page)).toBe(place);
    await page.getByRole('link', { name: 'Pictures', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Pictures', exact: true })).toBeVisible();
    await page.goBack();
    await expect.poll(() => inView(page)).toBe(place);

    const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
    for (const path of ['/albums', '/admin/images']) {
      await page.goto(path);
      const list = page.getByRole('list', { name: path === '/albums' ? 'Albums' : 'Pictures' });
      await expect(list.getByRole('listitem').nth(20)).toBeAttached();
      if (path === '/admin/images') {
        await page.getByRole('button', { name: 'Show more' }).click();
        await expect(list.getByRole('listitem').nth(70)).toBeAttached();
      }
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight - window.innerHeight - 40));
      const before = await scrolled();
      expect(before).toBeGreaterThan(500);
      await page.reload();
      await expect.poll(scrolled).toBe(before);
      await page.getByRole('link', { name: 'Trash' }).first().click();
      await expect(page.getByRole('heading', { name: 'Trash', exact: true })).toBeVisible();
      await page.goBack();
      await expect.poll(scrolled).toBe(before);
    }
  });
});
