import type { Page } from 'playwright/test';
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
