import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import { checkPage } from '#test/e2e/axe.ts';
import type { Desktop } from './driver.ts';
import { expect, png, test } from './fixtures.ts';

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/\w{12}\.png$/;

async function openDropWindow(desktop: Desktop) {
  const opened = desktop.app.waitForEvent('window');
  await desktop.press('Show drop window');
  const page = await opened;
  await expect(page.getByRole('button', { name: /Drop pictures here/ })).toBeVisible();
  return page;
}

/** The drop window, as the main process sees it. */
const dropWindow = (desktop: Desktop) =>
  desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[1];
    return window && { onTop: window.isAlwaysOnTop(), visible: window.isVisible(), bounds: window.getBounds() };
  });

async function closeWithEscape(desktop: Desktop, page: Page) {
  await page.keyboard.press('Escape').catch((error: Error) => {
    if (!/closed/.test(error.message)) throw error; // it may be gone before the key is released
  });
  await expect.poll(() => dropWindow(desktop)).toBeUndefined();
}

test('the drop window takes files, pictures and addresses, shows the last link, and closes with Escape', async ({
  used: desktop,
  image,
}) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const page = await openDropWindow(desktop);
  expect(await dropWindow(desktop)).toMatchObject({ onTop: true, visible: true });
  await expect(page.getByText('on top')).toBeHidden();
  await checkPage(page, 'drop window');

  await desktop.drop([await image('left.png', '#f00'), await image('right.png', '#00f')], {}, page);
  await expect(page.getByRole('status')).toHaveText('2 links copied · Only this computer can open them');
  const links = await desktop.clipboardText();
  expect(links.split('\n').filter((link) => LINK.test(link))).toHaveLength(2);
  const last = page.getByRole('button', { name: /^Copy http/ });
  await expect(last).toHaveText(links);
  await desktop.clearClipboard();
  await last.click();
  await expect.poll(() => desktop.clipboardText()).toBe(links);

  const html = `<a href="https://example.org"><img src="data:image/png;base64,${(await png('#0a0')).toString('base64')}"></a>`;
  await desktop.drop([], { 'text/html': html, 'text/uri-list': 'https://example.org' }, page);
  await expect.poll(() => desktop.labels('Recent uploads')).toContain('dropped.png');
  await expect(page.getByRole('status')).toHaveText('Link copied · Only this computer can open it');

  await desktop.drop([], { 'text/plain': 'only words' }, page);
  await expect(page.getByRole('status')).toHaveText('That didn’t contain a picture.');

  await closeWithEscape(desktop, page);
  expect(await desktop.windowVisible()).toBe(true);
});

test('a picture dragged from a browser is fetched by the service, which refuses what it may not reach', async ({ used: desktop }) => {
  const picture = await png('#456');
  await using server = createServer((_request, response) => response.setHeader('content-type', 'image/png').end(picture));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/harbour.png`;
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const page = await openDropWindow(desktop);
  await desktop.drop([], { 'text/uri-list': address }, page);
  await expect(page.getByRole('status')).toHaveText('1 upload failed');
  expect((await desktop.notifications()).at(-1)).toMatchObject({
    title: 'Couldn’t upload a picture',
    body: expect.stringContaining('harbour.png'),
  });

  const status = await desktop.page.evaluate(async () => {
    const body = JSON.stringify({ fetch_allowed_hosts: ['127.0.0.1'] });
    return (await fetch('/api/v1/admin/settings', { method: 'PATCH', headers: { 'content-type': 'application/json' }, body })).status;
  });
  expect(status).toBe(200);
  await desktop.drop([], { 'text/uri-list': address }, page);
  await expect(page.getByRole('status')).toHaveText('Link copied · Only this computer can open it');
  expect(await desktop.clipboardText()).toMatch(LINK);
  await closeWithEscape(desktop, page);
});

test('the drop window opens where it was, and its page may do nothing else', async ({ used: desktop }) => {
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const first = await openDropWindow(desktop);
  const bounds = { x: 300, y: 200, width: 260, height: 280 };
  await desktop.app.evaluate(({ BrowserWindow }, place) => BrowserWindow.getAllWindows()[1]?.setBounds(place), bounds);
  await closeWithEscape(desktop, first);
  const page = await openDropWindow(desktop);
  expect(await dropWindow(desktop)).toMatchObject({ bounds });
  const attempts = await page.evaluate(async () => {
    const { pixdock } = window;
    if (!pixdock) throw new Error('no bridge');
    const refused = (call: Promise<unknown>) =>
      call.then(
        () => 'allowed',
        (error: Error) => error.message,
      );
    return [
      await refused(pixdock.setPreferences({ language: 'zh' })),
      await refused(pixdock.getUploads({ section: 'done', limit: 1, offset: 0 })),
    ];
  });
  expect(attempts).toEqual(Array(2).fill('This page isn’t allowed to use the desktop app.'));
});
