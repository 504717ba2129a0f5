import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright/test';
import { checkPage } from '#test/e2e/axe.ts';
import { freePort, OTHER_DEVICE } from '#test/helpers/network/free-port.ts';
import { expect, png, test } from './fixtures.ts';

// Sharing on the local network. The app is told that its network is the loopback adapter with this address, so nothing leaves
// the computer; requests come from an address that it doesn't have, as those of another device do.

const OWN = '127.0.0.5';
const NETWORK = `--network=${OWN}`;

test.skip(process.platform !== 'linux', 'needs loopback addresses besides 127.0.0.1');

async function openSettings(page: Page) {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
}

const sharing = (page: Page) => page.getByRole('switch', { name: 'On this network' });

/** Chooses an address. A name that is announced just then moves the choices away from under the pointer. */
async function choose(address: Locator) {
  await expect(async () => {
    await address.click();
    await expect(address).toBeChecked({ timeout: 1_000 });
  }).toPass();
}

/** A GET as another device: the body, or the error's code. */
async function visit(address: string, host?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const headers = host ? { host } : {};
  const sent = request(address, { localAddress: OTHER_DEVICE, agent: false, headers }, (response) => {
    text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject);
  });
  sent.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  sent.end();
  return promise;
}

/** A new user's folder in which another port was chosen before. */
async function withPort(folder: string, port: number) {
  await mkdir(join(folder, 'user'), { recursive: true });
  await writeFile(join(folder, 'user/network.json'), JSON.stringify({ port }));
}

test('on: another device opens links, which is confirmed; off: it is refused', async ({ launch }) => {
  const desktop = await launch({ args: [NETWORK] });
  const { page } = desktop;
  await openSettings(page);
  const { port } = new URL(page.url());
  expect(await visit(`http://${OWN}:${port}/healthz`)).toBe('ECONNREFUSED');
  await sharing(page).click();
  await expect(page.getByText(`http://${OWN}:${port}`, { exact: true })).toBeVisible();
  await expect(page.getByRole('img', { name: `QR code for http://${OWN}:${port}` })).toBeVisible();
  await expect(page.getByText('To check that it works, open the address on another device.')).toBeVisible();
  await expect(page.getByLabel('Preview')).toContainText(`http://${OWN}:${port}/i/`); // the page has loaded the new links
  await checkPage(page, 'sharing on the network');

  await desktop.copyOutside('image/png', await png('#0c6'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(new RegExp(`^http://${OWN}:${port}/i/`));
  const link = await desktop.clipboardText();
  expect(await visit(link)).toMatch(/^200 /);
  await expect(page.getByText(`Opened by ${OTHER_DEVICE}`)).toBeVisible();
  const state = `Shared on this network, opened by ${OTHER_DEVICE}`;
  await expect.poll(() => desktop.labels()).toContain(state);

  // The page stays while the service closes to the network.
  await desktop.press(state, 'Share on this network');
  await expect(sharing(page)).not.toBeChecked();
  await expect.poll(() => visit(link)).toBe('ECONNREFUSED');
  await expect(page).toHaveURL(/\/settings\/computer$/);
  expect((await fetch(link.replace(OWN, '127.0.0.1'))).status).toBe(200);
});

test('announces a name; links can start with it or another one, and former names stay accepted', async ({ launch, folder }) => {
  // A name that no other test announces at the same time.
  const label = `pixdock-e2e-${process.pid}`;
  await mkdir(join(folder, 'user'), { recursive: true });
  await writeFile(join(folder, 'user/network.json'), JSON.stringify({ label }));
  const desktop = await launch({ args: [NETWORK] });
  const { page } = desktop;
  await openSettings(page);
  const { port } = new URL(page.url());
  await sharing(page).click();
  await expect(page.getByText(`Announced as ${label}.local, a name that stays the same.`)).toBeVisible();
  await desktop.copyOutside('image/png', await png('#60c'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);

  await page.getByRole('button', { name: `Start links with ${label}.local…` }).click();
  const dialog = page.getByRole('dialog', { name: 'Link address' });
  await expect(dialog.getByRole('radio', { name: `http://${label}.local:${port}` })).toBeChecked();
  await expect(dialog.getByText(`1 picture may have links that start with http://${OWN}:${port}.`)).toBeVisible();
  await dialog.getByRole('button', { name: 'Use this address' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(`http://${label}.local:${port}`, { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Change address…' }).click();
  await choose(dialog.getByRole('radio', { name: 'Another name' }));
  const name = dialog.getByRole('textbox', { name: 'Another name' });
  await name.fill('not a name');
  await dialog.getByRole('button', { name: 'Use this address' }).click();
  await expect(dialog.getByText('Enter a host name or an IPv4 address, without http:// or a port.')).toBeVisible();
  await name.fill('pics.example.lan');
  await dialog.getByRole('button', { name: 'Use this address' }).click();
  await expect(dialog).toBeHidden(); // it shows the address, too
  await expect(page.getByText(`http://pics.example.lan:${port}`, { exact: true })).toBeVisible();
  const url = `http://${OWN}:${port}/api/v1/config`;
  expect(await visit(url, `${label}.local`)).toMatch(/^200 /);
  expect(await visit(url, 'pics.example.lan')).toMatch(/^200 /);
  expect(await visit(url, 'rebound.example')).toMatch(/^421 /);
});

test('a changed network is shown, and that links have lost their address', async ({ launch }) => {
  const desktop = await launch({ args: [NETWORK] });
  const { page } = desktop;
  await openSettings(page);
  await sharing(page).click();
  await expect(page.getByText('To check that it works, open the address on another device.')).toBeVisible();
  await desktop.joinNetwork('127.0.0.6');
  await expect(page.getByText(`Your links use ${OWN}, but this computer no longer has that address,`)).toBeVisible();
  await expect.poll(() => desktop.labels()).toContain(`Links don’t work: this computer no longer has the address ${OWN}`);
  await page.getByRole('button', { name: 'Change address…' }).click();
  await choose(page.getByRole('radio', { name: /^http:\/\/127\.0\.0\.6:/ }));
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByText('this computer no longer has that address')).toBeHidden();
});

test('a taken port: the way out is another port, chosen by the user and kept', async ({ launch, folder }) => {
  const taken = createServer().listen(await freePort(), '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await withPort(folder, port);
  const desktop = await launch({ env: { PIXDOCK_PORT: '' } });
  const { page } = desktop;
  await expect(page.getByText(new RegExp(`using port ${port}`))).toBeVisible();
  await expect.poll(() => desktop.labels()).toContain('Choose another port…'); // “Starting…” while it tries again
  await expect(page.getByText('There are no pictures yet, so no links will break.')).toBeVisible();
  await page.getByLabel('Port').fill(String(port));
  await page.getByRole('button', { name: 'Change port' }).click();
  await expect(page.getByText('Another program is using this port. Choose a different one.')).toBeVisible();
  const next = await freePort();
  await page.getByLabel('Port').fill(String(next));
  await page.getByRole('button', { name: 'Change port' }).click();
  await expect(page).toHaveURL(`http://127.0.0.1:${next}/`);
  await desktop.end();
  const again = await launch({ env: { PIXDOCK_PORT: '' } });
  await expect(again.page).toHaveURL(`http://127.0.0.1:${next}/`);
  taken.close();
});

test('a working port can be changed, with the number of links that break', async ({ launch, folder }) => {
  const port = await freePort();
  await withPort(folder, port);
  const desktop = await launch({ env: { PIXDOCK_PORT: '' } });
  const { page } = desktop;
  await expect(page).toHaveURL(`http://127.0.0.1:${port}/`);
  await desktop.copyOutside('image/png', await png('#06c'));
  await desktop.press('Upload clipboard');
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http/);
  await openSettings(page);
  await page.getByRole('button', { name: 'Change port…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the port' });
  await expect(dialog.getByText(`Links to 1 picture contain port ${port}. All links shared so far will stop working.`)).toBeVisible();
  const next = await freePort();
  await dialog.getByRole('textbox', { name: 'Port' }).fill(String(next));
  await dialog.getByRole('button', { name: 'Change port' }).click();
  await expect(page).toHaveURL(`http://127.0.0.1:${next}/settings/computer`);
});

test('a network that no device has reached is shown with the commands that let other devices in', async ({ launch }) => {
  const desktop = await launch({ args: [NETWORK] });
  const { page } = desktop;
  await openSettings(page);
  await sharing(page).click();
  await expect(page.getByText(/^Announced as/)).toBeVisible(); // after that, main reports nothing for a minute
  const status = await page.evaluate(() => window.pixdock?.getLanStatus());
  // What it would send then.
  await desktop.app.evaluate(
    ({ BrowserWindow }, unreached) => BrowserWindow.getAllWindows()[0]?.webContents.send('pixdock:lanStatus', unreached),
    { ...status, reach: 'unreached' },
  );
  await expect(page.getByText('No other device has opened Pixdock yet')).toBeVisible();
  const { port } = new URL(page.url());
  await expect(page.getByText(new RegExp(`${port}/tcp`))).toBeVisible();
  await checkPage(page, 'a network that no device has reached');
  await page.getByRole('button', { name: 'Copy commands' }).click();
  await expect.poll(() => desktop.clipboardText()).toContain(`${port}/tcp`);
});

test('the tray opens the page with the QR code, and PIXDOCK_HOST wins over the switch', async ({ launch }) => {
  test.skip(!networkInterfaces().lo, 'there is no loopback adapter of this name');
  const desktop = await launch({ args: [NETWORK], env: { PIXDOCK_HOST: '0.0.0.0' } });
  const { page } = desktop;
  await expect.poll(() => desktop.labels()).toContain('Shared on this network, not opened by another device yet');
  await desktop.press('Shared on this network, not opened by another device yet', 'Show QR code…');
  await expect(page).toHaveURL(/\/settings\/computer#network$/);
  await expect(page.getByRole('img', { name: /^QR code for/ })).toBeInViewport();
  await expect(sharing(page)).toBeDisabled();
  await expect(sharing(page)).toBeChecked();
  await expect(page.getByText('Set by the environment variable PIXDOCK_HOST.')).toBeVisible();
});
