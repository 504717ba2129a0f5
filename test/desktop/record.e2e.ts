import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { changeGroup, listGroups } from '#api/admin/groups.ts';
import { createClient } from '#api/client.ts';
import { runBuiltCli } from '#test/cli/built-cli.ts';
import { checkScreen } from '#test/e2e/axe.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { choose, sendWithEnter } from './drafts.ts';
import { expect, test } from './fixtures.ts';
import { describeFilm, itemsIn, RECORD_KEYS, recordPage, recordScreen, shownSeconds } from './recordings.ts';

// Recordings of Chromium's fake screen, which moves, with its microphone, which beeps.

/** In both colour schemes, in the size that such a window has. */
async function checkWindow(page: Page, name: string, width: number, height: number) {
  for (const colorScheme of ['light', 'dark'] as const) await checkScreen(page, name, { name: colorScheme, colorScheme, width, height });
}

test('a key records a region until it is pressed again, and the draft is opened, cut and sent', async ({ launch, folder }) => {
  const desktop = await launch();
  await choose(desktop, { recordShortcut: RECORD_KEYS, recordCountdown: 3, recordMicrophone: true });
  await desktop.pressShortcut(RECORD_KEYS);
  const region = await recordPage(desktop, '1');
  await expect(region.getByRole('button', { name: 'Start recording' })).toBeDisabled();
  await region.mouse.move(300, 200);
  await region.mouse.down();
  await region.mouse.move(1101, 651, { steps: 3 });
  await region.mouse.up();
  await expect(region.locator('#size')).toHaveText('800 × 450');
  await region.keyboard.press('Shift+ArrowLeft');
  await region.keyboard.press('ArrowDown');
  await expect(region.locator('#size')).toHaveText('790 × 450');
  await checkWindow(region, 'choosing a region', 1920, 1080);
  await region.keyboard.press('Enter').catch(() => undefined); // its window closes
  const bar = await recordPage(desktop, 'bar');
  await expect(bar.getByRole('status')).toHaveText(/^Starts in \d$/);
  await expect(bar.getByRole('status')).toHaveText('Recording');
  await expect.poll(() => shownSeconds(bar)).toBeGreaterThanOrEqual(3);
  await checkWindow(bar, 'the bar of a recording', 372, 64);
  expect(await desktop.labels()).toEqual(expect.arrayContaining(['Stop recording', 'Pause', 'Discard recording']));
  await desktop.pressShortcut(RECORD_KEYS);
  const user = join(folder, 'user');
  await expect.poll(() => itemsIn(user)).toEqual([{ path: expect.stringMatching(/\.mp4$/), state: 'draft', size: expect.any(Number) }]);
  const [{ path = '' } = {}] = itemsIn(user);
  expect(existsSync(`${path}.poster.jpg`)).toBe(true);
  const film = await describeFilm(path);
  expect(film).toMatchObject({ size: '790×450', codecs: ['avc', expect.stringMatching(/aac|opus/)] });
  expect(film.seconds).toBeGreaterThan(2.9);
  expect(Math.abs(film.seconds - (film.sound ?? 0))).toBeLessThan(0.3);
  // One each second, where the next fragment begins.
  const fragments = [...film.keys.slice(1), film.seconds].map((end, index) => end - (film.keys[index] ?? 0));
  expect(Math.max(...fragments)).toBeLessThan(1.5);
  const pages = () => desktop.app.windows().map((page) => new URL(page.url()).pathname.split('/').at(-1));
  await expect.poll(pages).toContain('edit.html');
  expect(pages()).not.toContain('record.html');

  const edit = desktop.app.windows().find((page) => page.url().endsWith('/edit.html')) as Page;
  const start = edit.getByRole('slider', { name: 'Start' });
  await start.press('Shift+ArrowRight');
  await expect(start).toHaveAttribute('aria-valuetext', /^0:(01|00\.9)/); // a frame
  await sendWithEnter(edit);
  await expect.poll(() => desktop.clipboardText()).toMatch(/\/i\/\w{12}\.mp4$/);
  const cut = join(folder, 'cut.mp4');
  await writeFile(cut, await contentOf(fetch(await desktop.clipboardText())));
  const sent = await describeFilm(cut);
  expect(sent.codecs).toEqual(film.codecs);
  expect(Math.abs(sent.seconds - (film.seconds - 1))).toBeLessThan(0.2);
  expect(Math.abs(sent.seconds - (sent.sound ?? 0))).toBeLessThan(0.3);
  await expect.poll(() => readdir(join(user, 'spool'))).toEqual([]);
});

test('a recording is paused, resumed and discarded, from the bar and the tray', async ({ launch, folder }) => {
  const desktop = await launch();
  const bar = await recordScreen(desktop, 1);
  await bar.getByRole('button', { name: 'Pause' }).click();
  await expect(bar.getByRole('status')).toHaveText('Paused');
  const at = await shownSeconds(bar);
  await expect.poll(() => desktop.labels()).toContain('Resume');
  await desktop.press('Resume');
  await expect(bar.getByRole('status')).toHaveText('Recording');
  await expect.poll(() => shownSeconds(bar)).toBeGreaterThan(at);
  await bar.getByRole('button', { name: 'Discard' }).click();
  await expect(bar.getByRole('status')).toHaveText('Discard the recording?');
  await expect(bar.getByRole('button', { name: 'Keep' })).toBeFocused();
  await bar.getByRole('button', { name: 'Discard' }).click();
  const user = join(folder, 'user');
  await expect.poll(() => itemsIn(user).map(({ state }) => state)).toEqual(['discarded']);
  await expect.poll(() => readdir(join(user, 'spool'))).toEqual([]);
  await expect.poll(() => desktop.labels()).toContain('Record');
});

test('a recording survives the app, up to its last second', async ({ launch, folder }) => {
  const user = join(folder, 'user');
  for (let kill = 1; kill <= 2; kill++) {
    const desktop = await launch();
    const bar = await recordScreen(desktop, 2 + kill);
    const shown = await shownSeconds(bar);
    await desktop.crash();
    const { path, state } = itemsIn(user).at(-1) ?? { path: '' };
    expect(state).toBe('recording');
    const next = await launch();
    await expect.poll(() => itemsIn(user).map((item) => item.state)).toEqual(Array(kill).fill('draft'));
    await expect.poll(() => next.notifications()).toMatchObject([{ title: 'A recording was kept' }]);
    const { seconds, times } = await describeFilm(path);
    expect(seconds).toBeGreaterThan(shown - 1.5);
    expect(times.length).toBeGreaterThan(5 * shown);
    await next.end();
  }
});

test('a recording is kept when its page crashes, and when its bar is closed', async ({ launch, folder }) => {
  const desktop = await launch();
  const states = () => itemsIn(join(folder, 'user')).map(({ state }) => state);
  const crashing = await recordScreen(desktop, 2);
  const devtools = await crashing.context().newCDPSession(crashing);
  devtools.send('Page.crash').catch(() => undefined); // it can't respond
  await expect.poll(states).toEqual(['draft']);
  await expect.poll(() => desktop.notifications()).toMatchObject([{ body: expect.stringContaining('ended unexpectedly') }]);
  await expect.poll(() => desktop.labels()).toContain('Record');
  await recordScreen(desktop, 2);
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().endsWith('#bar'))
      ?.close(),
  );
  await expect.poll(states).toEqual(['draft', 'draft']);
  expect(await desktop.notifications()).toHaveLength(1);
});

test('the command line starts and stops one, whose link is printed and copied', async ({ launch, folder }) => {
  const desktop = await launch({ userData: join(folder, 'config/Pixdock') });
  await choose(desktop, { afterRecording: 'upload', recordCountdown: 0 });
  const cli = (...args: string[]) => runBuiltCli(folder, ['upload', '--record', ...args]);
  expect(await cli('screen', '--name', 'a.mp4')).toMatchObject({ code: 2, stderr: expect.stringContaining('--record takes only') });
  const choosing = cli();
  const region = await recordPage(desktop, '1');
  await expect(region.getByRole('button', { name: 'Start recording' })).toBeVisible(); // before, no key does anything
  await region.keyboard.press('Escape').catch(() => undefined); // its window closes
  expect(await choosing).toEqual({ stdout: '', stderr: '', code: 1 });
  expect(await cli('screen')).toEqual({ stdout: '', stderr: 'pixdock: Recording. Run the command again to stop.\n', code: 0 });
  const bar = await recordPage(desktop, 'bar');
  await expect.poll(() => shownSeconds(bar)).toBeGreaterThanOrEqual(2);
  const { stdout, code } = await cli();
  expect({ stdout, code }).toEqual({ stdout: expect.stringMatching(/^http:\S+\.mp4\n$/), code: 0 });
  await expect.poll(() => desktop.clipboardText()).toBe(stdout.trim());
  expect((await fetch(stdout.trim())).headers.get('content-type')).toBe('video/mp4');
});

test('a recording ends, and is kept, at the account’s limit, when the computer sleeps, and when the app quits', async ({
  launch,
  folder,
}) => {
  const desktop = await launch();
  await desktop.page.getByRole('navigation').first().waitFor();
  const baseUrl = new URL(desktop.page.url()).origin;
  const cookies = await desktop.page.context().cookies(baseUrl);
  const headers = { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
  const client = createClient({ baseUrl });
  for (const { id } of (await client.call(listGroups, { query: {}, headers })).items)
    await client.call(changeGroup, { params: { id }, body: { max_video_seconds: 6 }, headers });
  const bar = await recordScreen(desktop, 0);
  await expect(bar.getByRole('status')).toHaveText(/^\d s left$/);
  await expect.poll(() => desktop.notifications()).toMatchObject([{ body: expect.stringContaining('what your account may upload') }]);
  const user = join(folder, 'user');
  const states = () => itemsIn(user).map(({ state }) => state);
  expect(states()).toEqual(['draft']);
  expect((await describeFilm(itemsIn(user)[0]?.path ?? '')).seconds).toBeLessThan(6);

  await expect.poll(() => desktop.labels()).toContain('Record');
  await recordScreen(desktop, 1);
  await desktop.app.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
  await expect.poll(states).toEqual(['draft', 'draft']);
  await expect.poll(() => desktop.notifications()).toMatchObject([{}, { body: expect.stringContaining('put to sleep') }]);

  await expect.poll(() => desktop.labels()).toContain('Record');
  await recordScreen(desktop, 1);
  await desktop.quit();
  expect(states()).toEqual(['draft', 'draft', 'draft']);
});

test('a window is chosen from a list with pictures', async ({ desktop }) => {
  await choose(desktop, { recordCountdown: 0 });
  await desktop.app.evaluate(({ desktopCapturer }) => {
    const getSources = desktopCapturer.getSources.bind(desktopCapturer);
    desktopCapturer.getSources = async (options) => {
      const [screen] = await getSources({ ...options, types: ['screen'] });
      const windows = ['Terminal', 'A report with a long name that goes on and on'].map((name, index) => ({
        ...screen,
        id: `window:${index}:0`,
        name,
      }));
      return windows as Electron.DesktopCapturerSource[];
    };
  });
  await desktop.press('Record', 'Window…');
  const sources = await recordPage(desktop, 'sources');
  await expect(sources.getByRole('button', { name: 'Terminal' })).toBeFocused();
  await checkWindow(sources, 'choosing a window', 760, 560);
  await sources.keyboard.press('Tab');
  await sources.keyboard.press('Enter').catch(() => undefined); // its window closes
  await expect.poll(async () => shownSeconds(await recordPage(desktop, 'bar'))).toBeGreaterThanOrEqual(1);
  await desktop.press('Discard recording');
  await expect.poll(() => desktop.labels()).toContain('Record');
});

test('nothing but the bar sees the screen, and what the system refuses is explained', async ({ desktop }) => {
  const refused = (page: Page) =>
    page.evaluate(() =>
      navigator.mediaDevices.getDisplayMedia({ video: true }).then(
        () => 'seen',
        ({ name }) => name,
      ),
    );
  await desktop.page.getByRole('navigation').first().waitFor();
  expect(await refused(desktop.page)).toBe('NotAllowedError');
  await desktop.app.evaluate(({ session }) => {
    const { defaultSession } = session;
    const set = defaultSession.setDisplayMediaRequestHandler.bind(defaultSession);
    defaultSession.setDisplayMediaRequestHandler = () => set((_request, respond) => respond(null));
  });
  await choose(desktop, { recordCountdown: 0 });
  await desktop.press('Record', 'Whole screen');
  await expect
    .poll(() => desktop.notifications())
    .toMatchObject([{ title: 'Recording', body: expect.stringMatching(/^The system doesn’t let Pixdock record this. NotAllowedError/) }]);
  await expect.poll(() => desktop.labels()).toContain('Record');
});
