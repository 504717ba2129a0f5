import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

const viewerOf = (page: Page) => page.getByRole('dialog');

async function upload(service: TestService, owner: SignedIn, file: Buffer, name: string, fields: Record<string, string> = {}) {
  return uploadImage(service, await owner.token('upload'), file, fields, name);
}

/** The picture in the viewer, with its box. */
async function shown(page: Page, name: string) {
  const picture = viewerOf(page).getByRole('img', { name, exact: true });
  await expect(picture).toBeVisible();
  const box = () => picture.boundingBox().then((found) => found ?? { x: 0, y: 0, width: 0, height: 0 });
  const stage = await page.locator('[data-stage]').boundingBox();
  if (!stage) throw new Error('no stage');
  return { box, stage };
}

test('logos on transparency are visible in black and in white: as thumbnails, in the viewer and on share pages', async ({
  page,
  service,
  owner,
}) => {
  const logo = (colour: string) =>
    sharp({ create: { width: 300, height: 200, channels: 4, background: '#0000' } })
      .composite([{ input: { create: { width: 200, height: 100, channels: 4, background: colour } } }])
      .png()
      .toBuffer();
  for (const name of ['black', 'white']) {
    const { key } = await upload(service, owner, await logo(name), `${name}.png`);
    const thumbnail = await owner.fetch(`/t/${key}.jpg?w=200`);
    const { data, info } = await sharp(await thumbnail.arrayBuffer())
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const corner = data[0] ?? 0;
    const middle = data[Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)] ?? 0;
    expect(Math.abs(corner - middle)).toBeGreaterThan(60);
  }
  await page.goto('/');
  await page.getByRole('link', { name: /^Open black\.png/ }).click();
  await shown(page, 'black.png');
  const behind = viewerOf(page).locator('[data-transparent][data-current]');
  await expect(behind).toHaveCSS('background-image', /conic-gradient/);
  const { key } = await upload(service, owner, await photoJpeg(), 'photo.jpg');
  await page.goto(`/?picture=${key}`);
  await shown(page, 'photo.jpg');
  await expect(viewerOf(page).locator('[data-transparent][data-current]')).toHaveCount(0);
  const white = await upload(service, owner, await logo('red'), 'red.png');
  await page.goto(`/s/${white.key}`);
  await expect(page.getByRole('img', { name: /red\.png/ })).toHaveCSS('background-image', /conic-gradient/);
});

test('a picture opens at once as its thumbnail, however slow the connection, and in one toolbar', async ({ page, service, owner }) => {
  const { key } = await upload(service, owner, await photoJpeg({ seed: 1, width: 2_400, height: 1_600, smooth: true }), 'large.jpg');
  const large = Promise.withResolvers<void>();
  // The code of the viewer comes late, too.
  const code = Promise.withResolvers<void>();
  await page.route(/\/assets\/viewer-.*\.js/, (route) => code.promise.then(() => route.continue()));
  await page.route(/\/i\/|\/t\/.*w=1600/, (route) => large.promise.then(() => route.continue()));
  await page.goto('/');
  const tile = page.getByRole('link', { name: /^Open large\.jpg/ });
  const thumbnail = tile.locator('img');
  await expect.poll(() => thumbnail.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0);
  const src = (image: HTMLImageElement) => image.src;
  const seen = await thumbnail.evaluate(src);
  await tile.click();
  const held = page.locator('img[data-placeholder]');
  await expect(held).toBeVisible();
  expect(await held.evaluate(src)).toBe(seen);
  // Keys meanwhile don't reach what lies behind.
  await page.keyboard.press('Control+a');
  code.resolve();
  await expect(viewerOf(page).getByRole('heading', { name: 'large.jpg' })).toBeVisible();
  await expect(held).toBeVisible();
  await page.keyboard.press('Control+a');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('');
  await expect(page).toHaveTitle(/^large\.jpg/);
  large.resolve();
  await expect(viewerOf(page).getByRole('img', { name: 'large.jpg' })).toHaveAttribute('src', new RegExp(`^/[it]/${key}`));
  await expect(held).toHaveCount(0);
  const bar = viewerOf(page).getByRole('heading', { name: 'large.jpg' }).locator('..');
  for (const name of ['Close', 'Favourite', 'Download', 'Zoom in', 'Zoom out', 'Full screen', 'More actions'])
    await expect(bar.getByRole('button', { name, exact: true }).or(bar.getByRole('link', { name, exact: true }))).toBeVisible();
  await checkPage(page, 'a picture in the viewer');
  await page.keyboard.press('Escape');
  await expect(viewerOf(page)).toHaveCount(0);
  await expect(page).toHaveTitle(/^Pictures/);
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByRole('checkbox', { name: 'Select large.jpg' })).not.toBeChecked();
});

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

  test('the bar at the foot shares, copies, edits and deletes; the rest is in the menu, and no arrows lie over the picture', async ({
    page,
    service,
    owner,
  }) => {
    const [, image] = await fill(service, owner, 2);
    await page.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(window, { shared });
      Object.assign(navigator, { share: async (what: unknown) => void shared.push(what) });
    });
    await page.goto(`/?picture=${image?.key}`);
    const viewer = page.getByRole('dialog');
    const foot = ['Share…', 'Copy links', 'Edit picture', 'Delete'];
    const places = [];
    for (const name of foot) places.push(await viewer.getByRole('button', { name, exact: true }).boundingBox());
    expect(places.every((box) => box && box.y > 844 - 60 && box.width >= 44 && box.height >= 44)).toBe(true);
    for (const name of ['Close', 'Details', 'More actions'])
      expect((await viewer.getByRole('button', { name, exact: true }).boundingBox())?.y).toBeLessThan(60);
    for (const name of ['Next picture', 'Previous picture']) await expect(viewer.getByRole('button', { name })).toHaveCSS('opacity', '0');
    await checkPage(page, 'viewer with its bar at the foot');
    await viewer.getByRole('button', { name: 'Share…' }).tap();
    expect(await page.evaluate(() => (window as unknown as { shared: unknown }).shared)).toEqual([
      { title: '2.jpg', url: image?.links.share_url },
    ]);
    await expect(page.getByText('Link shared')).toHaveCount(0);
    await viewer.getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: 'Favourite' }).tap();
    await viewer.getByRole('button', { name: 'More actions' }).tap();
    await expect(page.getByRole('menuitem', { name: 'Remove from favourites' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible();
  });
});
