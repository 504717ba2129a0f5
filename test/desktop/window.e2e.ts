import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { launchProgram } from './driver.ts';
import { test } from './fixtures.ts';

const APP = /^http:\/\/127\.0\.0\.1:\d+\/$/;

test('the window shows the gallery, signed in as the owner without a password', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const session = await desktop.page.evaluate(async () => (await fetch('/api/v1/auth/session')).json());
  expect(session.data.user).toMatchObject({ is_owner: true, role: 'admin', has_password: false });
  await expect.poll(() => desktop.windowVisible()).toBe(true);
});

test('the session cookie cannot be read by the page, and is in no address', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  expect(await desktop.page.evaluate(() => document.cookie)).toBe('');
  const [cookie] = await desktop.page.context().cookies(desktop.page.url());
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
});

test('the page gets the bridge and nothing of Node or Electron', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  const globals = await desktop.page.evaluate(() => ['require', 'process', 'module', 'ipcRenderer'].filter((name) => name in window));
  expect(globals).toEqual([]);
  expect(await desktop.page.evaluate(() => window.pixdock?.getVersion())).toMatch(/^\d+\.\d+\.\d+/);
});

test('a call with a wrong argument is refused', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  const refusal = desktop.page.evaluate(() => window.pixdock?.setPreferences({ linkFormat: 'carrier pigeon' as 'url' }));
  await expect(refusal).rejects.toThrow('The call setPreferences has a wrong argument.');
});

test('a frame in the page cannot use the bridge', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  const found = await desktop.page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return typeof frame.contentWindow?.pixdock;
  });
  expect(found).toBe('undefined');
});

test('what leads elsewhere opens in the browser, and the window stays', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  await desktop.page.evaluate(() => {
    location.href = 'https://example.org/away';
  });
  await expect.poll(() => desktop.opened()).toEqual(['https://example.org/away']);
  await desktop.page.evaluate(() => window.open('https://example.org/new-window'));
  await expect.poll(() => desktop.opened()).toEqual(['https://example.org/away', 'https://example.org/new-window']);
  await expect(desktop.page).toHaveURL(APP);
});

test('a file: address opens nowhere', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  await desktop.page.evaluate(() => window.open('file:///etc/passwd'));
  await desktop.page.evaluate(() => window.open('https://example.org/after'));
  await expect.poll(() => desktop.opened()).toEqual(['https://example.org/after']);
});

test('closing the window leaves the app in the tray, says so once, and the tray opens it again', async ({ desktop }) => {
  await expect.poll(() => desktop.windowVisible()).toBe(true);
  await desktop.closeWindow();
  expect(await desktop.windowVisible()).toBe(false);
  expect(await desktop.notifications()).toEqual([{ title: 'Pixdock keeps running', body: expect.stringContaining('tray') }]);
  await desktop.press('Open Pixdock');
  expect(await desktop.windowVisible()).toBe(true);
  await desktop.closeWindow();
  expect(await desktop.notifications()).toHaveLength(1);
});

test('a second start shows the window of the first, and ends', async ({ desktop, folder }) => {
  await expect.poll(() => desktop.windowVisible()).toBe(true);
  await desktop.closeWindow();
  const { command, args, env } = launchProgram(desktop.kind, join(folder, 'user'));
  const second = spawn(command, args, { env, stdio: 'ignore' });
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  await expect.poll(() => desktop.windowVisible()).toBe(true);
});

test('place, session and preferences survive a restart', async ({ launch }) => {
  const first = await launch();
  await expect(first.page).toHaveURL(APP);
  const bounds = { x: 140, y: 90, width: 900, height: 640 };
  await first.app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds);
  await first.press('Link format', 'Markdown');
  const sessions = (desktop: typeof first) =>
    desktop.page
      .context()
      .cookies(desktop.page.url())
      .then((cookies) => cookies.map(({ value }) => value));
  const before = await sessions(first);
  expect(before).toHaveLength(1);
  expect(await first.quit()).toBe(0);

  const second = await launch();
  await expect(second.page).toHaveURL(APP);
  expect(await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds())).toEqual(bounds);
  expect(await second.page.evaluate(() => window.pixdock?.getPreferences())).toMatchObject({ linkFormat: 'markdown' });
  expect(await sessions(second)).toEqual(before);
});
