import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { createAlbum, listAlbums } from '#api/albums/albums.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, signIn, test, tiles } from '#test/e2e/web.ts';
import { animatedGif, animatedWebp, photoJpeg, png } from '#test/helpers/pictures/images.ts';
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

test('a long picture opens at full width, from the top; the wheel scrolls it, and zooms with Ctrl', async ({ page, service, owner }) => {
  await upload(service, owner, await photoJpeg({ seed: 1 }), 'before.jpg');
  await upload(service, owner, await photoJpeg({ seed: 2, width: 400, height: 6_000, smooth: true }), 'long.jpg');
  await page.goto('/');
  await page.getByRole('link', { name: /^Open long\.jpg/ }).click();
  const { box, stage } = await shown(page, 'long.jpg');
  await expect.poll(async () => Math.round((await box()).width)).toBe(400);
  expect(Math.abs((await box()).y - stage.y)).toBeLessThanOrEqual(1);
  await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
  await page.mouse.wheel(0, 300);
  await expect.poll(async () => Math.round((await box()).y - stage.y)).toBe(-300);
  expect(Math.round((await box()).width)).toBe(400);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -50);
  await page.keyboard.up('Control');
  await expect.poll(async () => (await box()).width).toBeGreaterThan(500);
  await page.mouse.wheel(0, 20_000);
  await expect.poll(async () => Math.round((await box()).y + (await box()).height)).toBe(Math.round(stage.y + stage.height));
  // The arrow keys still lead to the next picture, and a photograph opens whole: there, the wheel does nothing.
  await viewerOf(page).getByRole('button', { name: 'Zoom out' }).click();
  await page.keyboard.press('ArrowRight');
  const photo = await shown(page, 'before.jpg');
  await expect.poll(async () => Math.round((await photo.box()).width)).toBe(320);
  await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
  await page.mouse.wheel(0, 200);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => Math.round((await box()).width)).toBe(400);
  expect(Math.round((await photo.box()).width)).not.toBeGreaterThan(320);
});

test('the keys scroll a long picture that was opened by keyboard', async ({ page, service, owner }) => {
  await upload(service, owner, await photoJpeg({ seed: 2, width: 400, height: 6_000, smooth: true }), 'long.jpg');
  await page.goto('/');
  await page.getByRole('link', { name: /^Open long\.jpg/ }).focus();
  await page.keyboard.press('Enter');
  const { box, stage } = await shown(page, 'long.jpg');
  await expect.poll(async () => Math.round((await box()).width)).toBe(400);
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => Math.round((await box()).y - stage.y)).toBe(-80);
  await page.keyboard.press('PageDown');
  await expect.poll(async () => Math.abs((await box()).y - stage.y + 80 + stage.height * 0.9)).toBeLessThan(1.5);
  await page.keyboard.press('End');
  await expect.poll(async () => Math.round((await box()).y + (await box()).height)).toBe(Math.round(stage.y + stage.height));
  await page.keyboard.press('Home');
  await expect.poll(async () => Math.round((await box()).y - stage.y)).toBe(0);
});

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

test('a small picture is never larger than itself, and on a plain tile', async ({ page, service, owner }) => {
  await upload(service, owner, await photoJpeg({ seed: 1, width: 900, height: 600 }), 'photo.jpg');
  await upload(service, owner, await png({ width: 32, height: 10 }), 'small.png');
  await page.goto('/');
  const tile = page.getByRole('link', { name: /^Open small\.png/ });
  const image = tile.locator('img');
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(32);
  await expect(image).toHaveCSS('object-fit', 'scale-down');
  await expect(tile.locator('..')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await tile.click();
  const { box, stage } = await shown(page, 'small.png');
  const { x, y, width, height } = await box();
  expect([width, height]).toEqual([32, 10]);
  expect(Math.abs(x + width / 2 - stage.x - stage.width / 2)).toBeLessThan(2);
  expect(Math.abs(y + height / 2 - stage.y - stage.height / 2)).toBeLessThan(2);
});

test('animations are marked, and play while the mouse points at them or the focus is on them, unless motion is unwelcome', async ({
  page,
  service,
  owner,
}) => {
  const { key } = await upload(service, owner, await animatedGif({ width: 300, height: 200 }), 'wave.gif');
  await upload(service, owner, await photoJpeg({ seed: 1 }), 'photo.jpg');
  await page.goto('/');
  await page.mouse.move(0, 0);
  const mark = page.getByText('GIF', { exact: true });
  await expect(mark).toHaveCount(1);
  const playing = tiles(page).locator(`img[src^="/i/${key}"]`);
  await expect(playing).toHaveCount(0);
  await page.getByRole('link', { name: /^Open wave\.gif/ }).hover();
  await expect(playing).toBeVisible();
  await expect(mark).toBeHidden();
  await page.mouse.move(0, 0);
  await expect(playing).toHaveCount(0);
  await expect(mark).toBeVisible();

  const webp = await upload(service, owner, await animatedWebp({ width: 300, height: 200 }), 'film.webp');
  await upload(service, owner, await animatedGif({ width: 300, height: 200, frames: 1 }), 'still.gif');
  await page.reload();
  await expect(tiles(page)).toHaveCount(4);
  await expect(mark).toHaveCount(1);
  await expect(page.getByText('WebP', { exact: true })).toBeVisible();
  const film = page.getByRole('link', { name: /^Open film\.webp.*Animated$/ });
  const moving = film.locator(`img[src^="/i/${webp.key}"]`);
  await tiles(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(moving).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(moving).toHaveCount(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await film.hover();
  await page.getByRole('link', { name: /^Open wave\.gif/ }).hover();
  await expect(film.locator('img')).toHaveCount(1);
  await expect(playing).toHaveCount(0);
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

test('the viewer copies the picture itself, opens the original, and sets the cover of its album', async ({ page, service, owner }) => {
  const album = await owner.client.call(createAlbum, { body: { name: 'Trip' } });
  const { key } = await upload(service, owner, await photoJpeg({ seed: 1 }), 'first.jpg', { album_id: album.id });
  await upload(service, owner, await photoJpeg({ seed: 2 }), 'second.jpg', { album_id: album.id });
  // Only a secure context may copy pictures.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  await signIn(page.context(), owner, service.url);
  await page.goto(`${service.url}/?picture=${key}`);
  const more = viewerOf(page).getByRole('button', { name: 'More actions' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Copy picture' }).click();
  await expect(page.getByText('Picture copied')).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const blob = await item?.getType('image/png');
    const { width, height } = await createImageBitmap(blob ?? new Blob());
    return [width, height];
  });
  expect(copied).toEqual([320, 200]);
  await more.click();
  const original = page.getByRole('menuitem', { name: 'Open original' });
  await expect(original).toHaveAttribute('href', new RegExp(`^/i/${key}\\.jpg`));
  await page.getByRole('menuitem', { name: 'Use as album cover' }).click();
  await expect(page.getByText('Album cover changed')).toBeVisible();
  expect((await owner.client.call(listAlbums, { query: {} })).items[0]?.cover_key).toBe(key);
});
