import type { Page } from 'playwright/test';
import { audit } from '#test/e2e/axe.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** Uploads pictures named 1.jpg to n.jpg one by one, so that n comes first in the timeline. */
async function fill(service: TestService, owner: SignedIn, count: number) {
  const token = await owner.token('upload');
  const images = [];
  for (let seed = 1; seed <= count; seed += 1)
    images.push(await uploadImage(service, token, await photoJpeg({ seed, width: 1200, height: 900 }), {}, `${seed}.jpg`));
  return images;
}

const selected = (page: Page) => page.locator('main header').getByRole('status');

async function centre(page: Page, index: number) {
  const box = await tiles(page).nth(index).boundingBox();
  if (!box) throw new Error(`tile ${index} isn't shown`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('tiles are links whose address can be copied, and a drag with the mouse selects', async ({ page, service, owner, context }) => {
  const images = await fill(service, owner, 6);
  const clipboard = await openClipboard(page, service);
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(6);
  const opened = context.waitForEvent('page');
  await tiles(page)
    .first()
    .click({ modifiers: ['Control'] });
  const share = await opened;
  await expect(share).toHaveURL(`/s/${images[5]?.key}`);
  await share.close();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await tiles(page).nth(1).hover();
  await page.getByRole('button', { name: 'Copy link to 5.jpg' }).click();
  expect(await clipboard.readText()).toBe(images[4]?.links.url);

  const [from, to] = [await centre(page, 0), await centre(page, 2)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await expect(selected(page)).toHaveText('3 selected');
  await page.mouse.move(from.x + 10, from.y, { steps: 5 });
  await expect(selected(page)).toHaveText('1 selected');
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  await expect(selected(page)).toHaveText('3 selected');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await audit(page)).toEqual([]);
});

test('in the viewer, Delete deletes, Ctrl+Z restores, and a second double click zooms out; ? lists the shortcuts', async ({
  page,
  service,
  owner,
}) => {
  await fill(service, owner, 2);
  await page.goto('/');
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog').first();
  const picture = viewer.getByRole('img', { name: '2.jpg', exact: true });
  await expect(picture).toBeVisible();
  const width = async () => (await picture.boundingBox())?.width ?? 0;
  const fitted = await width();
  const box = await picture.boundingBox();
  const middle = { x: (box?.x ?? 0) + fitted / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  await page.mouse.dblclick(middle.x, middle.y);
  await expect.poll(width).toBeGreaterThan(fitted * 1.5);
  await page.mouse.dblclick(middle.x, middle.y);
  await expect.poll(width).toBe(fitted);

  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByRole('term')).toContainText([
    'Search pictures',
    'Select a range',
    'Start or pause the slideshow',
    'Enter or leave full screen',
  ]);
  expect(await audit(page, { within: '[role="dialog"]:last-of-type' })).toEqual([]);
  await page.keyboard.press('Delete');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(viewer.getByRole('heading', { name: '2.jpg' })).toBeVisible();

  await page.keyboard.press('Delete');
  await expect(viewer.getByRole('heading', { name: '1.jpg' })).toBeVisible();
  await expect(page.getByText('Picture deleted')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Picture restored')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tiles(page)).toHaveCount(2);
  // The sheet is where people look for it, too.
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(sheet).toBeVisible();
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test('a long press selects, and dragging further selects up to the finger; a swipe down closes the viewer', async ({
    page,
    service,
    owner,
  }) => {
    await fill(service, owner, 5);
    await page.goto('/');
    await expect(tiles(page)).toHaveCount(5);
    // What comes above the tiles would move them below the finger.
    await expect(page.getByRole('region', { name: 'Different address' })).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Select 5.jpg' })).toBeHidden();
    const browser = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      browser.send('Input.dispatchTouchEvent', { type, touchPoints });
    const [first, third] = [await centre(page, 0), await centre(page, 2)];
    await touch('touchStart', first);
    await expect(selected(page)).toHaveText('1 selected');
    await expect(page.getByRole('checkbox', { name: 'Select 5.jpg' })).toBeVisible();
    await touch('touchMove', third);
    await expect(selected(page)).toHaveText('3 selected');
    await touch('touchEnd');
    await expect(selected(page)).toHaveText('3 selected');
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await page.touchscreen.tap(first.x, first.y);
    await expect(selected(page)).toHaveText('2 selected');
    await page.getByRole('button', { name: 'Clear selection' }).click();

    await page.touchscreen.tap(first.x, first.y);
    const viewer = page.getByRole('dialog');
    const picture = viewer.getByRole('img', { name: '5.jpg', exact: true });
    await expect(picture).toBeVisible();
    const box = await picture.boundingBox();
    const middle = { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    await touch('touchStart', middle);
    for (const y of [20, 60, 110, 180]) await touch('touchMove', { x: middle.x, y: middle.y + y });
    await touch('touchEnd');
    await expect(viewer).toHaveCount(0);
  });
});
