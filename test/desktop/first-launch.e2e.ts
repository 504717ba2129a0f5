import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
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
  await first.page.getByRole('button', { name: 'Start hosting' }).click();
  await expect(first.page.getByText('Choose who should open your links.')).toBeVisible();
  await first.page.getByRole('radio', { name: 'Only this computer' }).check();
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

test('every screenshot is one keypress away from a link that everyone on the network can open', {
  tag: '@essential',
}, async ({ launch, image }) => {
  const first = await launch({
    asks: true,
    args: ['--network=192.168.77.5', '--taken-shortcut=CommandOrControl+Shift+2', '--taken-shortcut=Control+Shift+2'],
  });
  const { page } = first;
  const keys = page.getByRole('button', { name: 'Capture shortcut' });
  await expect(keys).toHaveText('Ctrl + Shift + 1'); // the first that is free
  await keys.click();
  await page.keyboard.press('Control+Shift+Digit2');
  await expect(page.getByText('This shortcut is already in use. Choose another one.')).toBeVisible();
  await keys.click();
  await page.keyboard.press('Control+Alt+KeyK');
  await expect(page.getByText('This shortcut is already in use. Choose another one.')).toHaveCount(0);
  await checkPage(page, 'the first page');
  await page.getByRole('radio', { name: 'Anyone on your network' }).check();
  const desktop = await first.withNextWindow(() => page.getByRole('button', { name: 'Start hosting' }).click());
  const link = /^http:\/\/192\.168\.77\.5:\d+\/i\/[0-9A-Za-z]{12}\.png$/;
  await expect(desktop.page.getByText('Each one gets a link. Anyone on your network can open it.')).toBeVisible();
  await expect.poll(() => desktop.shortcuts()).toContain('Control+Alt+K');
  await desktop.drop([await image('shot.png', '#2a7fd4')]);
  await expect.poll(() => desktop.clipboardText()).toMatch(link);
  await expect(desktop.page.getByRole('alert').filter({ hasText: 'Link copied' })).toContainText('Anyone on your network can open it');
});

test('a link that only this computer can open is copied with an offer to share it', { tag: '@essential' }, async ({ launch, image }) => {
  const desktop = await launch({ args: ['--network=192.168.77.5'] });
  const { page } = desktop;
  await expect(page.getByText('Each one gets a link. Only this computer can open it.')).toBeVisible();
  await desktop.drop([await image('shot.png', '#2a7fd4')]);
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const notice = page.getByRole('alert').filter({ hasText: 'Link copied' });
  await expect(notice).toContainText('Only this computer can open it');
  await expect.poll(() => desktop.labels('Recent uploads')).toContain('Only this computer can open it');
  await notice.getByRole('button', { name: 'Share now' }).click();
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http:\/\/192\.168\.77\.5:\d+\/i\/[0-9A-Za-z]{12}\.png$/);
  await expect(page.getByRole('alert').filter({ hasText: 'Link copied again' })).toContainText('Anyone on your network can open it');
  await page.getByRole('link', { name: 'Open shot.png' }).click();
  await expect(page.getByRole('complementary', { name: 'Details' })).toContainText('Anyone on your network can open it');
  await expect(page.getByRole('radio', { name: 'Anyone on your network' })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Uploads' }).click();
  await desktop.clearClipboard();
  await page.getByRole('button', { name: 'Copy link to shot.png' }).click();
  await expect.poll(() => desktop.clipboardText()).toMatch(/^http:\/\/192\.168\.77\.5:/);
});

test('one click opens the page that restores a backup', async ({ launch }) => {
  const first = await launch({ asks: true });
  const menu = await first.otherMenu('appMenu');
  for (const label of ['Copy', 'Paste', 'Reload', 'Quit Pixdock']) expect(menu).toContain(label);
  expect(menu).not.toContain('Upload files…'); // nothing takes them yet
  const desktop = await first.withNextWindow(() => first.page.getByRole('button', { name: 'Restore a backup' }).click());
  await expect.poll(() => desktop.otherMenu('appMenu')).toContain('Upload files…');
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
  const group = (await owner.client.call(listGroups, { query: {} })).items.find(({ kind }) => kind === 'owner');
  await owner.client.call(changeGroup, { params: { id: String(group?.id) }, body: { max_file_bytes: 1_048_576 } });
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
  // An invitation's link fills in its server.
  await first.app.evaluate(
    ({ app }, link) => app.emit('open-url', { preventDefault: () => undefined }, link),
    `pixdock://join?address=${encodeURIComponent(url)}`,
  );
  await expect(address).toHaveValue(url);
  await checkPage(first.page, 'joining by an invitation');
  await first.page.getByRole('button', { name: 'Connect' }).click();
  await expect(first.page.getByRole('heading', { level: 1 })).toHaveText('Approve this computer');
  await first.page.getByRole('button', { name: 'Open the approval page' }).click();
  await expect.poll(() => first.opened()).toEqual([expect.stringMatching(new RegExp(`^${url}/connect#code=`))]);
  await approve(first, owner);
  await expect(first.page.getByRole('heading', { level: 1 })).toHaveText('Upload to Pixdock?');
  await expect(first.page.getByText('ada', { exact: true })).toBeVisible();
  const desktop = await first.withNextWindow(() => first.page.getByRole('button', { name: 'Use this server' }).click());

  await expect(desktop.page).toHaveURL(JOINED);
  const { page } = desktop;
  const title = page.getByRole('heading', { level: 1 });
  const goTo = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  const row = (name: string | RegExp) => page.getByRole('listitem').filter({ hasText: name });
  await expect(title).toHaveText('Uploads');
  await expect(page.getByRole('status').filter({ hasText: 'Connected to Pixdock as ada' })).toBeVisible();
  expect(await desktop.servicePid()).toBeUndefined();
  // Without a name of its own, it isn't confused with the app.
  await expect.poll(async () => (await desktop.labels())[0]).toBe(`Connected to ${new URL(url).host}`);
  await checkPage(page, 'the window of a joined app');
  await goTo('Gallery');
  await expect.poll(() => desktop.opened()).toContain(`${url}/`);
  await goTo('Received pictures');
  await expect.poll(() => desktop.opened()).toContain(`${url}/sent`);
  await upload(desktop, '#2a7fd4');
  await arrived(desktop, '#2a7fd4');
  await expect
    .poll(() => desktop.labels('Recent uploads'))
    .toEqual(['Only this computer can open it', expect.stringMatching(/^clipboard-.*\.png$/), 'Send to…']);

  // Anything dropped on the window or pasted is uploaded, or the window says why it isn't.
  const album = join(folder, 'album');
  await mkdir(join(album, 'trip'), { recursive: true });
  await writeFile(join(album, 'one.png'), await png('#111'));
  await writeFile(join(album, 'trip', 'two.png'), await png('#222'));
  await writeFile(join(album, 'trip', 'notes.txt'), 'text');
  await desktop.drop([album]);
  await expect(row('two.png').locator('img')).toHaveAttribute('src', /^data:image\/jpeg;base64,/);
  await expect(row('one.png')).toHaveAttribute('data-state', 'done');
  await expect(row('notes.txt')).toHaveCount(0);
  await page.getByRole('link', { name: 'Open one.png' }).click();
  await expect.poll(() => desktop.opened()).toContainEqual(expect.stringMatching(new RegExp(`^${url}/s/\\w{12}$`)));
  await desktop.clearClipboard();
  await page.getByRole('button', { name: 'Copy link to one.png' }).click();
  await expect.poll(() => desktop.clipboardText()).toMatch(link);
  await page.getByRole('button', { name: 'Remove one.png from the list' }).click();
  await expect(row('one.png')).toHaveCount(0);
  const paste = async (bytes: Buffer | undefined) =>
    page.evaluate((base64) => {
      const clipboardData = new DataTransfer();
      const byteOf = (character: string) => character.charCodeAt(0);
      if (base64) clipboardData.items.add(new File([Uint8Array.from(atob(base64), byteOf)], 'image.png', { type: 'image/png' }));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, bytes?.toString('base64'));
  await paste(await png('#333'));
  await expect(row(/^Pasted .*\.png/)).toHaveAttribute('data-state', 'done');
  const nothing = page.getByRole('alert').filter({ hasText: 'Nothing to upload' });
  await paste(undefined);
  await expect(nothing).toBeVisible();
  await nothing.getByRole('button').click();
  await expect(nothing).toHaveCount(0);
  const empty = join(folder, 'no pictures');
  await mkdir(empty);
  await writeFile(join(empty, 'notes.txt'), 'text');
  await desktop.drop([empty]);
  await expect(nothing).toBeVisible();
  const large = join(folder, 'large.png');
  await writeFile(large, Buffer.alloc(1_100_000));
  await desktop.drop([join(empty, 'notes.txt'), large]);
  await expect(row('notes.txt')).toContainText('isn’t in a supported format');
  await expect(row('large.png')).toContainText('larger than 1 MB');
  await checkPage(page, 'uploads of a joined app');
  await page.getByRole('button', { name: 'Retry notes.txt' }).click();
  await page.getByRole('button', { name: 'Dismiss large.png' }).click();
  await expect(row('large.png')).toHaveCount(0);
  const stored = async () => (await owner.client.call(listImages, { query: {} })).items.length;
  expect(await stored()).toBe(4);
  await desktop.drop([], { 'text/uri-list': `${url}/i/000000000000.png` });
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t upload the picture' })).toBeVisible();

  await goTo('Settings');
  await expect(page.getByRole('status', { name: 'Preview' })).toContainText(url);
  await page.getByRole('switch', { name: 'Uploaded pictures' }).click();
  await expect.poll(() => page.evaluate(async () => (await window.pixdock?.getPreferences())?.notifications)).toBe(false);
  await checkPage(page, 'settings of a joined app');
  await page.getByRole('navigation', { name: 'Groups of settings' }).getByRole('link', { name: 'Network' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Leave this server' })).toBeInViewport();
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('简体中文').click();
  await expect(title).toHaveText('设置');
  await expect(page.getByRole('heading', { level: 2, name: '监视文件夹' })).toBeVisible();
  await desktop.press('更多', '语言', 'English');
  await expect(title).toHaveText('Settings');
  await desktop.press('More', 'Theme', 'Dark');
  await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true);
  await desktop.press('Show uploads…');
  await expect(title).toHaveText('Uploads');

  const watched = join(folder, 'watched');
  await mkdir(watched);
  await goTo('Watch folders');
  await expect(title).toHaveText('Watch folders');
  await desktop.choose(watched);
  await page.getByRole('button', { name: 'Choose a folder…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start watching' }).click();
  await expect(page.getByRole('listitem')).toContainText('watched');
  await writeFile(join(watched, 'new.png'), await png('#d4d42a'));
  await expect.poll(async () => (await owner.client.call(listImages, { query: {} })).items.map(({ name }) => name)).toContain('new.png');
  await goTo('Uploads');
  await expect(page.getByRole('region', { name: 'Watch folders' }).getByRole('link', { name: 'watched' })).toContainText('Watching');

  await host.stop();
  await upload(desktop, '#d42a2a');
  const vanishing = join(folder, 'vanishing.png');
  await writeFile(vanishing, await png('#444'));
  await desktop.drop([vanishing]);
  await expect(row('vanishing.png')).toHaveAttribute('data-state', 'waiting');
  await rm(vanishing);
  const away = page.getByRole('status').filter({ hasText: 'Pixdock isn’t responding' });
  await expect(away).toContainText('Uploads are waiting', { timeout: 30_000 });
  await goTo('Watch folders');
  await expect(away).toBeVisible();
  await checkPage(page, 'a joined app whose server is away');
  await goTo('Uploads');
  host = await startTestService({ dataDir, port: Number(new URL(url).port) });
  await arrived(desktop, '#d42a2a');
  await expect(away).toHaveCount(0);
  await expect(row('vanishing.png')).toContainText('The file no longer exists.');

  const [token] = (await owner.client.call(listTokens, { query: {} })).items;
  await owner.client.call(revokeToken, { params: { id: String(token?.id) } });
  await upload(desktop, '#2ad42a');
  const revoked = page.getByRole('alert').filter({ hasText: 'Pixdock no longer accepts uploads' });
  await expect(revoked).toContainText('Uploads are waiting', { timeout: 30_000 });
  await expect.poll(() => desktop.toolTip()).toContain('no longer accepts uploads');
  await revoked.getByRole('button', { name: 'Connect again' }).click();
  await approve(desktop, owner);
  await expect(title).toHaveText('Uploads', { timeout: 30_000 });
  await arrived(desktop, '#2ad42a');
  await expect(revoked).toHaveCount(0);

  await goTo('Settings');
  await page.getByRole('button', { name: 'Leave this server' }).click();
  await expect(title).toHaveText('Settings');
  await desktop.chooseButton(1);
  const ended = desktop.app.waitForEvent('close');
  await desktop.page.getByRole('button', { name: 'Leave this server' }).click();
  await ended;
  expect((await owner.client.call(listTokens, { query: {} })).items).toEqual([]);
  const again = await launch({ asks: true });
  await expect(again.page).toHaveURL(SETUP);
  await host.stop();
});
