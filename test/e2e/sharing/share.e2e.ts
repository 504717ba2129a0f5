import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright/test';
import sharp from 'sharp';
import { createAlbum } from '#api/albums/albums.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { type Host, test } from '#test/e2e/stranger.ts';
import { expect, forgetSession, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { unzip } from '#test/helpers/pictures/zip.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

let seed = 0;
const share = async ({ service, token }: Host, fields: Record<string, string> = {}, name = 'harbour.jpg') =>
  uploadImage(service, token, await photoJpeg({ seed: ++seed, width: 320, height: 200 }), fields, name);
const shown = 'Shared picture harbour.jpg';

test('a visitor sees a shared picture and its expiry, and copies its link in every format', { tag: '@essential' }, async ({
  page,
  host,
}) => {
  const { key, links } = await share(host, { expires_in: String(3 * 86_400 + 60) });
  const clipboard = await openClipboard(page, host.service);
  const response = await page.goto(`/s/${key}`);
  expect(await response?.text()).toContain('og:image');
  const image = page.getByRole('img', { name: shown });
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  await expect(page).toHaveTitle('harbour.jpg · Pixdock');
  await expect(page.getByText('Expires in 3 days')).toBeVisible();
  await expect(page.getByText('320 × 200')).toBeVisible();
  await page.getByRole('button', { name: 'Copy link' }).click();
  expect(await clipboard.readText()).toBe(links.url);
  await page.getByText('Embed', { exact: true }).click();
  for (const [format, text] of [
    ['Markdown', links.markdown],
    ['HTML', links.html],
    ['BBCode', links.bbcode],
    ['Share page', links.share_url],
  ] as const) {
    await page.getByRole('button', { name: `Copy ${format}`, exact: true }).click();
    expect(await clipboard.readText()).toBe(text);
  }
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('harbour.jpg');
  await checkPage(page, 'share page');
  // On a slow connection, a thumbnail comes first.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g', saveData: false } }));
  const pictures: string[] = [];
  page.on('request', (request) => request.resourceType() === 'image' && pictures.push(new URL(request.url()).pathname));
  await page.reload();
  await expect.poll(() => pictures.filter((path) => path.includes(key))).toEqual([`/t/${key}.jpg`, `/i/${key}.jpg`]);
});

test('a picture in the colour of the page has a visible edge, shared and in an album', async ({ page, host }) => {
  const { key: other } = await share(host);
  const album = await host.owner.client.call(createAlbum, { body: { name: 'Plain', visibility: 'public' } });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const [place, colour] of [
      ['share', '--pd-rail'],
      ['album', '--pd-ground'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`/s/${other}`);
      const background = await page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name), colour);
      const plain = await sharp({ create: { width: 320, height: 200, channels: 3, background } })
        .png()
        .toBuffer();
      const { key } = await uploadImage(host.service, host.token, plain, { album_id: album.id }, `${colorScheme} ${place}.png`);
      await page.goto(place === 'share' ? `/s/${key}` : `/a/${album.id}`);
      const row = await acrossEdge(page, page.getByRole(place === 'share' ? 'img' : 'link', { name: `${colorScheme} ${place}.png` }));
      expect(Math.max(...row.map((pixel) => Math.abs(pixel - (row[7] ?? 0)))), `${colorScheme} ${place}`).toBeGreaterThan(15);
    }
});

/** The brightness of the page from 4 pixels beside a picture to 4 pixels in it. */
async function acrossEdge(page: Page, image: Locator): Promise<number[]> {
  await expect(image).toBeVisible();
  const box = await image.boundingBox();
  if (!box) throw new Error('the picture is not shown');
  const clip = { x: Math.floor(box.x) - 4, y: Math.round(box.y + box.height / 2), width: 8, height: 1 };
  return [
    ...(await sharp(await page.screenshot({ clip }))
      .greyscale()
      .raw()
      .toBuffer()),
  ];
}

test('a protected picture opens with its password, and reports wrong and too many tries', { tag: '@essential' }, async ({ page, host }) => {
  const { key } = await share(host, { access_password: 'open sesame' });
  await page.goto(`/s/${key}`);
  const field = page.getByLabel('Password', { exact: true });
  await expect(field).toBeFocused();
  await checkPage(page, 'locked share');
  await field.fill('sesame');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Incorrect password');
  await expect(page.getByText('harbour.jpg')).toHaveCount(0);
  await field.fill('open sesame');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await expect(page.getByRole('img', { name: shown })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('img', { name: shown })).toBeVisible();

  await forgetSession(page);
  await page.goto(`/s/${key}`);
  await page.evaluate(async (path) => {
    const guess = () => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"guess"}' });
    for (let tries = 0; tries < 10; tries += 1) await guess();
  }, `/api/v1/s/${key}/unlock`);
  await field.fill('open sesame');
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Too many incorrect passwords');
  await expect(page.getByRole('button', { name: /Try again in \d/ })).toBeDisabled();
});

test('a view-limited picture spends a view only when the visitor asks to see it', { tag: '@essential' }, async ({ page, host }) => {
  const { key } = await share(host, { max_views: '1' });
  const looks: string[] = [];
  page.on('request', (request) => {
    if (/\/[it]\//.test(new URL(request.url()).pathname)) looks.push(request.url());
  });
  await page.goto(`/s/${key}`);
  const show = page.getByRole('button', { name: 'Show picture (1 view left)' });
  await expect(show).toBeVisible();
  expect(looks).toEqual([]);
  await checkPage(page, 'guarded share');
  await show.click();
  const image = page.getByRole('img', { name: shown });
  await expect.poll(() => image.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  await expect(page.getByText('That was the last view: the link no longer works.')).toBeVisible();
  await expect(page.getByRole('button', { name: /copy/i })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('harbour.jpg');
  expect(looks).toHaveLength(1);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This picture has reached its view limit' })).toBeVisible();
  await checkPage(page, 'used-up share');
});

test('a visitor downloads a whole album and plays it as a slideshow', async ({ page, host }) => {
  const album = await host.owner.client.call(createAlbum, { body: { name: 'Harbour week', visibility: 'public' } });
  const add = async (seed: number, fields: Record<string, string> = {}) =>
    uploadImage(host.service, host.token, await photoJpeg({ seed, width: 300 + seed }), { ...fields, album_id: album.id }, `${seed}.jpg`);
  for (const seed of [101, 102, 103]) await add(seed);
  await add(104, { max_views: '2' });
  await add(105, { visibility: 'private' });
  await page.goto(`/a/${album.id}`);
  await expect(page).toHaveTitle('Harbour week · Pixdock');
  await expect(tiles(page)).toHaveCount(3);
  await expect(page.getByText('1 more picture has a view limit. You can open it only with its own link.')).toBeVisible();
  await checkPage(page, 'album with a download');
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all' }).click();
  const zip = await download;
  expect(zip.suggestedFilename()).toBe('Harbour week.zip');
  expect([...(await unzip(await readFile(await zip.path()))).keys()]).toEqual(['103.jpg', '102.jpg', '101.jpg']);

  await page.getByRole('button', { name: 'Slideshow' }).click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('heading', { name: '103.jpg' })).toBeVisible();
  await viewer.getByLabel('Time per picture').selectOption('3 seconds');
  await expect(viewer.getByRole('heading', { name: '102.jpg' })).toBeVisible();
  await viewer.getByRole('button', { name: 'Pause slideshow' }).click();
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect(viewer).toHaveCount(0);
  await tiles(page).first().click();
  await expect(viewer.getByRole('button', { name: 'Start slideshow' })).toBeVisible();
  await page.keyboard.press('Space');
  await expect(viewer.getByRole('button', { name: 'Pause slideshow' })).toBeVisible();
});
