import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startPanel } from '#test/desktop/double/system/panel.ts';
import type { Desktop } from './driver.ts';
import { expect, test } from './fixtures.ts';
import { launchProgram } from './launch.ts';

/** Starts the app again while it runs, and waits until that start has handed over its arguments. */
async function startAgain(desktop: Desktop, folder: string, ...own: string[]) {
  const { command, args, env } = launchProgram(desktop, join(folder, 'user'), {}, own);
  const second = spawn(command, args, { env, stdio: 'ignore' });
  expect((await once(second, 'exit'))[0]).toBe(0);
}

const isVisible = (desktop: Desktop) => expect.poll(() => desktop.windowVisible());

test('starts hidden at login; later starts hand over files, pages, or nothing', async ({ launch, folder, image }) => {
  const desktop = await launch({ own: ['--hidden'] });
  await expect(desktop.page.getByRole('navigation')).toBeVisible(); // it has loaded
  await isVisible(desktop).toBe(false);

  await startAgain(desktop, folder, '--hidden');
  await startAgain(desktop, folder, await image('given.png', '#186'));
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http.*\.png$/);
  await expect.poll(() => desktop.labels('Recent uploads')).toEqual(['Only this computer can open it', 'given.png', 'Send to…']);
  await isVisible(desktop).toBe(false);

  // A folder stands for the pictures in it, wherever it comes from.
  await mkdir(join(folder, 'given/more'), { recursive: true });
  for (const [path, colour] of [
    ['a.png', '#c18'],
    ['more/b.png', '#81c'],
  ] as const)
    await copyFile(await image('one.png', colour), join(folder, 'given', path));
  await startAgain(desktop, folder, join(folder, 'given'));
  await expect
    .poll(async () => (await desktop.labels('Recent uploads')).sort())
    .toEqual(['Only this computer can open them', 'Send to…', 'a.png', 'b.png', 'given.png']);
  await copyFile(await image('one.png', '#1c8'), join(folder, 'given/more/c.png'));
  await desktop.app.evaluate(
    (_electron, path) => {
      const { tray } = (globalThis as typeof globalThis & { __recorder: { tray: Electron.Tray } }).__recorder;
      tray.emit('drop-files', {} as never, [path] as never);
    },
    join(folder, 'given/more'),
  );
  await expect.poll(() => desktop.labels('Recent uploads')).toContain('c.png');
  await mkdir(join(folder, 'empty'));
  await startAgain(desktop, folder, join(folder, 'empty'));
  await expect.poll(async () => (await desktop.notifications()).at(-1)?.body).toBe('There are no pictures in this folder.');
  expect(await desktop.labels()).not.toContain('1 upload failed');
  await isVisible(desktop).toBe(false);

  await startAgain(desktop, folder, 'pixdock://open/trash');
  await expect(desktop.page).toHaveURL(/\/trash$/);
  await isVisible(desktop).toBe(true);
  await desktop.closeWindow();
  await isVisible(desktop).toBe(false);
  await startAgain(desktop, folder);
  await isVisible(desktop).toBe(true);
  await expect(desktop.page).toHaveURL(/\/trash$/);
});

test('without a tray, closing minimises the window and says so once', async ({ launch, folder }) => {
  test.skip(process.platform !== 'linux', 'other systems always have a tray');
  // The icons on this bus belong to the test.
  await using panel = await startPanel(join(folder, 'bus'));
  await panel.come();
  const desktop = await launch({ env: { DBUS_SESSION_BUS_ADDRESS: panel.address, XDG_CURRENT_DESKTOP: 'ubuntu:GNOME' } });
  await isVisible(desktop).toBe(true);
  const isMinimized = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized());
  await desktop.closeWindow();
  await expect.poll(isMinimized).toBe(true);
  await expect
    .poll(() => desktop.notifications())
    .toEqual([{ title: 'Pixdock is still running', body: expect.stringContaining('minimises it') }]);
  await startAgain(desktop, folder);
  await expect.poll(isMinimized).toBe(false);
  await desktop.closeWindow();
  await expect.poll(isMinimized).toBe(true);
  expect(await desktop.notifications()).toHaveLength(1);
});

test('leaves full screen before hiding, keeps a maximised window, and offers menus in the chosen language', async ({ launch }) => {
  const first = await launch();
  await expect(first.page.getByRole('navigation')).toBeVisible();
  await isVisible(first).toBe(true);
  const items = await first.otherMenu('appMenu');
  for (const label of ['Reload', 'Zoom in', 'Zoom out', 'Full screen', 'Cut', 'Copy', 'Paste', 'Open log folder', 'Quit Pixdock'])
    expect(items).toContain(label);
  await first.app.evaluate(({ BrowserWindow }) => {
    const params = {
      isEditable: false,
      selectionText: '',
      mediaType: 'image',
      srcURL: 'http://127.0.0.1/i/a.png',
      linkURL: 'http://127.0.0.1/s/a',
    };
    const editFlags = { canCut: false, canCopy: false, canPaste: false, canSelectAll: false };
    BrowserWindow.getAllWindows()[0]?.webContents.emit('context-menu', {}, { ...params, editFlags, x: 10, y: 10 });
  });
  expect(await first.otherMenu('contextMenu')).toEqual([
    'Copy picture',
    'Copy picture address',
    'Save picture as…',
    '',
    'Copy link address',
  ]);
  await first.page.evaluate(() => window.pixdock?.setPreferences({ language: 'zh' }));
  await expect.poll(() => first.otherMenu('appMenu')).toContain('重新加载');
  await first.page.evaluate(() => window.pixdock?.setPreferences({ language: 'system' }));

  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setFullScreen(true));
  await first.closeWindow();
  await isVisible(first).toBe(false);
  expect(await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFullScreen())).toBe(false);
  await first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize());
  await expect.poll(() => first.labels()).toContain('Quit Pixdock');
  expect(await first.quit()).toBe(0);

  const second = await launch({ own: ['--hidden'] });
  await expect(second.page.getByRole('navigation')).toBeVisible();
  const state = () =>
    second.app.evaluate(({ BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      return [window?.isVisible(), window?.isMaximized()];
    });
  expect(await state()).toEqual([false, false]);
  await second.press('Open Pixdock');
  expect(await state()).toEqual([true, true]);
});
