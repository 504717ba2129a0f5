import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { test } from '#test/helpers/screen/app.tsx';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const press = (keys: string) => userEvent.keyboard(keys);
const COPY = '{Control>}c{/Control}';

test('Ctrl+C copies the link of the picture with the focus, of the selected ones, and of the open one', async ({ mount }) => {
  const images = ['1.jpg', '2.jpg', '3.jpg'].map((name) => anImage({ name }));
  const links = images.map(({ links: { url } }) => url);
  await mount('/', { images });
  const tile = (name: string) => page.getByRole('link', { name: new RegExp(`^Open ${name}`) });
  await expect.element(tile('3.jpg')).toBeVisible();
  (tile('2.jpg').element() as HTMLElement).focus();
  await press(COPY);
  await expect.poll(copiedText).toBe(links[1]);
  await expect.element(page.getByText('Link copied')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select 1.jpg' }).click();
  await page.getByRole('checkbox', { name: 'Select 3.jpg' }).click();
  await press(COPY);
  await expect.poll(async () => (await copiedText()).split('\n').toSorted()).toEqual([links[0], links[2]]);
  await press('{Escape}');

  (tile('2.jpg').element() as HTMLElement).focus();
  await press('{Enter}');
  await expect.element(page.getByRole('dialog').getByRole('heading', { name: '2.jpg' })).toBeVisible();
  await press(COPY);
  await expect.poll(copiedText).toBe(links[1]);
});

test('Ctrl+C copies text that is selected, and nothing while typing', async ({ mount }) => {
  await mount('/', { images: [anImage({ name: '1.jpg' })] });
  await expect.element(tiles()).toHaveLength(1);
  await page.getByRole('checkbox', { name: 'Select 1.jpg' }).click();
  const heading = page.getByText('1 selected').element();
  getSelection()?.selectAllChildren(heading);
  await press(COPY);
  await expect.poll(copiedText).toBe('1 selected');
  getSelection()?.removeAllRanges();
  await press('{Escape}');

  await navigator.clipboard.writeText('before');
  (page.getByRole('link', { name: /^Open 1\.jpg/ }).element() as HTMLElement).focus();
  await press('/');
  await press(COPY);
  expect(await copiedText()).toBe('before');
});

test('the list of keys names it', async ({ mount }) => {
  await mount('/', { images: [anImage()], language: 'zh' });
  await expect.element(tiles()).toHaveLength(1);
  await press('?');
  await expect.element(page.getByText('复制所选图片的链接')).toBeVisible();
  await expect.element(page.getByText('复制图片链接')).toBeVisible();
});
