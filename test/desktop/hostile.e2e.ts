import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright/test';
import { checkPage } from '#test/e2e/axe.ts';
import { freePort } from '#test/helpers/network/free-port.ts';
import type { Desktop } from './driver.ts';
import { expect, pixels, png, test } from './fixtures.ts';
import { launchProgram } from './launch.ts';
import { isAlive } from './processes.ts';

// What Electron does on some computers only, one trait of the double at a time. The project `hostile` runs the essential scenarios with all.

test.skip(process.platform !== 'linux', 'the double plays Linux');

/** The process that holds the lock of the only instance. */
const runningApp = async (userData: string) => Number(await readFile(join(userData, 'SingletonDouble/lock'), 'utf8').catch(() => '0'));

/** The pages of an app that no test has started. */
async function pagesOf(userData: string): Promise<string[]> {
  const active = await readFile(join(userData, 'chromium/DevToolsActivePort'), 'utf8').catch(() => undefined);
  if (active === undefined) return [];
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${active.split('\n')[0]}`).catch(() => undefined);
  const pages = browser?.contexts().flatMap((context) => context.pages().map((page) => new URL(page.url()).pathname)) ?? [];
  await browser?.close();
  return pages;
}

/** The app that has started after another one; it is quit in the end. */
async function appAfter(earlier: number, userData: string) {
  await expect.poll(async () => ![0, earlier].includes(await runningApp(userData))).toBe(true);
  const pid = await runningApp(userData);
  return {
    pid,
    async [Symbol.asyncDispose]() {
      process.kill(pid, 'SIGTERM');
      await expect.poll(() => isAlive(pid)).toBe(false);
    },
  };
}

async function startSecond(desktop: Desktop, userData: string, ...own: string[]) {
  const { command, args, env } = launchProgram(desktop, userData, {}, own);
  const [code] = await once(spawn(command, args, { env, stdio: 'ignore' }), 'exit');
  expect(code).toBe(0);
}

test('an app that is started while it quits starts again afterwards, on the page that was asked for', async ({ launch, folder }) => {
  const userData = join(folder, 'user');
  const desktop = await launch({
    hostile: 'slow-quit,relaunches',
    env: { PIXDOCK_PORT: String(await freePort()) },
    own: ['--hidden'],
  });
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const first = await runningApp(userData);
  const service = (await desktop.servicePid()) ?? 0;
  process.kill(service, 'SIGSTOP');
  const ended = desktop.quit();
  await expect.poll(() => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  await desktop.clickTray();
  await desktop.app.evaluate(({ app }) => void app.emit('activate', {}, false));
  await startSecond(desktop, userData, 'pixdock://open/trash');
  await expect.poll(() => desktop.labels()).toEqual(['Starting again in a moment…']);
  process.kill(service, 'SIGCONT');
  expect(await ended).toBe(0);

  await using second = await appAfter(first, userData);
  await expect.poll(() => pagesOf(userData)).toEqual(['/trash']);
  expect(isAlive(second.pid)).toBe(true);
});

test('the icon is made again when the panel starts later or restarts, and the window stays hidden meanwhile', async ({ launch }) => {
  const desktop = await launch({ hostile: 'tray-missed,tray-late,tray-restarts', own: ['--hidden'] });
  const timesShown = () => desktop.app.evaluate(({ Tray }) => (Tray as typeof Tray & { timesShown(): number }).timesShown());
  await expect.poll(timesShown).toBe(2);
  await expect.poll(() => desktop.labels()).toContain('Quit Pixdock');
  expect(await desktop.windowVisible()).toBe(false);
});

test('without an icon on the panel, an app that starts hidden is in the list of windows', async ({ launch }) => {
  const desktop = await launch({ hostile: 'tray-never,wayland-windows', own: ['--hidden'] });
  const isMinimized = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized());
  await expect.poll(isMinimized).toBe(true);
});

test('under Wayland, the drop window says that it can’t stay on top or remember its position', async ({ launch }) => {
  const desktop = await launch({ hostile: 'wayland-windows,never-ready-to-show', env: { WAYLAND_DISPLAY: 'wayland-9' } });
  const { page } = await desktop.withNextWindow(() => desktop.press('Show drop window'));
  await expect(page.getByText('Wayland doesn’t let apps keep a window on top')).toBeVisible();
  await expect.poll(() => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[1]?.isVisible())).toBe(true);
  await checkPage(page, 'drop window under Wayland');
});

test('a cookie store that is slow and refuses once delays the window, and nothing else', async ({ launch, folder }) => {
  const { page } = await launch({ hostile: 'cookies-slow,cookies-refused' });
  await expect(page.getByRole('navigation')).toBeVisible();
  const log = await readFile(join(folder, 'user/logs/service.log'), 'utf8');
  expect(log.match(/"msg":"listening"/g)).toHaveLength(1);
});

test('files and a click on the dock that come before the app is ready are handled once it is', async ({ launch, image }) => {
  const file = await image('early.png', '#186');
  const desktop = await launch({ hostile: 'early-events', own: [file, '--hidden'] });
  await expect.poll(() => desktop.labels('Recent uploads')).toEqual(['Only this computer can open it', 'early.png', 'Send to…']);
  await expect.poll(() => desktop.windowVisible()).toBe(true);
});

test('quitting asks before it loses what the page does, and can be called off', async ({ launch }) => {
  const desktop = await launch({ hostile: 'slow-quit' });
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  await desktop.page.evaluate(() => window.addEventListener('beforeunload', (event) => event.preventDefault()));
  const asked = () => desktop.app.evaluate(() => (globalThis as typeof globalThis & { asked: number }).asked);
  await desktop.app.evaluate(({ app, dialog }) => {
    Object.assign(globalThis, { asked: 0 });
    dialog.showMessageBoxSync = () => {
      const times = ++(globalThis as typeof globalThis & { asked: number }).asked;
      return times === 1 ? 0 : 1; // keep uploading, then quit
    };
    app.quit();
  });
  await expect.poll(asked).toBe(1);
  await expect.poll(() => desktop.labels()).toContain('Settings…');
  expect(await desktop.windowVisible()).toBe(true);
  expect(await desktop.quit()).toBe(0);
});

test('uploads arrive once while the computer suspends and resumes, with a slow clipboard that encodes pictures again', async ({
  launch,
}) => {
  const desktop = await launch({ hostile: 'sleeps,clipboard-slow' });
  for (const colour of ['#d42', '#4d2', '#24d']) {
    const picture = await png(colour);
    await desktop.clearClipboard();
    await desktop.copyOutside('image/png', picture);
    await desktop.press('Upload clipboard');
    await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
    const response = await fetch(await desktop.clipboardText());
    expect(await pixels(await response.arrayBuffer())).toEqual(await pixels(picture));
  }
  await expect.poll(async () => (await desktop.labels('Recent uploads')).length).toBe(5);
});

test('an upload that a shutdown interrupts is continued at the next start', async ({ launch }) => {
  const desktop = await launch({ hostile: 'shutdown-kills' });
  await expect(desktop.page.getByRole('navigation')).toBeVisible();
  const service = (await desktop.servicePid()) ?? 0;
  process.kill(service, 'SIGSTOP');
  await desktop.copyOutside('image/png', await png('#3c9'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.labels()).toContain('Uploading 1 picture…');
  const ended = desktop.app.waitForEvent('close');
  await desktop.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('shutdown', { preventDefault: () => undefined }));
  await ended;
  process.kill(service, 'SIGCONT');
  const next = await launch();
  await expect
    .poll(() => next.labels('Recent uploads'))
    .toEqual(['Only this computer can open it', expect.stringMatching(/^clipboard-/), 'Send to…']);
});
