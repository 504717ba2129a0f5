import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, pixels, png, test } from './fixtures.ts';

// Capture and upload, with a stand-in for the desktop's program; and shortcuts where they can't be checked.

const TOOLS = ['slop', 'maim', 'scrot', 'xfce4-screenshooter', 'gnome-screenshot', 'spectacle', 'flameshot'];
const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/\w{12}\.png$/;

/** A folder with this computer's programs except those for the clipboard under Wayland. */
async function programsWithoutClipboard(folder: string): Promise<string> {
  const bin = join(folder, 'programs');
  await mkdir(bin);
  const names = (await readdir('/usr/bin')).filter((name) => !['wl-copy', 'wl-paste'].includes(name));
  await Promise.all(names.map((name) => symlink(join('/usr/bin', name), join(bin, name))));
  return bin;
}

test('a selected part of the screen is uploaded from the tray, by its shortcut and by the command line', async ({
  launch,
  folder,
  image,
}) => {
  test.skip(process.platform !== 'linux', 'the stand-in is a program for X11');
  const shot = await image('shot.png', '#a3c');
  const bin = join(folder, 'bin');
  await mkdir(bin);
  // All of them, so that none of this computer is used.
  const tool = async (script: string) => {
    for (const name of TOOLS) await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  await tool(`case "$0" in *slop) echo 60x40+1+2;; *) cp '${shot}' "$2";; esac`);
  const desktop = await launch({
    userData: join(folder, 'config/Pixdock'),
    env: { PATH: `${bin}:/usr/bin:/bin`, XDG_CURRENT_DESKTOP: 'i3' },
  });
  const { page } = desktop;
  await desktop.press('Capture and upload');
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  const response = await fetch(await desktop.clipboardText());
  expect(await pixels(await response.arrayBuffer())).toEqual(await pixels(await readFile(shot)));
  await expect
    .poll(() => desktop.labels('Recent uploads'))
    .toEqual(['Only this computer can open it', expect.stringMatching(/^screenshot-\d{8}-\d{6}-\d{3}\.png$/), 'Send to…']);

  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  await page.getByRole('button', { name: 'Capture shortcut' }).click();
  await page.keyboard.press('Control+Alt+KeyC');
  await expect
    .poll(() => desktop.shortcuts())
    .toEqual(
      // Each with the one that inverts it.
      ['CommandOrControl+Shift+U', 'CommandOrControl+Shift+Alt+U', 'Control+Alt+C', 'Control+Alt+Shift+C'],
    );
  await desktop.clearClipboard();
  await desktop.pressShortcut('Control+Alt+C');
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);

  const cli = (...mode: string[]) => runBuiltCli(folder, ['upload', '--template', '{width}×{height}', '--capture', ...mode]);
  for (const mode of [[], ['last-region'], ['window']]) expect(await cli(...mode)).toEqual({ stdout: '60×40\n', stderr: '', code: 0 });
  const before = await desktop.notifications();
  await tool('echo "Selection was cancelled by keystroke or right-click." >&2; exit 1');
  expect(await cli()).toEqual({ stdout: '', stderr: '', code: 1 });
  expect(await desktop.notifications()).toEqual(before);
  await tool('echo "Failed to open display" >&2; exit 1');
  const reason = `Couldn’t take the screenshot. ${TOOLS.slice(1)
    .map((name) => `${name}: Failed to open display`)
    .join(' ')}`;
  expect(await cli()).toEqual({ stdout: '', stderr: `pixdock: ${reason}\n`, code: 1 });
  expect((await desktop.notifications()).at(-1)).toEqual({ title: 'Couldn’t capture the screen', body: reason });
});

test('under Wayland, the app doesn’t claim that its shortcuts work, and shows the commands to bind and the package to install', async ({
  launch,
  folder,
}) => {
  test.skip(process.platform !== 'linux', 'Wayland is for Linux');
  const { page } = await launch({ env: { WAYLAND_DISPLAY: 'wayland-9', PATH: await programsWithoutClipboard(folder) } });
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  await expect(page.getByText('This desktop doesn’t let apps use shortcuts under Wayland.')).toBeVisible();
  await expect(page.getByText('pixdock upload --clipboard')).toBeVisible();
  await expect(page.getByText('pixdock upload --capture')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy pixdock upload --capture' })).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Upload copied pictures' })).toBeDisabled();
  await expect(page.getByText('Pixdock needs the package wl-clipboard')).toBeVisible();
  await checkPage(page, 'shortcuts under Wayland');
});

test('copied pictures are uploaded automatically while that is on, each once', async ({ desktop }) => {
  const { page } = desktop;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  const old = await png('#111');
  await desktop.copyOutside('image/png', old);
  await page.getByRole('switch', { name: 'Upload copied pictures' }).click();
  await expect.poll(() => page.evaluate(() => window.pixdock?.getPreferences())).toMatchObject({ watchClipboard: true });
  await desktop.copyOutside('text/plain', 'words');
  await desktop.copyOutside('image/png', await png('#222'));
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  await expect
    .poll(() => desktop.labels('Recent uploads'))
    .toEqual(['Only this computer can open it', expect.stringMatching(/^clipboard-/), 'Send to…']);
});
