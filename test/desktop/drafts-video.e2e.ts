import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from 'playwright/test';
import sharp from 'sharp';
import { checkPage } from '#test/e2e/axe.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { describeVideo, videoFixture, videoPath } from '#test/helpers/pictures/videos.ts';
import { choose, filesIn, sendWithEnter } from './drafts.ts';
import type { Desktop } from './driver.ts';
import { expect, test } from './fixtures.ts';

// Videos that are looked at before they are uploaded. How they are cut, frame by frame, is tested with the parts of the page.

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/i\/\w{12}\.\w+$/;

/** Drops a video on the drop window, and returns the page of drafts. */
async function dropVideo(desktop: Desktop, path: string): Promise<Page> {
  await choose(desktop, { afterDrop: 'edit' });
  const dropPage = () => desktop.app.windows().find((page) => page.url().endsWith('/drop.html'));
  if (!dropPage()) await desktop.press('Show drop window');
  await expect.poll(() => dropPage() !== undefined).toBe(true);
  const page = dropPage() as Page;
  await expect(page.getByRole('button', { name: /Drop pictures here/ })).toBeVisible();
  await desktop.drop([path], {}, page);
  return editPage(desktop);
}

async function editPage({ app }: Desktop): Promise<Page> {
  const find = () => app.windows().find((page) => page.url().endsWith('/edit.html'));
  await expect.poll(() => find() !== undefined).toBe(true);
  const page = find() as Page;
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  return page;
}

/** What the journal has of a draft's video. */
function keptIn(user: string): unknown {
  const db = new DatabaseSync(join(user, 'uploads.db'), { readOnly: true, timeout: 10_000 });
  const row = db.prepare("SELECT marks FROM items WHERE state = 'draft'").get();
  db.close();
  return JSON.parse(String(row?.marks ?? 'null'));
}

/** The picture or video that was sent last. */
const lastImage = ({ page }: Desktop) =>
  page.evaluate(async () => {
    const { data } = (await (await fetch('/api/v1/images')).json()) as {
      data: { items: { name: string; duration: number; has_audio: boolean; has_poster: boolean; links: { thumbnail_url: string } }[] };
    };
    return data.items[0];
  });

test('a video is cut by frames, silenced and sent with the thumbnail that was chosen, even after a crash', async ({ launch, folder }) => {
  const user = join(folder, 'user');
  let desktop = await launch({ userData: user });
  let page = await dropVideo(desktop, videoPath('b-frames.mp4'));
  await checkPage(page, 'a draft that is a video');
  const slider = (name: string) => page.getByRole('slider', { name });
  const video = page.locator('video');
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.readyState)).toBe(4);
  await expect(slider('End')).toHaveAttribute('aria-valuetext', '0:04.00');

  // It plays to the end of what is kept, and no further.
  await slider('Start').press('Shift+ArrowRight');
  for (let steps = 0; steps < 3; steps++) await slider('Start').press('ArrowLeft');
  for (let steps = 0; steps < 4; steps++) await slider('End').press('ArrowLeft');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expect(slider('Position')).toHaveAttribute('aria-valuetext', '0:03.50');
  await slider('Position').press('Home');
  for (let steps = 0; steps < 2; steps++) await slider('Position').press('Shift+ArrowRight');
  await page.keyboard.press('p');
  await page.getByRole('switch', { name: 'Remove the sound' }).click();
  const cut = { video: { from: 7, to: 36, isMuted: true, poster: 20 } };
  await expect.poll(() => keptIn(user)).toEqual(cut);

  await desktop.crash();
  desktop = await launch({ userData: user });
  await desktop.page.getByLabel('Uploads', { exact: true }).click();
  await desktop.page.getByRole('button', { name: /^Edit b-frames/ }).click();
  page = await editPage(desktop);
  await expect(slider('Start')).toHaveAttribute('aria-valuetext', '0:00.70');
  await expect(slider('End')).toHaveAttribute('aria-valuetext', '0:03.60');
  await expect(page.getByRole('switch', { name: 'Remove the sound' })).toBeChecked();
  expect(keptIn(user)).toEqual(cut);

  const file = join(folder, 'saved.mp4');
  await desktop.choose(file);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Video saved')).toBeVisible();
  await sendWithEnter(page);
  await expect.poll(() => desktop.clipboardText()).toMatch(LINK);
  const sent = await contentOf(fetch(await desktop.clipboardText()));
  const { tracks } = await describeVideo(sent);
  expect(tracks).toMatchObject([{ type: 'video', codec: 'avc', count: 29 }]);
  expect((await describeVideo(await readFile(file))).tracks[0]?.samples).toBe(tracks[0]?.samples);
  const image = await lastImage(desktop);
  expect(image).toMatchObject({ name: 'b-frames.mp4', duration: 2.9, has_audio: false, has_poster: true });
  expect(await sharp(await contentOf(fetch(image?.links.thumbnail_url ?? ''))).metadata()).toMatchObject({ width: 64, height: 48 });
  await expect.poll(async () => [...(await filesIn(join(user, 'spool'))).keys()]).toEqual([]);
  expect(await readFile(videoPath('b-frames.mp4'))).toEqual(videoFixture('b-frames.mp4'));
});

test('a video becomes an animation, is sent as it is with a thumbnail, or can’t be played', async ({ launch, folder }) => {
  const user = join(folder, 'user');
  const desktop = await launch({ userData: user });
  const page = await dropVideo(desktop, videoPath('b-frames.mp4'));
  await page.getByRole('button', { name: 'GIF or WebP…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send or save an animation' });
  const size = dialog.getByRole('status');
  await expect(size).toHaveText(/^[\d.]+ (B|KB)$/);
  await checkPage(page, 'an animation of a video');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.getByRole('button', { name: 'GIF or WebP…' }).click();
  await expect(size).toHaveText(/^[\d.]+ (B|KB)$/);
  const gif = join(folder, 'saved.gif');
  await desktop.choose(gif);
  await dialog.getByRole('button', { name: 'Save…' }).click();
  await expect.poll(() => readFile(gif).catch(() => Buffer.alloc(0))).not.toHaveLength(0);
  expect(await sharp(await readFile(gif), { animated: true }).metadata()).toMatchObject({ width: 64, pageHeight: 48, pages: 40 });
  await dialog.getByText('WebP', { exact: true }).click();
  await expect(dialog.getByRole('img', { name: 'The animation' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Send animation' }).click();
  await expect.poll(() => desktop.clipboardText()).toMatch(/\.webp$/);
  const sent = await contentOf(fetch(await desktop.clipboardText()));
  expect(await sharp(sent, { animated: true }).metadata()).toMatchObject({ width: 64, pageHeight: 48, pages: 40 });

  await desktop.clearClipboard();
  await dropVideo(desktop, videoPath('black-start.webm'));
  await expect(page.getByTestId('video-stage')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveAttribute('aria-keyshortcuts', 'Enter');
  await page.keyboard.press('Enter');
  await expect.poll(() => desktop.clipboardText()).toMatch(/\.webm$/);
  expect(await lastImage(desktop)).toMatchObject({ name: 'black-start.webm', has_audio: true, has_poster: true });
  await expect.poll(async () => [...(await filesIn(join(user, 'spool'))).keys()]).toEqual([]);

  await dropVideo(desktop, videoPath('mpeg4.mp4'));
  await expect(page.getByText('This video can’t be played here')).toBeVisible();
  await page.getByRole('button', { name: 'Discard' }).click();
});
