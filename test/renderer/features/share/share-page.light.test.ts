import { expect, vi } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage, followPictures } from '#test/helpers/screen/images.ts';
import { test } from '#test/helpers/screen/light.ts';
import { refuse } from '#test/helpers/screen/service.ts';

test('a visitor sees a shared picture, and downloads it', async ({ mount, left }) => {
  const image = anImage({ name: 'harbour.jpg', title: 'The harbour' });
  await mount(`/s/${image.key}`, { user: null, api: { 'GET /s/:key': { ...image, password_required: false } } });
  await expect.element(page.getByRole('link', { name: 'Shared picture The harbour' })).toBeVisible();
  await expect.poll(() => (page.getByRole('img', { name: 'The harbour' }).query() as HTMLImageElement | null)?.naturalWidth).toBe(600);
  await page.getByRole('link', { name: 'Download' }).click();
  await expect.poll(() => left.splice(0)).toEqual([`/i/${image.key}.jpg?download=1`]);
});

test('a visitor plays a shared video; a view-limited one is loaded only when they ask for it', async ({ mount }) => {
  const video = { ext: 'webm', width: 320, height: 180, duration: 4 };
  const image = anImage({ ...video, name: 'clip.webm' });
  const limited = anImage({ ...video, name: 'once.webm', max_views: 1, views_left: 1 });
  const { reopen } = await mount(`/s/${image.key}`, {
    user: null,
    api: { 'GET /s/:key': ({ params: { key } }) => ({ ...(key === image.key ? image : limited), password_required: false }) },
  });
  const player = () => page.getByLabelText(/(clip|once)\.webm/).query() as HTMLVideoElement | null;
  await expect.poll(() => player()?.readyState).toBeGreaterThan(0);
  expect(player()).toMatchObject({ controls: true, playsInline: true, preload: 'metadata', paused: true });
  expect(player()?.poster).toContain(`/t/${image.key}.jpg`);
  await expect.element(page.getByText('0:04 · 320 × 180')).toBeVisible();
  await checkPage('a shared video');

  await reopen(`/s/${limited.key}`);
  await expect.element(page.getByText('1 view left', { exact: true })).toBeVisible();
  expect(player()).toBeNull();
  await page.getByRole('button', { name: 'Play video (1 view left)' }).click();
  await expect.poll(() => player()?.readyState).toBeGreaterThan(0);
  expect(player()?.poster).toBe('');
  await expect.element(page.getByText('That was the last view')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Download' })).not.toBeInTheDocument();
});

test('a shared video that this browser can’t play is explained and can be downloaded', async ({ mount }) => {
  // Its height asks for a file that nothing can play.
  const image = anImage({ name: 'hevc.mp4', ext: 'mp4', width: 20, height: 13 });
  await mount(`/s/${image.key}`, { user: null, api: { 'GET /s/:key': { ...image, password_required: false } } });
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('This browser can’t play this video.Download it to watch it in another program.');
  await expect.element(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', `/i/${image.key}.mp4?download=1`);
});

test('a link that has expired says so, in the visitor’s language', async ({ mount }) => {
  await mount('/s/0600x0400999', { user: null, language: 'zh', api: { 'GET /s/:key': refuse('expired') } });
  await expect.element(page.getByRole('heading', { name: '图片已过期' })).toBeVisible();
});

test('pictures that have expired or don’t exist are explained', async ({ mount }) => {
  const { service, reopen } = await mount('/s/0600x0400999', { user: null, api: { 'GET /s/:key': refuse('expired') } });
  await expect.element(page.getByRole('heading', { name: 'This picture has expired' })).toBeVisible();
  service.handle({ 'GET /s/:key': refuse('not_found') });
  await reopen('/s/abc');
  await expect.element(page.getByRole('heading', { name: 'Picture not found' })).toBeVisible();
});

test('the owner is told the picture is theirs and sees it without being asked to spend a view', async ({ mount }) => {
  const image = anImage({ name: 'harbour.jpg', max_views: 2, views_left: 2 });
  const { service } = await mount(`/s/${image.key}`, {
    images: [image],
    api: { 'GET /s/:key': { ...image, password_required: false, views_left: 2 } },
  });
  service.handle({ 'GET /images': { items: [image], next_cursor: null } });
  await expect.element(page.getByRole('img', { name: 'Shared picture harbour.jpg' })).toBeVisible();
  await expect.element(page.getByText('2 views left')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Open in your pictures' })).toHaveAttribute('href', `/?picture=${image.key}`);
});

test('where the browser refuses to copy, a dialog shows the link to copy by hand', async ({ mount }) => {
  const image = anImage({ name: 'pier.jpg' });
  const refused = [vi.spyOn(document, 'execCommand').mockReturnValue(false), vi.spyOn(navigator, 'clipboard', 'get')];
  refused[1]?.mockReturnValue(undefined as never);
  try {
    await mount(`/s/${image.key}`, { user: null, api: { 'GET /s/:key': { ...image, password_required: false } } });
    await page.getByRole('button', { name: 'Copy link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy manually' });
    await expect.element(dialog.getByRole('textbox')).toHaveValue(image.links.url);
    await expect.element(dialog.getByRole('textbox')).toHaveFocus();
    await checkPage('copy by hand');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: 'Copy link' })).toHaveFocus();
  } finally {
    for (const each of refused) each.mockRestore();
  }
});

test('a visitor zooms into a shared picture, and into a view-limited one without spending another view', async ({ mount }) => {
  const image = anImage({ name: 'harbour.jpg', title: 'The harbour', width: 1800, height: 1200 });
  const limited = anImage({ name: 'limited.png', ext: 'png', width: 900, height: 600, max_views: 1, views_left: 1 });
  const { reopen } = await mount(`/s/${image.key}`, {
    user: null,
    api: { 'GET /s/:key': ({ params: { key } }) => ({ ...(key === image.key ? image : limited), password_required: false }) },
  });
  await expect.poll(() => document.title).toBe('The harbour · Pixdock');
  await page.getByRole('link', { name: 'Shared picture The harbour' }).click();
  const viewer = page.getByRole('dialog');
  const picture = viewer.getByRole('img', { name: 'The harbour' });
  await expect.element(picture).toBeVisible();
  const boxOf = () => picture.element().getBoundingClientRect();
  const before = boxOf();
  expect(before.width).toBeGreaterThan(0);
  await userEvent.keyboard('{Control>}');
  await commands.mouse(['move', before.x + before.width / 2, before.y + before.height / 2], ['wheel', 0, -600]);
  await userEvent.keyboard('{/Control}');
  await expect.poll(() => boxOf().width).toBeGreaterThan(before.width * 1.2);
  await viewer.getByRole('button', { name: 'Zoom out' }).click();
  await checkPage('zoomed share');
  await userEvent.keyboard('f');
  await expect.poll(() => document.fullscreenElement !== null).toBe(true);
  await userEvent.keyboard('f');
  await expect.poll(() => document.fullscreenElement !== null).toBe(false);
  await userEvent.keyboard('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();

  const loaded = followPictures();
  await reopen(`/s/${limited.key}`);
  await page.getByRole('button', { name: 'Show picture (1 view left)' }).click();
  const shown = page.getByRole('button', { name: 'Shared picture limited.png' });
  await expect.element(shown).toBeVisible();
  expect(getComputedStyle(shown.getByRole('img').element()).boxShadow).toMatch(/rgba\(128, 140, 144, 0\.3\) 0px 0px 0px 1px/);
  await shown.click();
  await expect.poll(() => (viewer.getByRole('img', { name: 'limited.png' }).query() as HTMLImageElement | null)?.naturalWidth).toBe(900);
  expect(loaded.filter((address) => address.includes(limited.key))).toEqual([expect.stringContaining(`/i/${limited.key}.png`)]);
});
