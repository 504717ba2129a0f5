import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, png, test } from './fixtures.ts';

// “This computer” in the settings: the desktop app's addition to the web app.

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/\w{12}\.png$/;

test('a new shortcut works immediately, survives a restart and can be removed', async ({ launch }) => {
  const desktop = await launch();
  const { page } = desktop;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  await expect(page.getByText(/^Version \d+\.\d+\.\d+$/)).toBeVisible();
  const field = page.getByRole('button', { name: 'Shortcut', exact: true });
  await expect(field).toHaveText(/Ctrl \+ Shift \+ U|⌘ \+ ⇧ \+ U/);
  await field.click();
  await expect(field).toHaveText('Press the keys…');
  await page.keyboard.press('Escape');
  await expect(field).toHaveText(/U$/);
  await field.click();
  await page.keyboard.press('KeyX'); // a key without a modifier would become untypable
  await expect(field).toHaveText('Press the keys…');
  await page.keyboard.press('Control+Alt+KeyP');
  await expect(field).toHaveText(/P$/); // shown immediately; the app registers it a moment later
  await expect.poll(() => desktop.shortcuts()).toEqual(['Control+Alt+P', 'Control+Alt+Shift+P']);
  await desktop.copyOutside('image/png', await png('#0c0'));
  await desktop.pressShortcut('Control+Alt+P');
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  await desktop.end();

  const again = await launch();
  await again.page.getByRole('link', { name: 'Settings' }).click();
  await again.page.getByRole('link', { name: 'This computer' }).click();
  const kept = again.page.getByRole('button', { name: 'Shortcut', exact: true });
  await expect(kept).toHaveText(/Alt \+ P$/);
  await again.page.getByRole('button', { name: 'Remove' }).click();
  await expect(kept).toHaveText('None');
  await expect.poll(() => again.shortcuts()).toEqual([]);
});

test('the tray opens the settings, where a click on its icon gets another meaning', async ({ desktop }) => {
  test.skip(process.platform === 'darwin', 'a click opens the menu there');
  const { page } = desktop;
  await expect(page.getByRole('navigation')).toBeVisible();
  await desktop.press('Settings…');
  await page.getByRole('combobox', { name: 'When you click the tray icon' }).click();
  await page.getByRole('option', { name: 'Upload clipboard' }).click();
  await desktop.copyOutside('image/png', await png('#0cc'));
  await expect(async () => {
    await desktop.clickTray();
    expect(await desktop.clipboardText()).toMatch(LINK);
  }).toPass();
});

test('a shortcut taken by another program is reported in the settings', async ({ launch }) => {
  const desktop = await launch({ args: ['--taken-shortcut=CommandOrControl+Shift+U'] });
  const { page } = desktop;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  await expect(page.getByText('This shortcut is already in use. Choose another one.')).toBeVisible();
  await checkPage(page, 'this computer');
  await page.getByRole('button', { name: 'Shortcut', exact: true }).click();
  await page.keyboard.press('Control+Alt+KeyQ');
  await expect(page.getByText('This shortcut is already in use. Choose another one.')).toBeHidden();

  await desktop.press('Show uploads…');
  await expect(page.getByText(/press (Ctrl\+Alt\+Q|⌃⌥Q) in any program/)).toBeVisible();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await desktop.press('Show uploads…');
  await expect(page.getByText('upload what’s on the clipboard from the tray menu')).toBeVisible();
});

test('editors: the address, the program that holds the port instead, visibility and album', async ({ launch }) => {
  const picgo = createServer((_request, response) => response.end('{"success":true,"result":"alive"}'));
  await new Promise<void>((resolve) => picgo.listen(0, '127.0.0.1', resolve));
  const { port } = picgo.address() as AddressInfo;
  const { page } = await launch({ env: { PIXDOCK_EDITORS_PORT: String(port) } });
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  await expect(page.getByText(`Another uploader, such as PicGo or PicList, is using port ${port}.`)).toBeVisible();
  await new Promise<void>((resolve) => {
    picgo.close(() => resolve());
    picgo.closeAllConnections();
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(`http://127.0.0.1:${port}/upload`)).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Visibility of editor uploads' }).getByText('Only you').click();
  await expect.poll(() => page.evaluate(() => window.pixdock?.getPreferences())).toMatchObject({ editorVisibility: 'private' });
  await page.getByRole('combobox', { name: 'Format of editor uploads' }).click();
  await page.getByRole('option', { name: 'WebP' }).click();
  await page.getByRole('combobox', { name: 'Format', exact: true }).click();
  await page.getByRole('option', { name: 'AVIF' }).click();
  await expect.poll(() => page.evaluate(() => window.pixdock?.getPreferences())).toMatchObject({ editorConvert: 'webp', convert: 'avif' });
  await page.getByRole('switch', { name: 'Uploads from editors' }).click();
  await expect(page.getByText(`http://127.0.0.1:${port}/upload`)).toBeHidden();
  const alive = () =>
    fetch(`http://127.0.0.1:${port}/heartbeat`, { method: 'POST' }).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(alive).toBe(false);
});

test('a start at login that the system blocks says where to allow it, until the user has', async ({ desktop }) => {
  const { page, app } = desktop;
  // Only macOS and Windows block it.
  const become = (state: string) =>
    app.evaluate(({ ipcMain }, value) => {
      ipcMain.removeHandler('pixdock:getStartAtLogin');
      ipcMain.handle('pixdock:getStartAtLogin', () => ({ ok: true, value }));
    }, state);
  await become('blocked');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  const blocked = page.getByText('until you allow it');
  await expect(blocked).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Start at login' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Open these settings' })).toBeVisible();
  await checkPage(page, 'a blocked start at login');
  await become('on');
  await expect(blocked).toBeHidden();
});
