import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'playwright/test';
import { dataOf, type Sharing, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
test.beforeAll(async () => {
  sharing = await startSharing({ allowedHosts: ['pixdock.test'] });
});
test.afterAll(() => sharing[Symbol.asyncDispose]());

/** Loopback, where browsers send `Sec-Fetch-Dest`, and a name on plain http, where they don't. */
const addresses = () => [sharing.url, sharing.url.replace('127.0.0.1', 'pixdock.test')];

test('a page on another site that embeds a protected picture shows the placeholder', async ({ page }) => {
  const { key } = await sharing.upload({ access_password: 'open sesame' });
  for (const address of addresses()) {
    const blog = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html').end(`<img src="${address}/i/${key}.jpg">`);
    });
    await new Promise<void>((resolve) => blog.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(blog.address() as AddressInfo).port}`);
    await expect
      .poll(() => page.locator('img').evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
      .toEqual([400, 300]);
    blog.close();
    blog.closeAllConnections();
  }
});

test('following the link of a protected or expired picture leads to its share page', { tag: '@essential' }, async ({ page }) => {
  const [locked, expired] = [await sharing.upload({ access_password: 'open sesame' }), await sharing.upload()];
  await sharing.alter(expired.key, { expires_at: 1 });
  for (const address of addresses())
    for (const [key, status] of [
      [locked.key, 200],
      [expired.key, 410],
    ] as const) {
      const response = await page.goto(`${address}/i/${key}.jpg`);
      expect([page.url(), response?.status()]).toEqual([`${address}/s/${key}`, status]);
    }
});

test('prefetching a view-limited picture spends no view, and the visitor can still see it', async ({ page }) => {
  const { key } = await sharing.upload({ max_views: '1' });
  const path = `/i/${key}.jpg`;
  await page.goto(`${sharing.url}/s/${key}`);
  const prefetched = page.waitForResponse((response) => response.url().endsWith(path));
  await page.evaluate((href) => {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'prefetch', href });
    document.head.append(link);
  }, path);
  expect((await prefetched).status()).toBe(403);
  expect(await dataOf(await fetch(`${sharing.url}/api/v1/s/${key}`))).toMatchObject({ views_left: 1 });
  expect((await page.goto(sharing.url + path))?.status()).toBe(200);
  expect((await page.goto(sharing.url + path))?.url()).toBe(`${sharing.url}/s/${key}`);
});
