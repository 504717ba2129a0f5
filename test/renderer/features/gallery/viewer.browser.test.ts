import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { anImage } from '#test/helpers/screen/images.ts';
import { tiles } from '#test/helpers/screen/locators.ts';
import { refuse } from '#test/helpers/screen/service.ts';

const viewer = page.getByRole('dialog');
const shows = (name: string) => expect.element(viewer.getByRole('heading', { name, exact: true })).toBeVisible();
const press = (keys: string) => userEvent.keyboard(keys);
/** Pictures named 1.jpg to n.jpg: n comes first in the timeline. */
const fill = (count: number) => Array.from({ length: count }, (_, index) => anImage({ name: `${index + 1}.jpg` }));

/** The viewer shows its text before its stage, which handles the arrow keys. */
async function opens(name: string) {
  await shows(name);
  await expect.element(viewer.getByRole('button', { name: 'Next picture' })).toBeVisible();
  await expect.element(viewer.getByRole('img', { name, exact: true }).first()).toBeVisible();
}

test('arrow keys change the picture wherever the focus is, except in a field', async ({ mount }) => {
  const images = fill(4);
  await mount('/', { images });
  await page.getByRole('link', { name: /^Open 4\.jpg/ }).click();
  await opens('4.jpg');
  await press('{ArrowRight}');
  await shows('3.jpg');
  await expect.poll(() => location.search).toBe(`?picture=${images[2]?.key}`);
  (viewer.getByRole('button', { name: 'Favourite' }).element() as HTMLElement).focus();
  await press('{ArrowRight}');
  await shows('2.jpg');
  await viewer.getByRole('button', { name: 'Next picture' }).click();
  await shows('1.jpg');
  await press('{ArrowLeft}');
  await shows('2.jpg');
  (viewer.getByLabelText('File').element() as HTMLElement).focus();
  await press('{ArrowLeft}');
  await shows('2.jpg');
  await press('{Escape}{ArrowLeft}');
  await shows('3.jpg');
});

test('Escape first reverts a field, then closes the viewer', async ({ mount }) => {
  const [image] = fill(1);
  const { library, service } = await mount(`/?picture=${image?.key}`, { images: image ? [image] : [] });
  await viewer.getByLabelText('File').fill('never.jpg');
  await press('{Escape}');
  await expect.element(viewer.getByLabelText('File')).toHaveValue('1.jpg');
  await viewer.getByLabelText('Tags').fill('never');
  await press('{Escape}');
  await expect.element(viewer.getByLabelText('Tags')).toHaveValue('');
  await viewer.getByLabelText('View limit').fill('7');
  await press('{Escape}');
  await expect.element(viewer.getByLabelText('View limit')).toHaveValue('');
  await viewer.getByRole('button', { name: 'Set password' }).click();
  await viewer.getByLabelText('Password', { exact: true }).fill('half of it');
  await press('{Escape}');
  await expect.element(viewer.getByLabelText('Password', { exact: true })).not.toBeInTheDocument();
  await press('{Escape}');
  await expect.element(viewer).not.toBeInTheDocument();
  expect(service.calls('PATCH /images/:key')).toEqual([]);
  expect(library.images).toMatchObject([{ name: '1.jpg', tags: [], max_views: 0, has_password: false }]);
});

test('an address opens its picture, Back closes it, and a missing picture is reported', async ({ mount }) => {
  const images = fill(2);
  const { reopen } = await mount('/', { images });
  await tiles().nth(1).click();
  await expect.poll(() => location.search).toBe(`?picture=${images[0]?.key}`);
  await shows('1.jpg');
  await reopen();
  await shows('1.jpg');
  await viewer.getByRole('button', { name: 'Close' }).click();
  await expect.element(viewer).not.toBeInTheDocument();
  await tiles().first().click();
  await shows('2.jpg');
  history.back();
  await expect.element(viewer).not.toBeInTheDocument();
  await reopen('/?picture=abcdefABCDEF');
  await expect.element(viewer).toMatchTextContent('Picture not found');
});

test('a link to an older picture opens it among its neighbours with the total count', async ({ mount }) => {
  const images = fill(450);
  const { reopen } = await mount(`/?picture=${images[0]?.key}`, { images });
  await shows('1.jpg');
  // Until its neighbours are there, the carousel has the picture on both sides, too.
  await expect.element(viewer.getByLabelText('450 of 450').first()).toBeInTheDocument();
  await expect.element(viewer.getByLabelText('449 of 450').first()).toBeInTheDocument();
  await press('{ArrowLeft}');
  await shows('2.jpg');
  await reopen('/');
  await page.getByRole('link', { name: /^Open 450\.jpg/ }).click();
  await expect.element(viewer.getByLabelText('1 of 450', { exact: true }).first()).toBeInTheDocument();
});

test('a change that the service rejects is reverted with its message', async ({ mount }) => {
  const [image] = fill(1);
  const images = image ? [image] : [];
  const { library } = await mount(`/?picture=${image?.key}`, { images, api: { 'PATCH /images/:key': refuse('not_found') } });
  const file = page.getByRole('complementary', { name: 'Details' }).getByLabelText('File');
  await expect.element(file).toHaveValue('1.jpg');
  await file.fill('other.jpg');
  await press('{Enter}');
  await expect.element(page.getByText('Refused: not_found.')).toBeVisible();
  await shows('1.jpg');
  expect(library.images.map(({ name }) => name)).toEqual(['1.jpg']);
});

test('one of an album’s pictures becomes its cover, and the original is a press away', async ({ mount }) => {
  const album = anAlbum({ name: 'Trip' });
  const images = [anImage({ name: 'first.jpg', albums: [album.id] }), anImage({ name: 'second.jpg', albums: [album.id] })];
  const { library } = await mount(`/?picture=${images[0]?.key}`, { albums: [album], images });
  const more = viewer.getByRole('button', { name: 'More actions' });
  await more.click();
  await page.getByRole('menuitem', { name: 'Copy picture' }).click();
  await expect.element(page.getByText('Picture copied')).toBeVisible();
  window.focus();
  const [item] = await navigator.clipboard.read();
  const { width, height } = await createImageBitmap((await item?.getType('image/png')) ?? new Blob());
  expect([width, height]).toEqual([600, 400]);
  await more.click();
  await expect
    .element(page.getByRole('menuitem', { name: 'Open original' }))
    .toHaveAttribute('href', expect.stringMatching(new RegExp(`^/i/${images[0]?.key}\\.jpg`)));
  await page.getByRole('menuitem', { name: 'Use as album cover' }).click();
  await expect.element(page.getByText('Album cover changed')).toBeVisible();
  expect(library.albums[0]?.cover_key).toBe(images[0]?.key);
});

test('the viewer plays a slideshow, fills the screen, and its buttons are visible on any picture', async ({ mount }) => {
  await mount('/', { images: fill(3) });
  await page.getByRole('link', { name: /^Open 3\.jpg/ }).click();
  await shows('3.jpg');
  // Right after opening, no button has the focus that Space would press.
  await press(' ');
  await expect.element(viewer.getByRole('button', { name: 'Pause slideshow' })).toBeVisible();
  await press(' ');
  await expect.element(viewer.getByRole('button', { name: 'Start slideshow' })).toBeVisible();
  await shows('3.jpg');
  const next = viewer.getByRole('button', { name: 'Next picture' });
  await expect.element(next).toHaveStyle({ backgroundColor: 'rgba(11, 17, 19, 0.62)', borderRadius: '50%' });
  await viewer.getByRole('button', { name: 'Start slideshow' }).click();
  await viewer.getByLabelText('Time per picture').selectOptions('3 seconds');
  await shows('2.jpg');
  await viewer.getByRole('heading', { name: '2.jpg' }).click();
  await press(' ');
  await expect.element(viewer.getByRole('button', { name: 'Start slideshow' })).toBeVisible();
  await expect.element(viewer.getByLabelText('Time per picture')).not.toBeInTheDocument();
  await shows('2.jpg');
  const isFullScreen = expect.poll(() => document.fullscreenElement !== null);
  await press('f');
  await isFullScreen.toBe(true);
  await press('{ArrowRight}');
  await expect.element(viewer.getByRole('button', { name: 'No slideshow: this is the last picture' })).toBeDisabled();
  await viewer.getByRole('button', { name: 'Exit full screen' }).click();
  await isFullScreen.toBe(false);
  await shows('1.jpg');
  await press('f');
  await isFullScreen.toBe(true);
  await press('f');
  await isFullScreen.toBe(false);
});

test('a link is passed on as a QR code and through the system’s share sheet', async ({ mount }) => {
  const shared: ShareData[] = [];
  Object.defineProperty(navigator, 'share', { configurable: true, value: async (data: ShareData) => void shared.push(data) });
  try {
    const images = fill(1);
    await mount(`/?picture=${images[0]?.key}`, { images });
    await viewer.getByRole('button', { name: 'Share…' }).click();
    expect(shared).toEqual([{ title: '1.jpg', url: images[0]?.links.share_url }]);
    await viewer.getByRole('button', { name: 'QR code' }).click();
    await expect.element(viewer.getByRole('img', { name: `QR code for ${images[0]?.links.share_url}` })).toBeVisible();
  } finally {
    Reflect.deleteProperty(navigator, 'share');
  }
});

test('every button of the viewer shows its focus, including those on the picture', async ({ mount }) => {
  const images = fill(2);
  await mount(`/?picture=${images[1]?.key}`, { images });
  await expect.element(viewer.getByRole('button', { name: 'Next picture' })).toBeEnabled();
  await press('{Tab}');
  for (const name of ['Favourite', 'Zoom in', 'Next picture', 'Copy URL']) {
    const button = viewer.getByRole('button', { name });
    (button.element() as HTMLElement).focus();
    expect(getComputedStyle(button.element()).outlineStyle, name).toBe('solid');
  }
});

test('the buttons of the sharing part are aligned, and the focus ring of Close doesn’t touch the name', async ({ mount }) => {
  await page.viewport(1440, 900);
  const image = anImage({ name: 'photo.jpg', has_password: true, visibility: 'private' });
  await mount(`/?picture=${image.key}`, { images: [image] });
  const boxOf = async (name: string, role: 'button' | 'heading' = 'button') => {
    const part = viewer.getByRole(role, { name });
    await expect.element(part).toBeVisible();
    return part.element().getBoundingClientRect();
  };
  expect((await boxOf('Remove password')).y).toBe((await boxOf('Change password')).y);
  expect((await boxOf('Make public')).height).toBeLessThan(30);
  expect((await boxOf('photo.jpg', 'heading')).x - (await boxOf('Close')).right).toBeGreaterThan(10);
});
