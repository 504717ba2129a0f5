import { expect, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { pictureFile, videoFile } from '#test/helpers/screen/input.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const viewer = page.getByRole('dialog');
const panel = page.getByRole('region', { name: 'Uploads' });
const chooser = page.getByCss('input[type=file]').first();
const allowed_exts = ['jpg', 'png', 'webm'];
const press = (keys: string) => userEvent.keyboard(keys);
const shows = (name: string) => expect.element(viewer.getByRole('heading', { name, exact: true })).toBeVisible();
const aVideo = (changes: Parameters<typeof anImage>[0] = {}) =>
  anImage({ name: 'clip.webm', ext: 'webm', width: 320, height: 180, duration: 4, ...changes });

/** The video that the viewer shows, once it can be played. */
async function playing(): Promise<HTMLVideoElement> {
  const video = () => viewer.getByCss('[data-current] video').query() as HTMLVideoElement | null;
  await expect.poll(() => video()?.readyState).toBe(4);
  return video() as HTMLVideoElement;
}

test('a video plays in the viewer, obeys its keys and remembers its volume; it ends with its turn, and those beside it aren’t loaded', async ({
  mount,
}) => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' });
  localStorage.setItem('pixdock.sound', JSON.stringify({ volume: 0.25, muted: true }));
  const images = [aVideo({ name: 'other.webm' }), anImage({ name: 'still.jpg' }), aVideo({ has_audio: false })];
  await mount('/', { images });
  await page.getByRole('link', { name: /^Open clip\.webm.*Video, 4 secs?/ }).click();
  await shows('clip.webm');
  const video = await playing();
  await expect.poll(() => video.currentTime > 0 && !video.paused).toBe(true);
  expect(video).toMatchObject({ volume: 0.25, muted: true, loop: true, controls: true });
  await expect.element(viewer.getByCss('video')).toHaveAccessibleName('clip.webm');
  await checkPage('a video');
  await press(' ');
  expect(video.paused).toBe(true);
  await press('m');
  await expect.poll(() => localStorage.getItem('pixdock.sound')).toBe(JSON.stringify({ volume: 0.25, muted: false }));
  video.currentTime = 1;
  await press('.');
  await expect.poll(() => video.currentTime).toBeCloseTo(1 + 1 / 30, 2);
  await press(',,');
  await expect.poll(() => video.currentTime).toBeCloseTo(1 - 1 / 30, 2);
  await press('{Shift>}{ArrowRight}{/Shift}');
  await expect.poll(() => video.currentTime).toBeCloseTo(4, 0);
  video.focus();
  await press('{ArrowLeft}');
  await expect.poll(() => video.currentTime).toBe(0);
  await press('>');
  await expect.element(viewer.getByLabelText('Playback speed')).toHaveValue('1.25');
  await viewer.getByLabelText('Playback speed').selectOptions('2×');
  expect(video.playbackRate).toBe(2);
  await shows('clip.webm');
  (viewer.getByRole('heading', { name: 'clip.webm' }).element() as HTMLElement).focus();

  await press(' ');
  await expect.poll(() => video.paused).toBe(false);
  await press('{ArrowRight}');
  await shows('still.jpg');
  await expect.poll(() => video.isConnected || !video.paused).toBe(false);
  await expect.element(viewer.getByLabelText('Playback speed')).not.toBeInTheDocument();
  // Beside the picture that is shown, only posters.
  await expect.element(viewer.getByCss('video[poster]')).toHaveLength(2);
  await expect.element(viewer.getByCss('video[src]')).not.toBeInTheDocument();
});

test('a slideshow shows a video to its end', async ({ mount }) => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' });
  await mount('/', { images: [anImage({ name: 'still.jpg' }), aVideo({ has_audio: false })] });
  await page.getByRole('link', { name: /^Open clip/ }).click();
  const video = await playing();
  await viewer.getByRole('button', { name: 'Start slideshow' }).click();
  await viewer.getByLabelText('Time per picture').selectOptions('3 seconds');
  expect(video.loop).toBe(false);
  video.playbackRate = 2;
  await expect.poll(() => video.ended, { timeout: 8_000 }).toBe(true);
  await shows('still.jpg');
});

test('a video can’t be edited or copied as a picture, and what this browser can’t play is explained and can be downloaded', async ({
  mount,
  left,
}) => {
  // Its height asks for a file that nothing can play.
  const image = aVideo({ name: 'hevc.mp4', ext: 'mp4', width: 20, height: 13 });
  await mount(`/?picture=${image.key}`, { images: [image] });
  await expect.element(viewer.getByRole('alert')).toMatchTextContent('This browser can’t play this video.');
  await viewer.getByRole('alert').getByRole('link', { name: 'Download' }).click();
  await expect.poll(() => left.splice(0)).toEqual([expect.stringContaining(`/i/${image.key}.mp4?download=1`)]);
  await expect.element(viewer.getByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
  await press('e');
  await viewer.getByRole('button', { name: 'More actions' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Open original' })).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: 'Copy picture' })).not.toBeInTheDocument();
  await checkPage('a video that can’t be played');
});

test('a video without a thumbnail gets one of the frame that is shown', async ({ mount }) => {
  const image = aVideo({ has_poster: false });
  const { service, library } = await mount(`/?picture=${image.key}`, { images: [image] });
  await playing();
  const tile = page.getByCss('a[data-picture] img');
  const before = tile.element().getAttribute('src');
  await viewer.getByRole('button', { name: 'Make a thumbnail' }).click();
  await expect.element(viewer.getByText('This video has no thumbnail yet.')).not.toBeInTheDocument();
  const [call] = service.calls('PUT /images/:key/poster');
  expect(await createImageBitmap(call?.file as File)).toMatchObject({ width: 160, height: 90 });
  expect(library.images).toMatchObject([{ has_poster: true }]);
  await expect.poll(() => tile.element().getAttribute('src')).not.toBe(before);
  await viewer.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Use this frame as the thumbnail' }).click();
  await expect.poll(() => service.calls('PUT /images/:key/poster').length).toBe(2);
});

test('a tile plays its video without sound while the mouse rests on it, not where it is limited or motion is unwelcome', async ({
  mount,
}) => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' });
  const timers = vi.spyOn(window, 'setTimeout');
  const images = [aVideo({ name: 'locked.webm', has_password: true }), aVideo()];
  await mount('/', { images });
  const tile = (name: string) => page.getByRole('link', { name: new RegExp(`^Open ${name}`) });
  const preview = page.getByCss('a[data-picture] video');
  /** Whether pointing at a tile leads to a preview, a moment later. */
  const previews = async (name: string) => {
    timers.mockClear();
    await tile(name).hover();
    return timers.mock.calls.some(([, after]) => after === 500);
  };
  await expect.element(tile('clip').getByText('0:04')).toBeVisible();
  expect(await previews('locked')).toBe(false);
  expect(await previews('clip')).toBe(true);
  await expect.element(preview).toBeVisible();
  expect(preview.element()).toMatchObject({ muted: true, loop: true });
  expect(await previews('locked')).toBe(false);
  await expect.element(preview).not.toBeInTheDocument();
  (tile('clip').element() as HTMLElement).focus();
  await expect.element(preview).not.toBeInTheDocument();
  await commands.emulateMedia({ reducedMotion: 'reduce' });
  expect(await previews('clip')).toBe(false);
});

test('a chosen video is sent with a poster that isn’t black; one that is too long, too large or not allowed is refused before', async ({
  mount,
}) => {
  const { service, library, reopen } = await mount('/', { limits: { allowed_exts } });
  await expect.element(page.getByRole('heading', { name: 'Upload your first picture' })).toBeVisible();
  await expect.poll(() => chooser.element().getAttribute('accept')).toContain('video/webm');
  const file = await videoFile();
  const gate = Promise.withResolvers<void>();
  service.hold('POST /upload', () => gate.promise);
  await chooser.upload([file]);
  await expect.element(panel.getByCss('video')).toBeVisible();
  gate.resolve();
  await expect.element(tiles()).toHaveLength(1);
  const [{ poster } = {}] = service.calls('POST /upload');
  const frame = await createImageBitmap(poster as File);
  expect(frame).toMatchObject({ width: 160, height: 90 });
  const canvas = new OffscreenCanvas(160, 90).getContext('2d') as OffscreenCanvasRenderingContext2D;
  canvas.drawImage(frame, 0, 0);
  expect(Math.max(...canvas.getImageData(0, 0, 160, 90).data.filter((_value, at) => at % 4 !== 3))).toBeGreaterThan(100);

  Object.assign(library.limits, { max_video_seconds: 2, max_video_bytes: 50_000 });
  await reopen();
  await expect.element(tiles()).toHaveLength(1);
  const long = new File([file], 'long.webm', { type: file.type });
  const large = new File([file, file], 'large.webm', { type: file.type });
  const other = new File([file], 'other.mov', { type: 'video/quicktime' });
  await chooser.upload([long, large, other, await pictureFile('good.png')]);
  await expect.element(panel.getByText('This video is longer than 2 secs.')).toBeVisible();
  await expect.element(panel.getByText('This file is larger than 48.8 KB.')).toBeVisible();
  await expect.element(panel.getByText('This file isn’t in a supported format.')).toBeVisible();
  expect(service.calls('POST /upload').map(({ file: { name } }) => name)).toEqual(['clip.webm', 'good.png']);
});
