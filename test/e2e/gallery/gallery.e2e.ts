import type { Route } from 'playwright/test';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { untilQuiet } from '#test/e2e/quiet.ts';
import { expect, signIn, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

const upload = async (service: TestService, token: string, seed: number, fields: Record<string, string> = {}) =>
  uploadImage(service, token, await photoJpeg({ seed, width: 120 + (seed % 5) * 40, height: 120 }), fields, `${seed}.jpg`);

/** Uploads pictures named 1.jpg to n.jpg one by one, so that n comes first in the timeline. */
async function fill(service: TestService, owner: SignedIn, count: number, fields: Record<string, string> = {}) {
  const token = await owner.token('upload');
  const images = [];
  for (let seed = 1; seed <= count; seed += 1) images.push(await upload(service, token, seed, fields));
  return images;
}

test('the viewer shows a picture with its details and a link in every format, by keyboard alone', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const images = await fill(service, owner, 3);
  const clipboard = await openClipboard(page, service);
  await page.goto('/');
  await tiles(page).first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(tiles(page).nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('heading', { name: '2.jpg' })).toBeVisible();
  await expect(viewer.getByRole('complementary')).toContainText('200 × 120');
  for (const [format, expected] of Object.entries({
    URL: images[1]?.links.url,
    Markdown: images[1]?.links.markdown,
    HTML: images[1]?.links.html,
    BBCode: images[1]?.links.bbcode,
    Thumbnail: images[1]?.links.thumbnail_url,
  })) {
    await viewer.getByRole('button', { name: `Copy ${format}`, exact: true }).click();
    expect(await clipboard.readText()).toBe(expected);
  }
  await viewer.getByRole('button', { name: 'Next picture' }).click();
  await expect(viewer.getByRole('heading', { name: '1.jpg' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await expect(tiles(page).nth(2)).toBeFocused();
});

test('a picture that is pressed has its name and can be closed before the viewer is there', async ({ page, context, service, owner }) => {
  await fill(service, owner, 1);
  await signIn(context, owner, service.url);
  let isHeld = true;
  const held: Route[] = [];
  await page.route('**/assets/viewer-*.js', (route) => (isHeld ? void held.push(route) : route.continue()));
  await page.goto('/');
  const tile = tiles(page).first();
  const viewer = page.getByRole('dialog', { name: '1.jpg' });
  await tile.click();
  await expect(viewer.getByRole('heading', { name: '1.jpg' })).toBeVisible();
  await expect(viewer.locator('[aria-busy]')).toBeVisible();
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect(viewer).toHaveCount(0);
  await expect(page).toHaveURL(/\/$/);
  await tile.click();
  await expect(viewer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await tile.click();
  await expect(viewer).toBeVisible();
  isHeld = false;
  for (const route of held) await route.continue();
  await expect(viewer.getByRole('button', { name: 'More actions' })).toBeVisible();
  await expect(page.locator('[aria-busy]')).toHaveCount(0);
});

test('the gallery loads little code at first, and the rest on the first press; a failure is shown', { tag: '@essential' }, async ({
  page,
  context,
  service,
  owner,
  complaints,
}) => {
  await fill(service, owner, 1);
  // At the address of the links, where no banner says that they start with another.
  await signIn(context, owner, service.url);
  // The page never counts as idle.
  await page.addInitScript(() => {
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, ms?: number) => (ms === 5_000 ? 0 : setTimeout(run, ms))) as typeof setTimeout;
  });
  const scripts = new Set<string>();
  const data: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.resourceType() === 'script') scripts.add(pathname.replace(/-[\w-]{8}\.js$/, ''));
    if (request.resourceType() === 'fetch') data.push(pathname.replace('/api/v1', '') + search);
  });
  // Before scripts are there, the document shows a frame, where the application will be. Its styles don't move it.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto(service.url);
  await expect(page.locator('.pd-frame svg')).toBeVisible();
  expect(await page.locator('.pd-side').boundingBox()).toMatchObject({ x: 0, y: 0, width: 232 });
  await expect(page.locator('.pd-frame')).toHaveAttribute('aria-hidden', 'true');
  complaints.length = 0;
  await page.unroute('**/assets/*.js');
  scripts.clear();
  data.length = 0;
  await page.goto(service.url);
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Search pictures' })).toBeVisible();
  await untilQuiet(page);
  const files = ['en-first', 'first', 'framework', 'rolldown-runtime'].map((name) => `/assets/${name}`);
  // After it, what the page is told of live, and the number of pictures that were sent.
  const following = ['sent', 'sent-badge', 'worker'].map((name) => `/assets/${name}`);
  expect([...scripts].sort()).toEqual([...files, ...following]);
  // What the document has requested already isn't requested again.
  const early = ['/config', '/auth/session', /^\/images\?.*limit=200$/, /^\/images\/timeline\?/];
  expect(data.slice(0, early.length)).toEqual(early.map((address) => expect.stringMatching(address)));
  for (const address of early.slice(0, 3)) expect(data.filter((asked) => asked.match(address))).toHaveLength(1);
  await expect(page.locator('.pd-frame')).toBeHidden();

  const filter = page.getByRole('button', { name: 'Filter' });
  const popover = page.getByRole('dialog', { name: 'Filter' });
  // Without its styles and texts, it doesn't appear; the next press tries again.
  const others = /\/assets\/(?:en-)?later-/;
  let attempts = 0;
  await page.route(others, (route) => {
    attempts += 1;
    return route.abort();
  });
  await filter.click();
  // Each twice.
  await expect.poll(() => attempts).toBeGreaterThanOrEqual(4);
  await page.unroute(others);
  await expect(popover).toHaveCount(0);
  await filter.press('Enter');
  await expect(popover).toBeVisible();
  await expect(page.locator('link[href*="/later-"]')).toHaveCount(1);
  await page.reload();
  await page.route('**/assets/menus-*.js', (route) => route.abort());
  await filter.click();
  await expect(page.getByText('Something went wrong.')).toBeVisible();
  await page.unroute('**/assets/menus-*.js');
  await filter.press('Enter');
  await expect(popover).toBeVisible();
  await expect(popover.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  await expect(filter).toBeFocused();
  await page.getByRole('button', { name: 'More ways to upload' }).first().click();
  await expect(page.getByRole('menu')).toBeVisible();
  complaints.length = 0;
});
