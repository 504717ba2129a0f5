import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, png, test } from './fixtures.ts';
import { childrenOf, isAlive } from './processes.ts';

const APP = /^http:\/\/127\.0\.0\.1:\d+\/$/;
const STATUS_PAGE = /\/resources\/status\.html$/;

test.skip(process.platform === 'win32', 'ends processes by signals, which Windows does not have');

test('after kill -9 of the service the window reports it and recovers automatically at the same address, and uploads work', {
  tag: '@essential',
}, async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  const address = desktop.page.url();
  const pid = (await desktop.servicePid()) ?? 0;
  expect(pid).not.toBe(0);
  const statusPage = desktop.page.waitForURL(STATUS_PAGE);
  process.kill(pid, 'SIGKILL');
  await statusPage;
  await expect(desktop.page).toHaveURL(address);
  expect(await desktop.servicePid()).not.toBe(pid);
  await desktop.copyOutside('image/png', await png('#c33'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
  expect((await fetch(await desktop.clipboardText())).status).toBe(200);
});

test('an upload started while the service is down completes when it is back', async ({ used: desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  await desktop.copyOutside('image/png', await png('#3c3'));
  process.kill((await desktop.servicePid()) as number, 'SIGKILL');
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
  expect((await fetch(await desktop.clipboardText())).status).toBe(200);
});

test('a taken port is reported in the tray and on an unprivileged page, and the gallery opens automatically once it is free', async ({
  launch,
}) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const desktop = await launch({ env: { PIXDOCK_PORT: String(port) } });
  await expect(desktop.page).toHaveURL(STATUS_PAGE);
  await expect(desktop.page.getByRole('heading')).toHaveText('The Pixdock service isn’t running');
  await expect(desktop.page.getByText(`is using port ${port}`)).toBeVisible();
  await expect.poll(() => desktop.toolTip()).toContain('another program is using its port');
  const refusal = desktop.page.evaluate(() => window.pixdock?.copyText('stolen'));
  await expect(refusal).rejects.toThrow('This page isn’t allowed to use the desktop app.');
  expect(await desktop.clipboardText()).toBe('');
  await desktop.page.getByRole('button', { name: 'Retry now' }).click();
  other.close();
  await once(other, 'close');
  await expect(desktop.page).toHaveURL(`http://127.0.0.1:${port}/`);
});

test('a restore requested by an admin restarts the service, and the window is signed in again', async ({ used: desktop }) => {
  const { page } = desktop;
  await expect(page).toHaveURL(APP);
  const pid = await desktop.servicePid();
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name: 'Backup' }).click();
  await page.getByRole('button', { name: 'Back up now' }).click();
  await expect(page.getByRole('button', { name: /^Restore .*\.tar$/ })).toBeVisible();
  await desktop.copyOutside('image/png', await png('#c33'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
  const later = await desktop.clipboardText();
  await page.getByRole('button', { name: /^Restore .*\.tar$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Check and restore' }).click();
  await page.getByRole('button', { name: 'Restart and restore' }).click();
  await expect.poll(() => desktop.servicePid()).not.toBe(pid);
  await expect(page.getByRole('link', { name: /^Account: / })).toBeVisible();
  // The page stays while the service restarts.
  await expect.poll(async () => (await fetch(later).catch(() => undefined))?.status).toBe(404);
  await desktop.clearClipboard();
  await desktop.copyOutside('image/png', await png('#3c3'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
  expect((await fetch(await desktop.clipboardText())).status).toBe(200);
});

test('quitting from the tray exits with code 0 and leaves no process', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  const address = desktop.page.url();
  const processes = childrenOf(desktop.pid()).map(({ pid }) => pid);
  expect(await desktop.quit()).toBe(0);
  await expect.poll(() => processes.filter(isAlive)).toEqual([]);
  await expect(fetch(address)).rejects.toThrow();
});

test('when the app is killed, the service exits too', async ({ desktop }) => {
  await expect(desktop.page).toHaveURL(APP);
  const service = (await desktop.servicePid()) ?? 0;
  await desktop.crash();
  await expect.poll(() => isAlive(service)).toBe(false);
});

test('a wrong environment variable stops the start with a message that names it', async ({ start }) => {
  const { code, output } = await start({ PIXDOCK_PORT: 'seven' });
  expect(code).toBe(1);
  expect(output).toContain('The environment variable PIXDOCK_PORT is invalid');
});
