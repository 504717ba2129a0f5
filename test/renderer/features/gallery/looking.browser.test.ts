import { expect } from 'vitest';
import { commands, type Locator, page, userEvent } from 'vitest/browser';
import { test } from '#test/helpers/screen/app.tsx';
import { audit, checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const viewer = page.getByRole('dialog');
const press = (keys: string) => userEvent.keyboard(keys);
const tile = (name: string) => page.getByRole('link', { name: `Open ${name}` });
const boxOf = (part: Locator) => part.element().getBoundingClientRect();
const centre = (part: Locator) => {
  const { x, y, width, height } = boxOf(part);
  return [x + width / 2, y + height / 2] as const;
};

/** The picture in the viewer, with its box and that of the stage. */
async function shown(name: string) {
  const picture = viewer.getByRole('img', { name, exact: true });
  await expect.element(picture).toBeVisible();
  return { picture, box: () => boxOf(picture), stage: boxOf(page.getByCss('[data-stage]')) };
}

test('a long picture opens at full width, from the top; the wheel scrolls it, and zooms with Ctrl', async ({ mount }) => {
  const images = [anImage({ name: 'before.jpg', width: 320, height: 200 }), anImage({ name: 'long.jpg', width: 400, height: 6_000 })];
  await mount('/', { images });
  await tile('long.jpg').click();
  const { box, stage } = await shown('long.jpg');
  await expect.poll(() => Math.round(box().width)).toBe(400);
  expect(Math.abs(box().y - stage.y)).toBeLessThanOrEqual(1);
  await commands.mouse(['move', stage.x + stage.width / 2, stage.y + stage.height / 2], ['wheel', 0, 300]);
  await expect.poll(() => Math.round(box().y - stage.y)).toBe(-300);
  expect(Math.round(box().width)).toBe(400);
  await press('{Control>}');
  await commands.mouse(['wheel', 0, -50]);
  await press('{/Control}');
  await expect.poll(() => box().width).toBeGreaterThan(500);
  await commands.mouse(['wheel', 0, 20_000]);
  await expect.poll(() => Math.round(box().bottom)).toBe(Math.round(stage.bottom));
  // The arrow keys still lead to the next picture, and a photograph opens whole: there, the wheel does nothing.
  await viewer.getByRole('button', { name: 'Zoom out' }).click();
  await press('{ArrowRight}');
  const photo = await shown('before.jpg');
  await expect.poll(() => Math.round(photo.box().width)).toBe(320);
  await commands.mouse(['move', stage.x + stage.width / 2, stage.y + stage.height / 2], ['wheel', 0, 200]);
  expect(Math.round(photo.box().width)).toBe(320);
  await press('{ArrowLeft}');
  await expect.poll(() => Math.round(box().width)).toBe(400);
});

test('the keys scroll a long picture that was opened by keyboard', async ({ mount }) => {
  await mount('/', { images: [anImage({ name: 'long.jpg', width: 400, height: 6_000 })] });
  await expect.element(tile('long.jpg')).toBeVisible();
  (tile('long.jpg').element() as HTMLElement).focus();
  await press('{Enter}');
  const { box, stage } = await shown('long.jpg');
  await expect.poll(() => Math.round(box().width)).toBe(400);
  await press('{ArrowDown}');
  await expect.poll(() => Math.round(box().y - stage.y)).toBe(-80);
  await press('{PageDown}');
  await expect.poll(() => Math.abs(box().y - stage.y + 80 + stage.height * 0.9)).toBeLessThan(1.5);
  await press('{End}');
  await expect.poll(() => Math.round(box().bottom)).toBe(Math.round(stage.bottom));
  await press('{Home}');
  await expect.poll(() => Math.round(box().y - stage.y)).toBe(0);
});

test('a small picture is never larger than itself, and on a plain tile; an icon keeps its edges', async ({ mount }) => {
  await mount('/', {
    images: [
      anImage({ name: 'photo.jpg', width: 900 }),
      anImage({ name: 'small.jpg', width: 120, height: 80 }),
      anImage({ name: 'small.png', ext: 'png', width: 32, height: 10 }),
    ],
  });
  const image = tile('small.png').getByCss('img');
  await expect.poll(() => (image.element() as HTMLImageElement).naturalWidth).toBe(32);
  await expect.element(image).toHaveStyle({ objectFit: 'scale-down', imageRendering: 'pixelated' });
  await expect.element(tile('small.jpg').getByCss('img')).toHaveStyle({ objectFit: 'scale-down', imageRendering: 'auto' });
  expect(getComputedStyle(tile('small.png').element().parentElement as Element).backgroundColor).not.toBe('rgba(0, 0, 0, 0)');
  await tile('small.png').click();
  const { box, stage } = await shown('small.png');
  const { x, y, width, height } = box();
  expect([width, height]).toEqual([32, 10]);
  expect(Math.abs(x + width / 2 - stage.x - stage.width / 2)).toBeLessThan(2);
  expect(Math.abs(y + height / 2 - stage.y - stage.height / 2)).toBeLessThan(2);
});

test('animations are marked, and play while the mouse points at them or the focus is on them', async ({ mount }) => {
  await commands.emulateMedia({ reducedMotion: 'no-preference' });
  const gif = anImage({ name: 'wave.gif', ext: 'gif', animated: true });
  const webp = anImage({ name: 'film.webp', ext: 'webp', animated: true });
  await mount('/', { images: [gif, anImage({ name: 'photo.jpg' }), webp, anImage({ name: 'still.gif', ext: 'gif' })] });
  const mark = page.getByText('GIF', { exact: true });
  await expect.element(tiles()).toHaveLength(4);
  await commands.mouse(['move', 0, 0]);
  await expect.element(mark).toHaveLength(1);
  await expect.element(page.getByText('WebP', { exact: true })).toBeVisible();
  const playing = page.getByCss(`a[data-picture] img[src^="/i/${gif.key}"]`);
  await expect.element(playing).not.toBeInTheDocument();
  await tile('wave.gif').hover();
  await expect.element(playing).toBeVisible();
  await expect.element(mark).not.toBeVisible();
  await commands.mouse(['move', 0, 0]);
  await expect.element(playing).not.toBeInTheDocument();
  await expect.element(mark).toBeVisible();
  await expect.element(tile('film.webp')).toHaveAccessibleName(expect.stringMatching(/Animated$/));
  const moving = page.getByCss(`a[data-picture] img[src^="/i/${webp.key}"]`);
  (tiles().nth(1).element() as HTMLElement).focus();
  await press('{ArrowRight}');
  await expect.element(moving).toBeVisible();
  await press('{ArrowRight}');
  await expect.element(moving).not.toBeInTheDocument();
  await commands.emulateMedia({ reducedMotion: 'reduce' });
  await tile('film.webp').hover();
  await tile('wave.gif').hover();
  await expect.element(tile('film.webp').getByCss('img')).toHaveLength(1);
  await expect.element(playing).not.toBeInTheDocument();
});

test('a press on the button copies a link, and a drag with the mouse selects', async ({ mount }) => {
  const images = Array.from({ length: 6 }, (_, index) => anImage({ name: `${index + 1}.jpg` }));
  await mount('/', { images });
  await expect.element(tiles()).toHaveLength(6);
  expect(tiles().first().element().getAttribute('href')).toBe(`/s/${images[5]?.key}`);
  await tiles().nth(1).hover();
  await page.getByRole('button', { name: 'Copy link to 5.jpg' }).click();
  expect(await copiedText()).toBe(images[4]?.links.url);
  const selected = page.getByCss('main header').getByRole('status');
  const [from, to] = [centre(tiles().nth(0)), centre(tiles().nth(2))];
  await commands.mouse(['move', ...from], ['down'], ['move', ...to, { steps: 5 }]);
  await expect.element(selected).toHaveTextContent('3 selected');
  await commands.mouse(['move', from[0] + 10, from[1], { steps: 5 }]);
  await expect.element(selected).toHaveTextContent('1 selected');
  await commands.mouse(['move', ...to], ['up']);
  await expect.element(selected).toHaveTextContent('3 selected');
  await expect.element(viewer).not.toBeInTheDocument();
  await audit('selected by dragging');
});

test('in the viewer, Delete deletes, Ctrl+Z restores, and a second double click zooms out; ? lists the shortcuts', async ({ mount }) => {
  const { library } = await mount('/', { images: ['1.jpg', '2.jpg'].map((name) => anImage({ name })) });
  await tiles().first().click();
  const { box } = await shown('2.jpg');
  const fitted = box().width;
  const middle = [box().x + fitted / 2, box().y + box().height / 2] as const;
  await commands.mouse(['dblclick', ...middle]);
  await expect.poll(() => box().width).toBeGreaterThan(fitted * 1.5);
  await commands.mouse(['dblclick', ...middle]);
  await expect.poll(() => box().width).toBe(fitted);
  await press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  for (const term of ['Search pictures', 'Select a range', 'Start or pause the slideshow', 'Enter or leave full screen'])
    await expect.element(sheet.getByRole('term').filter({ hasText: term }).first()).toBeVisible();
  await audit('shortcuts');
  await press('{Delete}{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(viewer.getByRole('heading', { name: '2.jpg' })).toBeVisible();
  await press('{Delete}');
  await expect.element(viewer.getByRole('heading', { name: '1.jpg' })).toBeVisible();
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  expect(library.images.flatMap(({ name, deleted_at }) => (deleted_at ? [name] : []))).toEqual(['2.jpg']);
  await press('{Control>}z{/Control}');
  await expect.element(page.getByText('Picture restored')).toBeVisible();
  await press('{Escape}');
  await expect.element(tiles()).toHaveLength(2);
  // The sheet is where people look for it, too.
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect.element(sheet).toBeVisible();
});

test('nothing in view moves while the user is further down, and a button leads to what is new', async ({ mount }) => {
  const old = Array.from({ length: 400 }, (_, index) => anImage({ name: `old-${index}.jpg`, width: 120, height: 90 }));
  const { library, service } = await mount('/', { images: old });
  await expect.element(tiles().first()).toBeVisible();
  window.scrollTo({ top: 2_500 });
  await expect.poll(() => scrollY).toBe(2_500);
  await expect.poll(() => places().length).toBeGreaterThan(5);
  const before = places();
  for (const name of ['one.jpg', 'two.jpg']) {
    const image = anImage({ name });
    library.images.push(image);
    service.tell('image.created', image.key);
  }
  await expect.element(page.getByRole('button', { name: '2 new' })).toBeVisible();
  expect(places()).toEqual(before);
  await checkPage('new pictures');
  await page.getByRole('button', { name: '2 new' }).click();
  await expect.poll(() => names().slice(0, 3)).toEqual(['two.jpg', 'one.jpg', 'old-399.jpg']);
  await expect.element(page.getByRole('button', { name: '2 new' })).not.toBeInTheDocument();
  expect(scrollY).toBe(0);
});

test('nothing moves under the pointer', async ({ mount }) => {
  const images = ['1.jpg', '2.jpg', '3.jpg'].map((name) => anImage({ name }));
  const { library, service } = await mount('/', { images });
  await expect.element(tiles()).toHaveLength(3);
  await tile('2.jpg').hover();
  const before = places();
  const added = anImage({ name: '4.jpg' });
  library.images.push(added);
  service.tell('image.created', added.key);
  await expect.element(page.getByRole('button', { name: '1 new' })).toBeVisible();
  const [first, , third] = library.images;
  if (third) third.deleted_at = new Date().toISOString();
  service.tell('image.deleted', third?.key ?? '');
  if (first) first.name = 'boats.jpg';
  service.tell('image.changed', first?.key ?? '');
  // What doesn't move anything shows at once, after the deletion has arrived.
  await expect.element(tile('boats.jpg')).toBeVisible();
  expect(places()).toEqual(before);
  await commands.mouse(['move', 2, 2]);
  await expect.poll(names).toEqual(['4.jpg', '2.jpg', 'boats.jpg']);
  await expect.element(page.getByRole('button', { name: '1 new' })).not.toBeInTheDocument();
});

const names = () =>
  tiles()
    .elements()
    .map((one) => /Open (\S+?)(?:,|$)/.exec(one.getAttribute('aria-label') ?? '')?.[1]);
/** Where the tiles in view are. */
const places = () =>
  tiles()
    .elements()
    .map((one) => ({ address: one.getAttribute('href'), ...(one.getBoundingClientRect().toJSON() as DOMRect) }))
    .filter(({ bottom, top }) => bottom > 0 && top < innerHeight)
    .map((place) => JSON.stringify(place));
