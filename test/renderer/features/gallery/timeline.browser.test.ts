import { expect } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const DAY = 86_400_000;
const COUNT = 1_200;

const press = (keys: string) => userEvent.keyboard(keys);
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
