import type { Page } from 'playwright/test';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { startWebServer, type WebServer } from '#test/helpers/network/web-server.ts';
import { svg } from '#test/helpers/pictures/drawings.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

test.use({ ownService: true });

/** An SVG that tries every way to act: each success requests something from the foreign server or marks the document. */
const hostile = (outside: string) =>
  svg(
    `<script>document.documentElement.setAttribute('class', 'acted'); new Image().src = '${outside}/script'</script>
    <image width="9" height="9" href="${outside}/image"/>
    <style>@import url(${outside}/style); rect { fill: #d02020 }</style>
    <foreignObject width="50" height="50"><body xmlns="http://www.w3.org/1999/xhtml">
      <img src="${outside}/picture" onerror="document.documentElement.setAttribute('class', 'acted')"/>
      <iframe src="${outside}/frame"></iframe><object data="${outside}/object"></object>
      <meta http-equiv="refresh" content="0;url=${outside}/refresh"/>
    </body></foreignObject>
    <rect x="50" width="150" height="100"/>`,
    `width="200" height="100" onload="document.documentElement.setAttribute('class', 'acted')"`,
  );

async function uploadSvg(service: TestService, owner: SignedIn, drawing: Buffer) {
  const { items } = await owner.client.call(listGroups, { query: {} });
  const id = String(items.find(({ kind }) => kind === 'owner')?.id);
  await owner.client.call(changeGroup, { params: { id }, body: { allowed_exts: ['svg'] } });
  return uploadImage(service, await owner.token('upload'), drawing, {}, 'drawing.svg');
}

const hasActed = (page: Page) => page.evaluate(() => document.documentElement.getAttribute('class') === 'acted');
const asked = (web: WebServer) => web.requests.map(({ url }) => url).filter((url) => url !== '/' && url !== '/favicon.ico');

test('an SVG opened directly neither runs scripts nor loads anything', async ({ page, service, owner, complaints }) => {
  await using web = await startWebServer((_, response) => response.end());
  const drawing = hostile(web.url);
  const image = await uploadSvg(service, owner, drawing);
  await page.goto(image.links.url);
  expect(await page.locator('rect').evaluate((rect) => getComputedStyle(rect).fill)).toBe('rgb(208, 32, 32)');
  expect(await hasActed(page)).toBe(false);
  expect(asked(web)).toEqual([]);
  // Chromium logs what it has blocked.
  expect(complaints.splice(0).join('\n')).toMatch(/sandbox|Content Security Policy/);

  // Served without protection, the same bytes do act: the drawing is truly hostile.
  await using careless = await startWebServer((_, response) => response.setHeader('content-type', 'image/svg+xml').end(drawing));
  await page.goto(careless.url);
  await expect.poll(() => asked(web)).toEqual(expect.arrayContaining(['/script', '/image', '/picture', '/refresh']));
  complaints.splice(0);
});

test('an SVG embedded in a page neither runs scripts nor loads anything', async ({ page, service, owner }) => {
  await using web = await startWebServer((_, response) => response.end());
  const image = await uploadSvg(service, owner, hostile(web.url));
  await using blog = await startWebServer((_, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<!doctype html><title>A page</title><link rel="icon" href="data:,"><img src="${image.links.url}">`),
  );
  await page.goto(blog.url);
  const shown = page.locator('img');
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBe(200);
  expect(await hasActed(page)).toBe(false);
  expect(asked(web)).toEqual([]);
});

test('the timeline shows an SVG’s thumbnail, the viewer the drawing itself', async ({ page, service, owner }) => {
  const image = await uploadSvg(service, owner, svg());
  await page.goto('/');
  const thumbnail = tiles(page).first().locator('img');
  await expect.poll(() => thumbnail.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(200);
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('heading', { name: 'drawing.svg' })).toBeVisible();
  const shown = viewer.locator(`img[src*="/${image.key}"]`).first();
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(200);
});
