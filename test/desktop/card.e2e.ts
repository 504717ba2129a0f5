import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { checkPage } from '#test/e2e/axe.ts';
import { captureTools, choose, editPage } from './drafts.ts';
import type { Desktop } from './driver.ts';
import { expect, test } from './fixtures.ts';

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/\w{12}\.png$/;

/** The page of cards once there is one. */
async function cardPage({ app }: Desktop): Promise<Page> {
  const find = () => app.windows().find((page) => page.url().includes('/card.html'));
  await expect.poll(() => find() !== undefined).toBe(true);
  return find() as Page;
}

/** The window of cards, as the main process sees it; undefined while there is none. */
const cardWindow = ({ app }: Desktop) =>
  app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes('/card.html'));
    return (
      window && {
        onTop: window.isAlwaysOnTop(),
        visible: window.isVisible(),
        focused: window.isFocused(),
        height: window.getBounds().height,
      }
    );
  });

test('a capture has a card with its picture, which is dragged out, copied, edited, pinned and deleted', async ({
  launch,
  folder,
  image,
}) => {
  test.skip(process.platform !== 'linux', 'the stand-ins are programs for X11');
  const desktop = await launch(await captureTools(folder, await image('shot.png', '#a3c')));
  await choose(desktop, { cardSeconds: 0 });
  await desktop.press('Capture and upload');
  const page = await cardPage(desktop);
  const card = page.getByRole('article').first();
  await expect(card.getByRole('status')).toHaveText('Link copied');
  await expect(card.locator('img')).toBeVisible();
  await expect.poll(() => cardWindow(desktop)).toEqual({ onTop: true, visible: true, focused: false, height: 116 });
  // One of the two, never both.
  expect(await desktop.notifications()).toEqual([]);
  const link = await desktop.clipboardText();
  expect(link).toMatch(LINK);
  await checkPage(page, 'a card');

  await desktop.clearClipboard();
  await card.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => desktop.clipboardText()).toBe(link);
  await desktop.app.evaluate(({ clipboard }) => {
    clipboard.writeText = async () => Promise.reject(new Error('no clipboard'));
  });
  await card.getByRole('button', { name: 'Copy link' }).click();
  await expect(card.getByText('Couldn’t copy the link')).toBeVisible();

  const dragged = await desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes('/card.html'));
    return new Promise<string>((resolve) => {
      if (window) window.webContents.startDrag = ({ file }) => resolve(file);
      void window?.webContents.executeJavaScript(
        "document.querySelector('.picture').dispatchEvent(new DragEvent('dragstart', { bubbles: true }))",
      );
    });
  });
  expect(dragged).toMatch(/screenshot-[\d-]+\.png$/);
  expect(await readFile(dragged)).toEqual(await readFile(`${folder}/shot.png`));

  await card.getByRole('button', { name: 'Pin' }).click();
  await expect.poll(() => desktop.labels()).toContain('Close the pinned picture');

  // Several stack, and none is on the screen while the next one is captured.
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().includes('/card.html'));
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    window?.on('hide', () => seen.push('hidden'));
    window?.on('show', () => seen.push('shown'));
  });
  await captureTools(folder, await image('second.png', '#3a7'));
  await desktop.press('Capture and upload');
  await expect(page.getByRole('button', { name: 'Copy link' })).toHaveCount(2);
  await expect.poll(() => cardWindow(desktop)).toMatchObject({ visible: true, height: 232 });
  expect(await desktop.app.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual(['hidden', 'shown']);

  // The keyboard reaches the newest, and Escape closes it.
  await desktop.press('Go to the latest card');
  expect(await cardWindow(desktop)).toMatchObject({ focused: true });
  await expect(card.getByRole('button', { name: 'Copy link' })).toBeFocused();
  await card.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect(card.getByRole('button', { name: 'Delete' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article')).toHaveCount(1);

  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => cardWindow(desktop)).toBeUndefined();
  expect((await fetch(link)).status).toBe(404);

  await captureTools(folder, await image('third.png', '#37a'));
  await desktop.press('Capture and upload');
  await (await cardPage(desktop)).getByRole('button', { name: 'Edit a copy' }).click();
  await editPage(desktop);
  await expect.poll(() => cardWindow(desktop)).toBeUndefined();
});

test('without cards, notifications are shown as before', async ({ launch, folder, image }) => {
  test.skip(process.platform !== 'linux', 'the stand-ins are programs for X11');
  const desktop = await launch(await captureTools(folder, await image('shot.png', '#a3c')));
  await choose(desktop, { captureCards: false });
  await desktop.press('Capture and upload');
  await expect.poll(() => desktop.notifications()).toEqual([{ title: 'Link copied', body: expect.stringContaining('screenshot-') }]);
  expect(await cardWindow(desktop)).toBeUndefined();
});
