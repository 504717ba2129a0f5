import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Image } from '#api/images/images.ts';
import type { TextLine } from '#api/images/text.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
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

test('tags entered faster than the service saves them are all kept', async ({ mount }) => {
  const [image] = fill(1);
  const images = image ? [image] : [];
  const saved: PromiseWithResolvers<void>[] = [];
  const { library } = await mount(`/?picture=${image?.key}`, {
    images,
    api: {
      'PATCH /images/:key': async ({ body: { tags = [] } }) => {
        const { promise } = saved[saved.push(Promise.withResolvers<void>()) - 1] as PromiseWithResolvers<void>;
        await promise;
        return Object.assign(library.images[0] as Image, { tags });
      },
    },
  });
  const field = viewer.getByLabelText('Tags');
  await field.click();
  await press('one,two,');
  await expect.poll(() => saved.length).toBe(1);
  saved[0]?.resolve();
  // The first response mustn’t make the field forget the second tag, which is still on its way.
  await expect.poll(() => saved.length).toBe(2);
  await press('three{Enter}');
  saved[1]?.resolve();
  await expect.poll(() => saved.length).toBe(3);
  saved[2]?.resolve();
  await expect.poll(() => library.images[0]?.tags).toEqual(['one', 'two', 'three']);
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

const details = page.getByRole('complementary', { name: 'Details' });

test('a used-up view limit is reported, can be raised, and offers no thumbnail', async ({ mount }) => {
  const image = anImage({ name: '1.jpg', views: 2, max_views: 1, views_left: 0 });
  const today = new Date().toISOString().slice(0, 10);
  const { library } = await mount(`/?picture=${image.key}`, {
    images: [image],
    api: {
      'GET /images/:key/views': { total: 2, days: [{ date: today, views: 2 }], sources: [] },
      'PATCH /images/:key': ({ body }) =>
        Object.assign(library.images[0] as Image, body, body.max_views && { max_views: body.max_views, views_left: body.max_views - 1 }),
    },
  });
  await expect.element(viewer.getByRole('note')).toMatchTextContent('No views left');
  await expect.element(viewer.getByText('Thumbnail')).not.toBeInTheDocument();
  await expect.element(viewer.getByText('1 of 1 used')).toBeVisible();
  await expect.element(viewer.getByText('2 views in the last 30 days (including views before the limit was set)')).toBeVisible();
  await viewer.getByRole('button', { name: 'Allow 1 more' }).click();
  await expect.element(viewer.getByText('1 view left')).toBeVisible();
  expect(library.images[0]?.max_views).toBe(2);
  await viewer.getByText('Only you', { exact: true }).click();
  await expect.element(viewer.getByRole('note')).toMatchTextContent('Only you can open these links');
});

test('a custom address is checked while it is typed, refused to a second picture, and free again later', async ({ mount }) => {
  const [first, second] = fill(2) as [Image, Image];
  const taken = new Set<string>();
  const { library, reopen } = await mount(`/?picture=${first.key}`, {
    images: [first, second],
    api: {
      'GET /slugs/:slug': ({ params: { slug }, query: { key } }) => {
        const isTaken = taken.has(slug) && library.images.find((image) => image.slug === slug)?.key !== key;
        return { slug, problem: isTaken ? 'taken' : null };
      },
    },
  });
  const field = viewer.getByLabelText('Custom address');
  await field.fill('x');
  await expect.element(viewer.getByText('Use 2 to 63 letters')).toBeVisible();
  await field.fill('release-notes');
  await expect.element(viewer.getByText('This address is available.')).toBeVisible();
  await press('{Enter}');
  await expect.poll(() => library.images[0]?.slug).toBe('release-notes');
  taken.add('release-notes');
  await reopen(`/?picture=${second.key}`);
  await field.fill('release-notes');
  await expect.element(viewer.getByText('Another picture uses this address, or did until recently. Choose a different one.')).toBeVisible();
  await press('{Escape}');
  expect(second.slug).toBeNull();
  taken.clear();
  await field.fill('release-notes');
  await expect.element(viewer.getByText('This address is available.')).toBeVisible();
  await press('{Enter}');
  await expect.poll(() => second.slug).toBe('release-notes');
});

/** An instant as a field for a date and a time shows it here. */
const asLocal = (iso: string, length = 16) =>
  new Date(Date.parse(iso) - new Date(iso).getTimezoneOffset() * 60_000).toISOString().slice(0, length);

test('the date of a picture is corrected in its details, and it moves to its place', async ({ mount }) => {
  const first = anImage({ name: 'first.jpg', taken_at: '2024-06-01T10:00:00.000Z' });
  const second = anImage({ name: 'second.jpg', taken_at: '2024-06-02T10:00:00.000Z' });
  await mount(`/?picture=${first.key}`, { images: [first, second], browser: { timeline: 'taken_desc' } });
  const taken = details.getByLabelText('Taken');
  await expect.element(taken).toHaveValue(asLocal(first.taken_at));
  await audit('the date of a picture');
  for (const [typed, problem] of [
    ['1825-12-31T12:00:00', 'Choose a year from 1826 to '],
    ['9999-01-01T12:00:00', 'Choose a year from 1826 to '],
    ['', 'Enter a date and a time.'],
  ] as const) {
    await taken.fill(typed);
    (taken.element() as HTMLElement).blur();
    await expect.element(details.getByText(problem)).toBeVisible();
  }
  expect(first.taken_at).toBe('2024-06-01T10:00:00.000Z');
  // Escape leaves the field as it was, and the viewer open.
  (taken.element() as HTMLElement).focus();
  await press('{Escape}');
  await expect.element(taken).toHaveValue(asLocal('2024-06-01T10:00:00.000Z'));

  const corrected = '2024-06-03T12:30:15.000Z';
  await taken.fill(asLocal(corrected, 19));
  await press('{Enter}');
  await expect.element(details.getByRole('status')).toHaveTextContent('Saved');
  await expect.element(taken).toHaveValue(asLocal(corrected, 19));
  expect(first.taken_at).toBe(corrected);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.element(tiles().nth(0)).toHaveAttribute('data-picture', first.key);
  await expect.element(tiles().nth(1)).toHaveAttribute('data-picture', second.key);
  await expect.element(page.getByText('Mon, 3 Jun 2024')).toBeVisible();
});

test('an expiry says what becomes of the picture before and after it is set, and its tile shows the time left', async ({ mount }) => {
  const week = 7 * 86_400_000;
  const image = anImage({ name: 'short.jpg' });
  const { library, reopen } = await mount(`/?picture=${image.key}`, { images: [image] });
  const expires = details.getByRole('combobox', { name: 'Expires' });
  const choose = async (name: string) => {
    await expires.click();
    await page.getByRole('option', { name }).click();
  };
  const question = details.getByRole('alert');
  await expect.element(details.getByText('expired pictures move to your trash')).toBeVisible();
  await choose('1 week');
  await expect.element(question).toMatchTextContent(/This picture will move to your trash on \d/);
  await audit('an expiry that isn’t set yet');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(expires).toHaveValue('Never');
  expect(image.expires_at).toBeNull();
  await choose('1 week');
  await question.getByRole('button', { name: 'Set expiry' }).click();
  await expect.element(page.getByText('Expiry set')).toBeVisible();
  await expect.element(details.getByText('This picture will move to your trash on')).toBeVisible();
  expect(Math.abs(Date.parse(image.expires_at ?? '') - Date.now() - week)).toBeLessThan(60_000);

  // At a date and time of the browser's own, which must be in the future.
  await choose('Date and time…');
  const moment = details.getByLabelText(/^Date and time \(/);
  await moment.fill('2020-01-01T12:00');
  await expect.element(details.getByText('This time has passed. Choose a later one.')).toBeVisible();
  await expect.element(question).not.toBeInTheDocument();
  const wanted = new Date(new Date(Date.now() + week - 3_600_000).setSeconds(0, 0)).toISOString();
  await moment.fill(asLocal(wanted));
  await expect.element(details.getByText('This time has passed')).not.toBeInTheDocument();
  await audit('an expiry at a time');
  await question.getByRole('button', { name: 'Set expiry' }).click();
  await expect.poll(() => image.expires_at).toBe(wanted);
  await press('{Escape}');
  await expect.element(tiles()).toHaveAccessibleName(expect.stringMatching(/short\.jpg.*Expires \d/));
  await expect.element(tiles()).toMatchTextContent('6d');

  await reopen('/settings/uploads');
  await page.getByRole('radiogroup', { name: 'Expired pictures' }).getByText('Delete permanently').click();
  await expect.poll(() => library.preferences.delete_expired).toBe(true);
  await reopen(`/?picture=${image.key}`);
  await expect.element(details.getByText('This picture will be permanently deleted on')).toBeVisible();
  await choose('Never');
  await expect.element(page.getByText('Expiry removed')).toBeVisible();
  expect(image.expires_at).toBeNull();
});

test('the text in a picture is suggested as its alternative text, and removed on request', async ({ mount }) => {
  const image = anImage({ name: 'bill.png', ext: 'png' });
  const lines = ['Invoice 2026-114', 'Total 12 EUR'].map((text, index) => ({
    text,
    box: [10, 10 + 40 * index, 200, 30] as TextLine['box'],
  }));
  let hasText = true;
  await mount(`/?picture=${image.key}`, {
    images: [image],
    config: { ocr_enabled: true },
    api: {
      'GET /images/:key/text': () => ({
        status: hasText ? 'done' : 'none',
        language: hasText ? 'en' : null,
        lines: hasText ? lines : [],
      }),
      'DELETE /images/:key/text': () => {
        hasText = false;
        return {};
      },
    },
  });
  const field = page.getByLabelText('Alternative text');
  await page.getByRole('button', { name: 'Use the text in the picture' }).click();
  await expect.element(field).toHaveValue('Invoice 2026-114 Total 12 EUR');
  (field.element() as HTMLElement).blur();
  await expect.poll(() => image.alt).toBe('Invoice 2026-114 Total 12 EUR');
  await page.getByRole('button', { name: 'Remove text' }).click();
  await expect.element(page.getByRole('heading', { name: 'Text in the picture' })).not.toBeInTheDocument();
  expect(hasText).toBe(false);
});
