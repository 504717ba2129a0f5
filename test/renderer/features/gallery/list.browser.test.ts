import { expect } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { setPreferences } from '#renderer/preferences/preferences.ts';
import { CARLA } from '#test/helpers/screen/account.ts';
import { anAlbum, aSharedImage } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { personOf } from '#test/helpers/screen/library.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const press = (keys: string) => userEvent.keyboard(keys);
const selected = page.getByCss('main header').getByRole('status');
const LIST = { layout: 'list' } as const;
const heightOf = (index: number) => tiles().nth(index).element().getBoundingClientRect().height;
/** The middle of a row, over its name. */
const middleOf = (index: number): [number, number] => {
  const { x, y, height } = tiles().nth(index).element().getBoundingClientRect();
  return [x + 150, y + height / 2];
};

test('the view menu shows pictures as a list with facts, which this browser remembers', async ({ mount }) => {
  const images = [
    anImage({ name: 'harbour.jpg', width: 2560, height: 1440, size: 4_200_000, views: 1_234, created_at: '2024-03-04T12:00:00.000Z' }),
    anImage({ name: 'icon.png', ext: 'png', width: 16, height: 16, size: 812, visibility: 'private' }),
  ];
  const { reopen } = await mount('/', { images });
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByText('List', { exact: true }).click();
  await press('{Escape}');
  const harbour = tiles().filter({ hasText: 'harbour.jpg' });
  await expect.element(harbour).toMatchTextContent(/2560 × 1440.*4 MB.*4 Mar 2024, \d\d:\d\d.*Only this computer.*1,234 views/);
  await expect.element(tiles().filter({ hasText: 'icon.png' })).toMatchTextContent(/16 × 16.*812 B.*Only you.*0 views/);
  // Rows of one height.
  expect([heightOf(0), heightOf(1)]).toEqual([64, 64]);
  await reopen();
  await expect.element(harbour).toBeVisible();
  await checkPage('a list of pictures');
  await page.viewport(390, 844);
  await expect.element(harbour.getByText('2560 × 1440')).toBeVisible();
  await expect.element(harbour.getByText('1,234 views')).not.toBeVisible();
});

test('only rows near the screen exist, under their days', async ({ mount }) => {
  const images = Array.from({ length: 300 }, (_, index) =>
    anImage({ name: `${index}.jpg`, created_at: `2024-03-${index < 150 ? '04' : '05'}T12:00:00.000Z` }),
  );
  await mount('/', { images, browser: LIST });
  await expect.element(page.getByRole('heading', { name: /5 Mar/ })).toBeVisible();
  expect(tiles().elements().length).toBeLessThan(40);
  window.scrollTo(0, document.documentElement.scrollHeight);
  await expect.element(tiles().last()).toMatchTextContent(/^149\.jpg/);
  expect(tiles().elements().length).toBeLessThan(40);
  window.scrollTo(0, document.documentElement.scrollHeight / 2);
  await expect.element(page.getByRole('heading', { name: /4 Mar/ })).toBeVisible();
});

test('the same pictures stay on the screen when the layout changes', async ({ mount }) => {
  const images = Array.from({ length: 300 }, (_, index) => anImage({ name: `${index}.jpg` }));
  await mount('/', { images });
  /** The highest picture of which the top is on the screen, below the header. */
  const first = () =>
    Number(
      tiles()
        .elements()
        .find((tile) => tile.getBoundingClientRect().top > 60)
        ?.getAttribute('aria-label')
        ?.match(/\d+(?=\.jpg)/)?.[0],
    );
  await expect.element(tiles().first()).toBeVisible();
  window.scrollTo(0, document.documentElement.scrollHeight / 2);
  await expect.poll(first).toBeLessThan(200);
  const before = first();
  setPreferences({ layout: 'list' });
  await expect.poll(() => Math.abs(first() - before)).toBeLessThan(8);
  setPreferences({ layout: 'grid' });
  await expect.poll(() => Math.abs(first() - before)).toBeLessThan(16);
});

test('rows are selected with keys, ranges, a drag and checkboxes, and opened, as tiles are', async ({ mount }) => {
  const images = Array.from({ length: 8 }, (_, index) => anImage({ name: `${index}.jpg` }));
  await mount('/', { images, browser: LIST });
  await expect.element(tiles()).toHaveLength(8);
  (tiles().first().element() as HTMLElement).focus();
  await press('{ArrowDown}{ArrowDown}');
  await expect.element(tiles().nth(2)).toHaveFocus();
  await press('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await expect.element(selected).toHaveTextContent('3 selected');
  await press('{Escape}');
  await page.getByRole('checkbox', { name: 'Select 6.jpg' }).click();
  await tiles()
    .nth(5)
    .click({ modifiers: ['Shift'] });
  await expect.element(selected).toHaveTextContent('5 selected');
  await expect.element(tiles().nth(3)).toHaveAttribute('draggable', 'true');
  await checkPage('a list with a selection');
  await press('{Escape}');
  const [from, to] = [middleOf(0), middleOf(2)];
  await commands.mouse(['move', ...from], ['down'], ['move', ...to, { steps: 5 }], ['up']);
  await expect.element(selected).toHaveTextContent('3 selected');
  await press('{Escape}');
  await tiles().nth(1).hover();
  await page.getByRole('button', { name: 'Copy link to 6.jpg' }).click();
  expect(await copiedText()).toBe(images[6]?.links.url);
  await tiles().nth(1).click();
  await expect.element(page.getByRole('dialog').getByRole('heading', { name: '6.jpg' })).toBeVisible();
});

test('the trash is a list with the dates of deletion, and doesn’t say who can open its pictures', async ({ mount }) => {
  const deleted_at = new Date(Date.now() - 86_400_000).toISOString();
  const images = [anImage({ name: 'gone.jpg', created_at: '2024-03-04T12:00:00.000Z', deleted_at })];
  await mount('/trash', { images, browser: LIST });
  const gone = tiles().filter({ hasText: 'gone.jpg' });
  await expect.element(gone).toMatchTextContent(/600 × 400/);
  await expect.element(gone).not.toMatchTextContent(/2024|Only this computer/);
});

test('an album that is shared is a list as well, without what others aren’t told; it is arranged in a grid', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta', owner: personOf(CARLA), role: 'manager' });
  const images = [anImage({ name: 'own.jpg', albums: [album.id] })];
  await mount(`/albums/${album.id}`, {
    albums: [album],
    images,
    others: { [album.id]: [aSharedImage(CARLA, { name: 'other.jpg' })] },
    users: [CARLA],
    browser: LIST,
  });
  await expect.element(tiles().filter({ hasText: 'own.jpg' })).toMatchTextContent(/Only this computer.*0 views/);
  await expect.element(tiles().filter({ hasText: 'other.jpg' })).not.toMatchTextContent(/views/);
  await page.getByRole('button', { name: 'More actions for Regatta' }).click();
  await page.getByRole('menuitem', { name: 'Arrange pictures' }).click();
  await expect.poll(() => heightOf(0)).toBeGreaterThan(100);
});

const DAY = 86_400_000;
const COUNT = 1_200;
/** A library of three years, the latest first: two pictures a day, with a placeholder each. */
const fill = () =>
  Array.from({ length: COUNT }, (_, index) => {
    const time = new Date(Date.UTC(2026, 9, 20, 12) - Math.floor(index / 2) * 2 * DAY - index).toISOString();
    return anImage({
      name: `${index}.jpg`,
      width: 60,
      height: 90,
      created_at: time,
      taken_at: time,
      thumbhash: 'YQgGDIRviHCKdZeHeXeHd3eHd3cJ',
    });
  });
const height = () => document.documentElement.scrollHeight;
/** How many headings of days share each row on the screen. */
const headingsPerRow = () => {
  const tops = [...document.querySelectorAll('main h2')].map((heading) => Math.round(heading.getBoundingClientRect().top));
  return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
};

test('one move leads to any month of a library whose height is known at once', async ({ mount }) => {
  // The first thumbnails don't wait for the shape of the whole library, and stay where they are when it arrives.
  const shape = Promise.withResolvers<void>();
  const { service, reopen } = await mount('/albums', { images: fill() });
  service.hold('GET /images/timeline', () => shape.promise);
  await reopen('/');
  const slider = page.getByRole('slider', { name: 'Month shown' });
  await expect.element(tiles().nth(20)).toBeVisible();
  await expect.element(slider).not.toBeInTheDocument();
  const places = () =>
    tiles()
      .elements()
      .slice(0, 20)
      .map((tile) => JSON.stringify(tile.getBoundingClientRect()));
  const first = places();
  shape.resolve();
  await expect.element(slider).toBeVisible();
  expect(places()).toEqual(first);
  const whole = height();
  expect(whole).toBeGreaterThan(20_000);
  // Days of two pictures share a row.
  await expect.poll(() => Math.max(...headingsPerRow())).toBeGreaterThan(1);

  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/2026$/));
  (slider.element() as HTMLElement).focus();
  await press('{End}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'July 2023');
  // Opaque, so that the days below don't show through.
  const header = page.getByCss('header').filter({ has: page.getByRole('heading', { name: 'Pictures' }) });
  await expect.element(header).toHaveStyle({ backgroundColor: 'rgb(255, 255, 255)' });
  await expect.element(page.getByRole('link', { name: /^Open 11\d\d\.jpg/ }).first()).toBeVisible();
  await expect.element(page.getByRole('heading', { name: /^\w{3}, \d+ Jul 2023$/ }).first()).toBeVisible();
  // But for the line that ends the list.
  expect(Math.abs(height() - whole)).toBeLessThan(100);
  await press('{PageUp}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'December 2024');
  await press('{ArrowDown}');
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'November 2024');

  const box = slider.element().getBoundingClientRect();
  await commands.mouse(['move', box.x + 20, box.y + 10], ['down'], ['move', box.x + 20, box.y + box.height * 0.5, { steps: 5 }]);
  await expect.element(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/2025$/));
  await commands.mouse(['up']);
  await expect.element(tiles().first()).toBeVisible();
  expect(document.querySelectorAll('*').length).toBeLessThan(1_500);
  await checkPage('the middle of a timeline');
});
