import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { decideDeviceRequest } from '#api/auth/devices.ts';
import { listTokens, revokeToken } from '#api/auth/tokens.ts';
import { listImages } from '#api/images/images.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { type SignedIn, setUp, startTestService } from '#test/helpers/service/service.ts';
import type { Desktop } from './driver.ts';
import { expect, pixels, png, test } from './fixtures.ts';

const APP = /^http:\/\/127\.0\.0\.1:\d+\//;
const SETUP = /\/resources\/setup\.html$/;
const JOINED = /\/resources\/joined\.html$/;

const siteName = async (desktop: Desktop) => {
  const response = await fetch(new URL('/api/v1/config', desktop.page.url()));
  return (await response.json()).data.site_name;
};

test('a new user hosts with a name and a folder of their own, and isn’t asked again', async ({ launch, folder }) => {
  test.skip(process.platform !== 'linux', 'sets the folder of a screenshot tool for Linux');
  const screenshots = await screenshotsFolder(folder);
  const first = await launch({ asks: true });
  await expect(first.page).toHaveURL(SETUP);
  await expect(first.page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Pixdock');
  const offer = first.page.getByRole('checkbox', { name: 'Upload new screenshots automatically' });
  await expect(offer).not.toBeChecked();
  await offer.check();
  await first.page.getByRole('button', { name: 'Options…' }).click();
  await first.page.getByLabel('Name').fill('Team pictures');
  const synchronised = join(folder, 'Dropbox');
  await mkdir(synchronised);
  await first.choose(synchronised);
  await first.page.getByRole('button', { name: 'Change…' }).click();
  await expect(first.page.getByRole('alert')).toContainText('Another program synchronises this folder');
  await expect(first.page.getByTestId('folder')).toHaveText(synchronised);
  const used = join(folder, 'used');
  await mkdir(used);
  await writeFile(join(used, 'notes.txt'), 'other files');
  await first.choose(used);
  await first.page.getByRole('button', { name: 'Change…' }).click();
  await expect(first.page.getByTestId('folder')).toHaveText(join(used, 'Pixdock'));
  await expect(first.page.getByRole('alert')).toHaveCount(0);
  const desktop = await first.withNextWindow(() => first.page.getByRole('button', { name: 'Start hosting' }).click());
  await expect(desktop.page).toHaveURL(APP);
  await expect(desktop.page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await expect.poll(() => siteName(desktop)).toBe('Team pictures');
  const watched = () =>
    desktop.page.evaluate(async () => (await window.pixdock?.getFolders())?.map(({ path, options }) => [path, options.existing]));
  await expect.poll(watched).toEqual([[screenshots, false]]);
  expect(await desktop.app.windows()).toHaveLength(1);
  await desktop.quit();

  const again = await launch({ asks: true });
  await expect(again.page).toHaveURL(APP);
  expect(await siteName(again)).toBe('Team pictures');
});

test('one click opens the page that restores a backup', async ({ launch }) => {
  const first = await launch({ asks: true });
  const desktop = await first.withNextWindow(() => first.page.getByRole('button', { name: 'Restore a backup' }).click());
  await expect(desktop.page).toHaveURL(/\/admin\/backup$/);
  await expect(desktop.page.getByRole('heading', { name: 'Backup', exact: true })).toBeVisible();
});

test('an existing data folder is opened, another folder is refused', async ({ launch, folder }) => {
  const dataDir = join(folder, 'old');
  await mkdir(dataDir);
  const earlier = await startTestService({ dataDir });
  await (await setUp(earlier)).client.call(changeAdminSettings, { body: { site_name: 'Holidays' } });
  await earlier.stop();

  const first = await launch({ asks: true });
  await first.choose(folder);
  await first.page.getByRole('button', { name: 'Open a data folder' }).click();
  await expect(first.page.getByRole('alert')).toContainText('isn’t a Pixdock data folder.');
  await first.choose(dataDir);
  const desktop = await first.withNextWindow(() => first.page.getByRole('button', { name: 'Open a data folder' }).click());
  await expect(desktop.page).toHaveURL(APP);
  expect(await siteName(desktop)).toBe('Holidays');
});

/** Lets the system save screenshots to a folder of the test, as its tool's settings say. */
async function screenshotsFolder(folder: string): Promise<string> {
  const screenshots = join(folder, 'screenshots');
  const settings = join(folder, 'user', 'appData');
  await mkdir(screenshots);
  await mkdir(settings, { recursive: true });
  await writeFile(join(settings, 'spectaclerc'), `[ImageSave]\nimageSaveLocation=${pathToFileURL(screenshots)}\n`);
  return screenshots;
}

/** Approves the request that the page shows. */
async function approve(desktop: Desktop, owner: SignedIn) {
  const code = desktop.page.getByText(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  const user_code = await code.innerText();
  await owner.client.call(decideDeviceRequest, { body: { user_code, decision: 'approve' } });
}

test('a new user joins a Pixdock, which gets all uploads; it may be away, revoke the access, and be left', async ({ launch, folder }) => {
  test.slow();
  const dataDir = join(folder, 'host');
  await mkdir(dataDir);
  let host = await startTestService({ dataDir });
  const { url } = host;
  const owner = await setUp(host);
  const link = new RegExp(`^${url}/i/[0-9A-Za-z]{12}\\.png$`);
  const upload = async (desktop: Desktop, colour: string) => {
    await desktop.clearClipboard();
    await desktop.copyOutside('image/png', await png(colour));
    await desktop.press('Upload clipboard');
  };
  const arrived = async (desktop: Desktop, colour: string) => {
    await expect.poll(() => desktop.clipboardText(), { timeout: 60_000 }).toMatch(link);
    const served = await fetch(await desktop.clipboardText());
    expect(await pixels(await served.arrayBuffer())).toEqual(await pixels(await png(colour)));
  };

  const first = await launch({ asks: true });
  await first.page.getByRole('button', { name: 'Join a Pixdock server' }).click();
  const address = first.page.getByLabel('Address');
  await address.fill('127.0.0.1:9');
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByRole('alert')).toContainText('Nothing is responding at this address.');
  await address.fill(url.replace('http://', ''));
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByRole('heading', { level: 1 })).toHaveText('Approve this computer');
  await first.page.getByRole('button', { name: 'Open the approval page' }).click();
  await expect.poll(() => first.opened()).toEqual([expect.stringMatching(new RegExp(`^${url}/connect#code=`))]);
  await approve(first, owner);
  await expect(first.page.getByRole('heading', { level: 1 })).toHaveText('Upload to Pixdock?');
  await expect(first.page.getByText('ada', { exact: true })).toBeVisible();
  const desktop = await first.withNextWindow(() => first.page.getByRole('button', { name: 'Use this server' }).click());

  await expect(desktop.page).toHaveURL(JOINED);
  const title = desktop.page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Connected to Pixdock');
  expect(await desktop.servicePid()).toBeUndefined();
  await expect.poll(async () => (await desktop.labels())[0]).toBe('Connected to Pixdock');
  await upload(desktop, '#2a7fd4');
  await arrived(desktop, '#2a7fd4');
  await expect.poll(() => desktop.labels('Recent uploads')).toEqual([expect.stringMatching(/^clipboard-.*\.png$/)]);

  await desktop.page.getByRole('button', { name: 'Settings' }).click();
  await expect(desktop.page.getByRole('status', { name: 'Preview' })).toContainText(url);
  await desktop.page.getByRole('switch', { name: 'Uploaded pictures' }).click();
  await expect.poll(() => desktop.page.evaluate(async () => (await window.pixdock?.getPreferences())?.notifications)).toBe(false);
  await checkPage(desktop.page, 'settings of a joined app');
  await desktop.page.getByRole('button', { name: 'Back' }).click();

  await desktop.page.getByRole('button', { name: 'Uploads' }).click();
  await expect(desktop.page.getByRole('listitem')).toContainText('clipboard-');
  await desktop.page.getByRole('button', { name: 'Back' }).click();

  const watched = join(folder, 'watched');
  await mkdir(watched);
  await desktop.page.getByRole('button', { name: 'Watch folders' }).click();
  await desktop.choose(watched);
  await desktop.page.getByRole('button', { name: 'Choose a folder…' }).click();
  await desktop.page.getByRole('dialog').getByRole('button', { name: 'Start watching' }).click();
  await expect(desktop.page.getByRole('listitem')).toContainText('watched');
  await writeFile(join(watched, 'new.png'), await png('#d4d42a'));
  await expect.poll(async () => (await owner.client.call(listImages, { query: {} })).items.map(({ name }) => name)).toContain('new.png');
  await desktop.page.getByRole('button', { name: 'Back' }).click();

  await host.stop();
  await upload(desktop, '#d42a2a');
  await expect(title).toHaveText('Pixdock isn’t responding', { timeout: 30_000 });
  host = await startTestService({ dataDir, port: Number(new URL(url).port) });
  await arrived(desktop, '#d42a2a');
  await expect(title).toHaveText('Connected to Pixdock');

  const [token] = (await owner.client.call(listTokens, { query: {} })).items;
  await owner.client.call(revokeToken, { params: { id: String(token?.id) } });
  await upload(desktop, '#2ad42a');
  await expect(title).toHaveText('Pixdock no longer accepts uploads', { timeout: 30_000 });
  await expect.poll(() => desktop.toolTip()).toContain('no longer accepts uploads');
  await desktop.page.getByRole('button', { name: 'Connect again' }).click();
  await approve(desktop, owner);
  await expect(title).toHaveText('Connected to Pixdock', { timeout: 30_000 });
  await arrived(desktop, '#2ad42a');

  await desktop.page.getByRole('button', { name: 'Leave this server' }).click();
  await expect(title).toHaveText('Connected to Pixdock');
  await desktop.chooseButton(1);
  const ended = desktop.app.waitForEvent('close');
  await desktop.page.getByRole('button', { name: 'Leave this server' }).click();
  await ended;
  expect((await owner.client.call(listTokens, { query: {} })).items).toEqual([]);
  const again = await launch({ asks: true });
  await expect(again.page).toHaveURL(SETUP);
  await host.stop();
});
