import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkPage } from '#test/e2e/axe.ts';
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

// How the app writes links: Settings → This computer → Links, and the tray.

test('a template of one’s own: previewed while typing, checked, and used for what is copied', async ({ desktop, image }) => {
  const { page } = desktop;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  const preview = page.getByRole('status', { name: 'Preview' });
  await expect(preview).toHaveText(/^http\S+\/i\/\w{12}\.jpg\nhttp\S+\/i\/\w{12}\.png$/);
  await page.getByRole('combobox', { name: 'Link format' }).click();
  await page.getByRole('option', { name: 'Custom' }).click();
  const template = page.getByRole('textbox', { name: 'Template' });
  await template.fill('{name} {size}');
  await expect(page.getByText('Unknown placeholder: {size}')).toBeVisible();
  await expect(preview).toHaveText('harbour.jpg {size}\nplan.png {size}');
  await template.fill('');
  await expect(page.getByText('Enter a template.')).toBeVisible();
  await template.fill('<{name}|{width}×{height}>');
  await page.getByRole('radiogroup', { name: 'Separator between links' }).getByText('Comma').click();
  await expect(preview).toHaveText('<harbour.jpg|1600×1067>, <plan.png|1280×720>');
  await checkPage(page, 'links');
  await expect
    .poll(() => page.evaluate(() => window.pixdock?.getPreferences()))
    .toMatchObject({ linkFormat: 'custom', linkTemplate: '<{name}|{width}×{height}>', linkSeparator: 'comma' });

  await desktop.choose(await image('a.png', '#123'), await image('b.png', '#456'));
  await desktop.press('Upload files…');
  await expect.poll(() => desktop.clipboardText()).toBe('<a.png|60×40>, <b.png|60×40>');
  await desktop.press('Link format', 'URL');
  await desktop.press('Link format', 'Custom');
  await expect.poll(() => desktop.labels('Recent uploads')).toContain('a.png');
  await desktop.press('Recent uploads', 'a.png');
  await expect.poll(() => desktop.clipboardText()).toBe('<a.png|60×40>');
});

test('wrong calls from the page are rejected and logged, and the app keeps working', async ({ desktop, folder }) => {
  const { page } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  const accepted = await page.evaluate(async () => {
    const bridge = window.pixdock as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>;
    const wrong: unknown[][] = [[null], [{ a: { b: [1] } }, 'more'], [[['nested']], 1], [1, 2, 3, 4, 5]];
    const accepted: string[] = [];
    for (const [name, call] of Object.entries(bridge)) {
      if (typeof call !== 'function' || /^on[A-Z]/.test(name)) continue;
      for (const input of wrong)
        await call(...input).then(
          () => accepted.push(name),
          () => undefined,
        );
    }
    await bridge.copyText?.('x'.repeat(5_000_000)).then(
      () => accepted.push('a huge text'),
      () => undefined,
    );
    return accepted;
  });
  expect(accepted).toEqual([]);
  expect(await page.evaluate(() => window.pixdock?.getVersion())).toMatch(/^\d/);
  expect(await readFile(join(folder, 'user/logs/main.log'), 'utf8')).toContain('The call setPreferences has an invalid argument');
});
