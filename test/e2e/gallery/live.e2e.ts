import type { Page } from 'playwright/test';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { trashImage } from '#api/images/images.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** Uploads as another program does. */
async function uploader(service: TestService, owner: SignedIn) {
  const token = await owner.token('upload');
  return async (seed: number) => uploadImage(service, token, await photoJpeg({ seed, width: 120, height: 90 }), {}, `${seed}.jpg`);
}

const tile = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}` });
const names = (page: Page) =>
  tiles(page).evaluateAll((all) => all.map((one) => /Open (\S+),/.exec(one.getAttribute('aria-label') ?? '')?.[1]));
const openStreams = async (owner: SignedIn) => {
  const metrics = await (await owner.fetch('/metrics')).text();
  return Number(/^pixdock_event_streams (\d+)$/m.exec(metrics)?.[1]);
};
/** Waits for the stream, so that what follows isn't read with the page. */
const untilLive = (owner: SignedIn) => expect.poll(() => openStreams(owner)).toBe(1);

test('what other programs upload, change and delete shows without a reload', { tag: '@essential' }, async ({ page, service, owner }) => {
  const upload = await uploader(service, owner);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await untilLive(owner);
  const { key } = await upload(1);
  await expect(tile(page, '1.jpg')).toBeVisible();
  for (const seed of [2, 3, 4]) await upload(seed);
  await expect.poll(() => names(page)).toEqual(['4.jpg', '3.jpg', '2.jpg', '1.jpg']);
  await owner.client.call(updateImage, { params: { key }, body: { name: 'boats.jpg' } });
  await expect(tile(page, 'boats.jpg')).toBeVisible();
  await owner.client.call(trashImage, { params: { key } });
  await expect(tiles(page)).toHaveCount(3);
  const { undo } = await owner.client.call(batchImages, { body: { action: 'trash', query: {} } });
  await expect(page.getByRole('heading', { name: 'No pictures' })).toBeVisible();
  await owner.client.call(batchImages, { body: { action: 'undo', undo: undo ?? '' } });
  await expect(tiles(page)).toHaveCount(3);
});

test('all tabs share one connection', async ({ page, context, service, owner }) => {
  const upload = await uploader(service, owner);
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/');
    await expect(tab.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  }
  await untilLive(owner);
  await upload(1);
  for (const tab of [page, other]) await expect(tile(tab, '1.jpg')).toBeVisible();
  expect(await openStreams(owner)).toBe(1);
  await page.close();
  await upload(2);
  await expect(tile(other, '2.jpg')).toBeVisible();
});

test('a browser without shared workers has a stream as well', async ({ page, service, owner }) => {
  const upload = await uploader(service, owner);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'SharedWorker'));
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await untilLive(owner);
  await upload(1);
  await expect(tile(page, '1.jpg')).toBeVisible();
});

test('after a restart of the service, the page shows what has happened meanwhile', async ({ page, service, owner, complaints }) => {
  const upload = await uploader(service, owner);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await untilLive(owner);
  await service.restart();
  await upload(1);
  await expect(tile(page, '1.jpg')).toBeVisible();
  // The browser reports each attempt to connect in the meantime.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain('Failed to load resource: net::ERR_CONNECTION_');
});

test('without a stream, the page asks every minute', async ({ page, service, owner }) => {
  const upload = await uploader(service, owner);
  const taken = new AbortController();
  for (let count = 0; count < 10; count++) await owner.fetch('/api/v1/events', { signal: taken.signal });
  await page.clock.install();
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await upload(1);
  await page.clock.fastForward(20_000);
  await expect(tiles(page)).toHaveCount(0);
  await page.clock.fastForward(60_000);
  await page.clock.fastForward(20_000);
  await expect(tile(page, '1.jpg')).toBeVisible();
  taken.abort();
});

test('every tab leaves for sign-in when another one signs out', async ({ page, context, owner }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/albums');
    await expect(tab.getByRole('heading', { name: 'Albums', exact: true })).toBeVisible();
  }
  await untilLive(owner);
  await page.getByRole('button', { name: 'Sign out' }).click();
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Sign in to Pixdock' })).toBeVisible();
});

test('every tab leaves for sign-in when its session is ended elsewhere', async ({ page, context, service, owner }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto('/albums');
    await expect(tab.getByRole('heading', { name: 'Albums', exact: true })).toBeVisible();
  }
  await untilLive(owner);
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.deleteFrom('sessions').where('user_id', '=', owner.id).execute()),
  );
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Sign in to Pixdock' })).toBeVisible();
});
