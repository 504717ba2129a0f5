import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { checkScreen } from '#test/e2e/axe.ts';
import { choose } from './drafts.ts';
import { expect, test } from './fixtures.ts';
import { describeFilm, itemsIn, RECORD_KEYS, recordPage, recordScreen, shownSeconds } from './recordings.ts';

// Recordings of Chromium's fake screen, which moves, with its microphone, which beeps.

/** In both colour schemes, in the size that such a window has. */
async function checkWindow(page: Page, name: string, width: number, height: number) {
  for (const colorScheme of ['light', 'dark'] as const) await checkScreen(page, name, { name: colorScheme, colorScheme, width, height });
}

test('a key records a region until it is pressed again, and the draft is opened', async ({ launch, folder }) => {
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
