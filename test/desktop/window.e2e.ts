import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from './fixtures.ts';
import { launchProgram } from './launch.ts';

const APP = /^http:\/\/127\.0\.0\.1:\d+\/$/;

test('the window shows the gallery, signed in as the owner without a password', { tag: '@essential' }, async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const session = await desktop.page.evaluate(async () => (await fetch('/api/v1/auth/session')).json());
  expect(session.data.user).toMatchObject({ is_owner: true, role: 'admin', has_password: false });
  await expect.poll(() => desktop.windowVisible()).toBe(true);
});

test('the page has the session without access to it, the bridge, and nothing of Node or Electron', async ({ used: desktop }) => {
  const { page } = desktop;
  await expect(page).toHaveURL(APP);
  // The address changes before the document has a body.
  await expect(page.getByRole('navigation')).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect((await page.context().cookies(page.url()))[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate(() => ['require', 'process', 'module', 'ipcRenderer'].filter((name) => name in window))).toEqual([]);
  expect(await page.evaluate(() => window.pixdock?.getVersion())).toMatch(/^\d+\.\d+\.\d+/);
  const refusal = page.evaluate(() => window.pixdock?.setPreferences({ linkFormat: 'carrier pigeon' as 'url' }));
  await expect(refusal).rejects.toThrow('The call setPreferences has an invalid argument.');
  const inFrame = await page.evaluate(() => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    return typeof frame.contentWindow?.pixdock;
  });
  expect(inFrame).toBe('undefined');
});

test('external links open in the browser, file links don’t open, and the window stays', async ({ used: desktop }) => {
  const { page } = desktop;
  await expect(page).toHaveURL(APP);
  await page.evaluate(() => {
    location.href = 'https://example.org/away';
  });
  await expect.poll(() => desktop.opened()).toEqual(['https://example.org/away']);
  await page.evaluate(() => window.open('file:///etc/passwd'));
  await page.evaluate(() => window.open('https://example.org/new-window'));
  await expect.poll(() => desktop.opened()).toEqual(['https://example.org/away', 'https://example.org/new-window']);
  await expect(page).toHaveURL(APP);
});

test('closing the window keeps the app in the tray, notifies once, and the tray opens it again', async ({ used: desktop }) => {
  await expect.poll(() => desktop.windowVisible()).toBe(true);
  await desktop.closeWindow();
  await expect.poll(() => desktop.windowVisible()).toBe(false);
  expect(await desktop.notifications()).toEqual([{ title: 'Pixdock is still running', body: expect.stringContaining('tray') }]);
  await desktop.press('Open Pixdock');
  expect(await desktop.windowVisible()).toBe(true);
  await desktop.closeWindow();
  await expect.poll(() => desktop.windowVisible()).toBe(false);
  expect(await desktop.notifications()).toHaveLength(1);
  await desktop.press('Open Pixdock');
});

test('a second start shows the first one’s window and exits', async ({ used: desktop, usedHome }) => {
  await expect.poll(() => desktop.windowVisible()).toBe(true);
  await desktop.closeWindow();
  const { command, args, env } = launchProgram(desktop, join(usedHome, 'config/Pixdock'));
  const second = spawn(command, args, { env, stdio: 'ignore' });
  const [code] = await once(second, 'exit');
  expect(code).toBe(0);
  await expect.poll(() => desktop.windowVisible()).toBe(true);
});

test('window bounds, session and preferences survive a restart', async ({ launch }) => {
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
