import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { checkPage, checkScreen } from '#test/e2e/axe.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { captureTools, choose, cover, DRAWN_ON, editPage, filesIn, filesWith, keptIn, openDraft, sendWithEnter, stroke } from './drafts.ts';
import type { Desktop } from './driver.ts';
import { expect, pixels, png, test } from './fixtures.ts';

// Pictures that are looked at before they are uploaded.

test.skip(process.platform !== 'linux', 'the stand-in for capturing is a program for X11');

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/\w{12}\.\w+$/;
const [WIDTH, HEIGHT] = [300, 200];
/** The part of the picture that others mustn't see. */
const SECRET = { left: 150, top: 40, width: 120, height: 120 };

/** A plain picture with noise in it, and a part of the noise. */
async function noisyPicture() {
  const noise = randomBytes(SECRET.width * SECRET.height * 3);
  const input = await sharp(noise, { raw: { width: SECRET.width, height: SECRET.height, channels: 3 } })
    .png()
    .toBuffer();
  const picture = await sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#3a7' } })
    .composite([{ input, left: SECRET.left, top: SECRET.top }])
    .png()
    .toBuffer();
  return { picture, noise, row: noise.subarray(SECRET.width * 3 * 50, SECRET.width * 3 * 50 + 60) };
}

const isShown = (desktop: Desktop) =>
  desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()
      .find(({ webContents }) => webContents.getURL().endsWith('/edit.html'))
      ?.isVisible(),
  );

const uploaded = async ({ page }: Desktop): Promise<string[]> =>
  page.evaluate(async () => {
    const { data } = (await (await fetch('/api/v1/images')).json()) as { data: { items: { name: string }[] } };
    return data.items.map(({ name }) => name);
  });

const draftsOf = ({ page }: Desktop) => page.evaluate(async () => (await window.pixdock?.getUploadStatus())?.drafts);

test('what is covered before a capture is sent is nowhere afterwards, and nothing is uploaded before', async ({ launch, folder }) => {
  const { picture, noise, row } = await noisyPicture();
  const shot = join(folder, 'shot.png');
  await writeFile(shot, picture);
  const user = join(folder, 'user');
  const desktop = await launch({ userData: user, ...(await captureTools(folder, shot)) });
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.press('Capture…');
  const page = await editPage(desktop);
  await expect.poll(() => isShown(desktop)).toBe(true);
  await checkPage(page, 'a draft');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeFocused();
  await cover(page, [SECRET.left - 6, SECRET.top - 6, SECRET.left + SECRET.width + 6, SECRET.top + SECRET.height + 6], WIDTH);
  await page.getByRole('button', { name: 'Box' }).click();
  await page.getByTestId('editor-stage').click({ position: { x: 5, y: 5 } }); // too small for a box

  expect(await uploaded(desktop)).toEqual([]);
  expect([...(await filesIn(join(user, 'data/blobs'))).keys()]).toEqual([]);
  expect(await filesWith(await filesIn(join(user, 'spool')), picture, row)).toHaveLength(1);
  await expect.poll(() => keptIn(user)).toEqual({ drafts: [{ marks: 1 }], uploaded: 0 });

  await sendWithEnter(page);
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  await expect.poll(() => isShown(desktop)).toBe(false);
  const sent = await contentOf(fetch(await desktop.clipboardText()));
  const shown = await sharp(sent).extract(SECRET).removeAlpha().raw().toBuffer();
  const near = shown.filter((value, index) => Math.abs(value - (noise[index] ?? 0)) < 12).length / noise.length;
  expect(near).toBeLessThan(0.2); // by chance, a tenth
  expect(await sharp(sent).metadata()).toMatchObject({ width: WIDTH, height: HEIGHT });
  expect(await uploaded(desktop)).toEqual([expect.stringMatching(/^screenshot-/)]);

  await expect.poll(async () => [...(await filesIn(join(user, 'spool'))).keys()]).toEqual([]);
  const left = await filesIn(user);
  expect(await filesWith(left, picture, row)).toEqual([]);
  const journal = [...left].filter(([path]) => path.includes('uploads.db'));
  expect(journal.length).toBeGreaterThan(0);
  for (const [path, bytes] of journal) expect(bytes.includes('pixelate'), path).toBe(false);
});

test('a draft is copied, saved, kept and discarded, and the choice is made for each trigger', async ({ launch, folder }) => {
  const shot = join(folder, 'shot.png');
  // Pixelating one colour may leave it as it is.
  const noise = { raw: { width: 60, height: 40, channels: 3 } } as const;
  const [red, noisy] = [
    await png('#c33'),
    await sharp(randomBytes(60 * 40 * 3), noise)
      .png()
      .toBuffer(),
  ];
  await writeFile(shot, red);
  const user = join(folder, 'user');
  const desktop = await launch({ userData: user, ...(await captureTools(folder, shot)) });
  const { page: main } = desktop;
  await main.getByRole('link', { name: 'Settings' }).click();
  await main.getByRole('link', { name: 'This computer' }).click();
  const chosen = (name: string, value: string) => main.getByRole('radiogroup', { name }).getByText(value).click();
  await chosen('From the clipboard', 'Edit first');
  await chosen('After a capture', 'Ask');
  await expect
    .poll(() => main.evaluate(() => window.pixdock?.getPreferences()))
    .toMatchObject({ afterCapture: 'ask', afterClipboard: 'edit' });
  await checkPage(main, 'the choice for new pictures');

  await desktop.copyOutside('image/png', noisy);
  await desktop.press('Upload clipboard');
  const page = await editPage(desktop);
  await cover(page, [5, 5, 30, 30], 60);
  await page.getByRole('button', { name: 'Copy picture' }).click();
  await expect(page.getByText('Picture copied')).toBeVisible();
  const copied = await desktop.app.evaluate(async ({ clipboard }) => {
    const [item] = await clipboard.read();
    const blob = (await item?.getType('image/png')) as Blob;
    return Buffer.from(await blob.arrayBuffer()).toString('base64');
  });
  const file = join(folder, 'saved.png');
  await desktop.choose(file);
  await page.getByRole('button', { name: 'Save…' }).click();
  await expect(page.getByText('Picture saved')).toBeVisible();
  expect(await pixels(await readFile(file))).toEqual(await pixels(Buffer.from(copied, 'base64')));
  expect(await pixels(await readFile(file))).not.toEqual(await pixels(noisy));

  // Another shape has been neither copied nor saved.
  await cover(page, [35, 5, 55, 30], 60);
  await page.getByRole('button', { name: 'Close and keep as a draft' }).click();
  await expect.poll(() => isShown(desktop)).toBe(false);
  await main.getByLabel('Uploads', { exact: true }).click();
  await expect(main.getByRole('heading', { name: 'Not sent yet 1' })).toBeVisible();
  await checkPage(main, 'a draft among the uploads');
  await main.getByRole('button', { name: /^Edit clipboard-/ }).click();
  await editPage(desktop);
  await page.getByRole('button', { name: 'Discard' }).click();
  const question = page.getByRole('dialog', { name: 'Discard the picture?' });
  await checkPage(page, 'discarding a draft');
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toHaveCount(0);
  await page.getByRole('button', { name: 'Discard' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => isShown(desktop)).toBe(false);
  await expect(main.getByRole('heading', { name: 'Not sent yet' })).toBeHidden();
  expect([...(await filesIn(join(user, 'spool'))).keys()]).toEqual([]);

  // Edit first; the window still has its place.
  await desktop.chooseButton(1);
  await desktop.press('Capture…');
  await expect(page.getByRole('heading', { name: /^screenshot-/ })).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => isShown(desktop)).toBe(false);
  // Otherwise, the next draft could be taken for this one.
  await expect(main.getByRole('heading', { name: 'Not sent yet' })).toBeHidden();
  await desktop.chooseButton(2);
  await desktop.press('Capture…');
  await expect(main.getByRole('heading', { name: 'Not sent yet 1' })).toBeVisible();
  expect(await uploaded(desktop)).toEqual([]);
  await main.getByRole('button', { name: /^Discard screenshot-/ }).click();
  await expect(main.getByRole('heading', { name: 'Not sent yet' })).toBeHidden();
  await desktop.chooseButton(0);
  await desktop.press('Capture…');
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  await expect.poll(() => uploaded(desktop)).toHaveLength(1);

  // With one key more, the clipboard is uploaded without a question.
  await desktop.copyOutside('image/png', noisy);
  await desktop.pressShortcut('CommandOrControl+Shift+Alt+U');
  await expect.poll(() => uploaded(desktop)).toHaveLength(2);
});

test('a draft survives a crash with everything drawn on it, and nothing is uploaded', async ({ launch, folder }) => {
  const shot = join(folder, 'shot.png');
  await writeFile(
    shot,
    await sharp({ create: { ...DRAWN_ON, channels: 3, background: '#963' } })
      .png()
      .toBuffer(),
  );
  const user = join(folder, 'user');
  const options = { userData: user, ...(await captureTools(folder, shot)) };
  let desktop = await launch(options);
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.press('Capture…');
  let page = await editPage(desktop);
  for (let marks = 1; marks <= 2; marks++) {
    await stroke(page, marks);
    await expect.poll(() => keptIn(user)).toEqual({ drafts: [{ marks }], uploaded: 0 });
    await desktop.crash();
    desktop = await launch(options);
    page = await openDraft(desktop);
  }
  expect(keptIn(user)).toEqual({ drafts: [{ marks: 2 }], uploaded: 0 });
  // Sent by an app that has never seen it without its marks.
  await sendWithEnter(page);
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  const sent = await (await fetch(await desktop.clipboardText())).arrayBuffer();
  expect(await pixels(sent)).not.toEqual(await pixels(await readFile(shot)));
});

test('what is copied after an upload is the link, the picture, or both in one item', async ({ launch, folder }) => {
  const desktop = await launch({ userData: join(folder, 'user') });
  const { page } = desktop;
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This computer' }).click();
  // Its own copies aren't uploaded again.
  await page.getByRole('switch', { name: 'Upload copied pictures' }).click();
  const copied = () =>
    desktop.app.evaluate(async ({ clipboard }) => {
      const [item] = await clipboard.read();
      const blob = item?.types.includes('image/png') ? ((await item.getType('image/png')) as Blob) : undefined;
      return { types: item?.types.toSorted(), png: blob && Buffer.from(await blob.arrayBuffer()).toString('base64') };
    });
  for (const [choice, types] of [
    ['Both', ['image/png', 'text/plain']],
    ['Picture', ['image/png']],
  ] as const) {
    const picture = await png(choice === 'Both' ? '#171' : '#717');
    const file = join(folder, `${choice}.png`);
    await writeFile(file, picture);
    await page.getByRole('radiogroup', { name: 'Copied after an upload' }).getByText(choice, { exact: true }).click();
    await expect.poll(() => page.evaluate(() => window.pixdock?.getPreferences())).toMatchObject({ copied: choice.toLowerCase() });
    await desktop.clearClipboard();
    await desktop.choose(file);
    await desktop.press('Upload files…');
    await expect.poll(async () => (await copied()).types).toEqual(types);
    expect(await pixels(Buffer.from((await copied()).png ?? '', 'base64'))).toEqual(await pixels(picture));
    if (choice === 'Both') expect(await desktop.clipboardText()).toMatch(LINK);
    const title = choice === 'Both' ? 'Link copied' : 'Picture copied';
    await expect.poll(async () => (await desktop.notifications()).at(-1)?.title).toBe(title);
  }
  expect(await uploaded(desktop)).toHaveLength(2);
  // A click on the notification copies the link.
  await desktop.clickLastNotification();
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  await checkPage(page, 'what is copied');
});

test('the editor comes in front of the program that captures, and leaves full screen when its draft is sent', async ({
  launch,
  folder,
}) => {
  const shot = join(folder, 'shot.png');
  await writeFile(shot, await png('#3a7'));
  const desktop = await launch(await captureTools(folder, shot));
  await choose(desktop, { afterCapture: 'edit', captureShortcut: 'Control+Alt+C' });
  const state = () =>
    desktop.app.evaluate(({ BrowserWindow }) => {
      const window = BrowserWindow.getAllWindows().find(({ webContents }) => webContents.getURL().endsWith('/edit.html'));
      return window && [window.isVisible(), window.isFocused(), window.isAlwaysOnTop(), window.isFullScreen()];
    });
  await expect.poll(() => desktop.shortcuts()).toContain('Control+Alt+C');
  for (const _time of ['first', 'again']) {
    await desktop.pressShortcut('Control+Alt+C');
    await editPage(desktop);
    await expect.poll(state).toEqual([true, true, false, false]);
    await desktop.app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows())
        if (window.webContents.getURL().endsWith('/edit.html')) window.setFullScreen(true);
    });
    await expect.poll(async () => (await state())?.[3]).toBe(true);
    await sendWithEnter(await editPage(desktop));
    await expect.poll(state).toEqual([false, false, false, false]);
  }
});

test('a picture is pinned as it is drawn, above all windows, moved, resized, closed, and sent to others', async ({ launch, folder }) => {
  const shot = join(folder, 'shot.png');
  await writeFile(
    shot,
    await sharp({ create: { width: 600, height: 400, channels: 3, background: '#3a7' } })
      .png()
      .toBuffer(),
  );
  const desktop = await launch(await captureTools(folder, shot));
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.press('Capture…');
  const page = await editPage(desktop);
  await cover(page, [0, 0, 300, 400], 600);
  const pins = () =>
    desktop.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()
        .filter(({ webContents }) => webContents.getURL().includes('/pin.html'))
        .map((window) => ({ onTop: window.isAlwaysOnTop(), visible: window.isVisible(), bounds: window.getBounds() })),
    );
  const opened = desktop.app.waitForEvent('window');
  await page.getByRole('button', { name: 'Pin' }).click();
  const pin = await opened;
  const picture = pin.getByRole('img', { name: /^screenshot-/ });
  await expect(picture).toBeVisible();
  await expect.poll(pins).toEqual([{ onTop: true, visible: true, bounds: { x: 660, y: 340, width: 600, height: 400 } }]);
  for (const colorScheme of ['light', 'dark'] as const)
    await checkScreen(pin, 'a pinned picture', { name: 'window', width: 600, height: 400, colorScheme });
  expect(await picture.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([600, 400]);

  await pin.keyboard.press('ArrowRight');
  await expect.poll(async () => (await pins())[0]?.bounds.x).not.toBe(660);
  await pin.keyboard.press('-');
  await expect.poll(async () => (await pins())[0]?.bounds).toMatchObject({ width: 522, height: 348 });
  await pin.getByRole('button', { name: 'Original size' }).click();
  await expect.poll(async () => (await pins())[0]?.bounds).toMatchObject({ width: 600, height: 400 });
  await expect(pin.getByRole('slider')).toBeHidden(); // Linux can't

  await page.getByRole('button', { name: 'Pin' }).click();
  await expect.poll(async () => (await pins()).length).toBe(2);
  await pin.keyboard.press('Escape').catch((error: Error) => {
    if (!/closed/.test(error.message)) throw error; // it may be gone before the key is released
  });
  await expect.poll(async () => (await pins()).length).toBe(1);
  await desktop.press('Close the pinned picture');
  await expect.poll(pins).toEqual([]);
  // Neither uploaded nor lost.
  expect(await uploaded(desktop)).toEqual([]);
  await expect(page.getByTestId('editor-stage')).toBeVisible();
  // From here and from the tray, it is sent to other users in the application, once it is uploaded.
  const dialog = desktop.page.getByRole('dialog', { name: 'Send 1 picture' });
  await page.getByRole('button', { name: 'Send to…' }).click();
  await expect(dialog).toBeVisible();
  const [name = ''] = await uploaded(desktop);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await desktop.press('Recent uploads', 'Send to…', name);
  await expect(dialog).toBeVisible();
});

test('a held, doubled or clicked Enter sends one draft, and the next only once it has been seen', async ({ launch, folder, image }) => {
  const desktop = await launch(await captureTools(folder, await image('shot.png', '#a3c')));
  await choose(desktop, { afterCapture: 'edit' });
  for (const more of ['', '1 more follows', '2 more follow']) {
    await desktop.press('Capture…');
    const page = await editPage(desktop);
    if (more) await expect(page.getByText(more)).toBeVisible();
  }
  const page = await editPage(desktop);
  const send = page.getByRole('button', { name: 'Send', exact: true });
  const shown = () => page.getByRole('heading', { level: 1 }).getAttribute('title');
  const first = await shown();
  await expect(send).toHaveAttribute('aria-keyshortcuts', 'Enter');
  await page.keyboard.down('Enter');
  // Until the next draft is there and could be sent, the key is held.
  await expect(page.getByText('1 more follows')).toBeVisible();
  const second = await shown();
  expect(second).not.toBe(first);
  await expect(page.getByText('Link copied')).toBeVisible();
  await page.keyboard.down('Enter');
  await expect(send).toHaveAttribute('aria-keyshortcuts', 'Enter');
  for (let repeated = 0; repeated < 5; repeated++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect.poll(() => draftsOf(desktop)).toBe(2);
  expect(await shown()).toBe(second);
  // Doubled: pressed again as soon as the next one is shown; and clicked twice.
  await page.evaluate(() => {
    const stage = () => document.querySelector('[data-testid="editor-stage"]');
    const before = stage();
    const observer = new MutationObserver(() => {
      const next = stage();
      if (!next || next === before) return;
      observer.disconnect();
      const press = () => next.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      requestAnimationFrame(() => requestAnimationFrame(() => document.body.toggleAttribute('data-pressed', press() || true)));
    });
    observer.observe(document.body, { childList: true, subtree: true });
  });
  await send.dblclick();
  await expect(page.locator('body[data-pressed]')).toBeAttached();
  await expect.poll(() => draftsOf(desktop)).toBe(1);
  await expect(send).toHaveAttribute('aria-keyshortcuts', 'Enter');
  await page.evaluate(() => dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter' })));
  await sendWithEnter(page);
  await expect.poll(() => draftsOf(desktop)).toBe(0);
});

test('the windows of drafts, pins and drops follow the language and the colours at once', async ({ launch, folder, image }) => {
  const desktop = await launch(await captureTools(folder, await image('shot.png', '#a3c')));
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.press('Capture…');
  const page = await editPage(desktop);
  let opened = desktop.app.waitForEvent('window');
  await page.getByRole('button', { name: 'Pin' }).click();
  const pin = await opened;
  opened = desktop.app.waitForEvent('window');
  await desktop.press('Show drop window');
  const drop = await opened;
  // Kept, and hidden.
  await page.getByRole('button', { name: 'Close and keep as a draft' }).click();
  await expect.poll(() => isShown(desktop)).toBe(false);
  await desktop.page.getByRole('link', { name: 'Settings' }).click();
  await desktop.page.getByRole('link', { name: 'Appearance' }).click();
  const isDark = () => Promise.all([page, pin, drop].map((one) => one.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)));
  await desktop.page.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
  await expect.poll(isDark).toEqual([true, true, true]);
  await desktop.page.getByRole('radiogroup', { name: 'Theme' }).getByText('Light').click();
  await expect.poll(isDark).toEqual([false, false, false]);
  await desktop.page.getByRole('radiogroup', { name: 'Language' }).getByText('简体中文').click();
  await expect(page).toHaveTitle('上传前编辑');
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(drop).toHaveTitle('拖放图片');
  await expect(drop.getByText('将图片拖到这里')).toBeVisible();
  await expect(pin.getByRole('button', { name: '原始大小 (0)' })).toBeAttached();
  await desktop.page.getByRole('radiogroup', { name: '语言' }).getByText('English').click();
  await expect(page).toHaveTitle('Edit before uploading');
});

test('drafts that were kept are found from the notification, the sidebar, the tray and the list', async ({ launch, folder, image }) => {
  const shot = await image('shot.png', '#a3c');
  const desktop = await launch(await captureTools(folder, shot));
  await choose(desktop, { afterCapture: 'edit' });
  const { page: main } = desktop;
  for (const count of [1, 2]) {
    await desktop.press('Capture…');
    const page = await editPage(desktop);
    await expect.poll(() => isShown(desktop)).toBe(true);
    await page.getByRole('button', { name: 'Close and keep as a draft' }).click();
    await expect.poll(() => isShown(desktop)).toBe(false);
    await expect.poll(() => draftsOf(desktop)).toBe(count);
  }
  // Once, not after each.
  const kept = async () => (await desktop.notifications()).filter(({ title }) => title === 'Kept as a draft');
  expect(await kept()).toEqual([{ title: 'Kept as a draft', body: 'You’ll find it under Uploads.' }]);
  await expect(main.getByRole('link', { name: 'Uploads', exact: true })).toHaveText('Uploads2');
  await desktop.press('Drafts (2)…');
  await expect(main.getByRole('status').filter({ hasText: '2 drafts haven’t been sent yet' })).toBeVisible();
  await expect(main.getByText('All uploads are done')).toBeHidden();
  const rows = main.getByRole('listitem').filter({ has: main.getByRole('button', { name: /^Edit screenshot-/ }) });
  await expect(rows).toHaveCount(2);
  await expect(rows.first().getByRole('presentation')).toHaveJSProperty('naturalWidth', 60);
  await expect(rows.first()).toContainText(/\d:\d\d/);
  await checkPage(main, 'drafts among the uploads');

  // What is drawn on a draft is only in its window: it isn't sent without that.
  await rows
    .first()
    .getByText(/^screenshot-/)
    .dblclick();
  await expect.poll(() => isShown(desktop)).toBe(true);
  const page = await editPage(desktop);
  await cover(page, [5, 5, 30, 30], 60);
  await page.getByRole('button', { name: 'Close and keep as a draft' }).click();
  await expect.poll(() => isShown(desktop)).toBe(false);
  await expect
    .poll(() =>
      desktop.page.evaluate(
        async () =>
          (await window.pixdock?.getUploads({ section: 'draft', limit: 9, offset: 0 }))?.items.filter(({ isMarked }) => isMarked).length,
      ),
    )
    .toBe(1);
  await rows.getByRole('button', { name: /^Open screenshot-.* to send it/ }).click();
  await expect.poll(() => isShown(desktop)).toBe(true);
  expect(await draftsOf(desktop)).toBe(2);
  await rows.getByRole('button', { name: /^Send screenshot-/ }).click();
  await expect.poll(() => draftsOf(desktop)).toBe(1);
  await expect.poll(() => uploaded(desktop)).toHaveLength(1);
});

test('keys copy and save a draft, and how many follow is always visible', async ({ launch, folder, image }) => {
  const shot = await image('shot.png', '#a3c');
  const desktop = await launch(await captureTools(folder, shot));
  await choose(desktop, { afterCapture: 'edit' });
  await desktop.press('Capture…');
  let page = await editPage(desktop);
  await desktop.press('Capture…');
  page = await editPage(desktop);
  const follows = page.getByText('1 more follows');
  await page.setViewportSize({ width: 960, height: 680 });
  await expect(follows).toBeVisible();
  expect(await follows.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  const toast = page.getByText('Picture copied');
  await expect(toast).toBeVisible();
  const [shown, options] = [await toast.boundingBox(), await page.getByRole('region', { name: 'Options' }).boundingBox()];
  expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(options?.y ?? 0);
  const file = join(folder, 'saved.png');
  await desktop.choose(file);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Picture saved')).toBeVisible();
  expect(await pixels(await readFile(file))).toEqual(await pixels(await readFile(shot)));
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Copy picture')).toBeVisible();
  await checkPage(page, 'the keys of a draft');
  await page.keyboard.press('Escape');

  // Ctrl+Enter ends a text, as in the web application.
  await expect(help).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute('aria-keyshortcuts', 'Enter');
  await page.keyboard.press('t');
  await page.getByTestId('editor-paper').click({ position: { x: 20, y: 20 }, force: true });
  await page.getByRole('textbox', { name: 'Text' }).fill('Here');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('textbox', { name: 'Text' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeEnabled();
  expect(await draftsOf(desktop)).toBe(2);
});
