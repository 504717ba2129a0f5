import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const card = (name: string) => page.getByRole('link', { name: `${name}, 0 pictures` });

test('an album is created, and opens', async ({ mount }) => {
  const { library } = await mount('/albums');
  await expect.element(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Create album' }).click();
  const form = page.getByRole('dialog', { name: 'Create album' });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect.element(form).toMatchTextContent('Enter a name for the album.');
  await form.getByLabelText('Name').fill('Coast');
  await form.getByLabelText('Description').fill('A week by the sea');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect.element(page.getByRole('heading', { name: 'Coast', exact: true })).toBeVisible();
  await expect.element(page.getByText('This album is empty')).toBeVisible();
  expect(library.albums).toMatchObject([{ name: 'Coast', description: 'A week by the sea', visibility: 'private' }]);
});

test('albums are reordered by dragging, by keyboard and from their menu', async ({ mount }) => {
  const { library, reopen } = await mount('/albums', { albums: ['One', 'Two', 'Three'].map((name) => anAlbum({ name })) });
  const order = expect.poll(() => library.albums.map(({ name }) => name));
  await card('One').dropTo(card('Three'));
  await order.toEqual(['Two', 'Three', 'One']);
  (card('One').element() as HTMLElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.element(page.getByText('One is now 2 of 3')).toBeInTheDocument();
  await expect.element(card('One')).toHaveFocus();
  await order.toEqual(['Two', 'One', 'Three']);
  await page.getByRole('button', { name: 'More actions for Two' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Move earlier' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Move later' }).click();
  await order.toEqual(['One', 'Two', 'Three']);
  (card('Three').element() as HTMLElement).focus();
  await userEvent.keyboard('{Alt>}{Home}{/Alt}');
  await expect.element(page.getByText('Three is now 1 of 3')).toBeInTheDocument();
  await expect.element(card('Three')).toHaveFocus();
  await order.toEqual(['Three', 'One', 'Two']);
  await page.getByRole('button', { name: 'More actions for Three' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Move to the start' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Move to the end' }).click();
  await order.toEqual(['One', 'Two', 'Three']);
  await reopen();
  await expect.element(page.getByRole('listitem').filter({ hasText: 'pictures' }).first()).toMatchTextContent('One');
});

test('an album shows only its own pictures, and can be deleted with or without them', async ({ mount }) => {
  const [kept, doomed] = [anAlbum({ name: 'Kept' }), anAlbum({ name: 'Doomed' })];
  const images = [anImage({ name: 'kept.jpg', albums: [kept.id] }), anImage({ name: 'doomed.jpg', albums: [doomed.id] })];
  const { library } = await mount('/albums', { albums: [kept, doomed], images });
  await expect.element(page.getByCss('main img')).toHaveLength(2);
  await audit('albums');
  await page.getByRole('link', { name: 'Doomed, 1 picture' }).click();
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(tiles()).toHaveAccessibleName(expect.stringContaining('doomed.jpg'));
  await page.getByRole('button', { name: 'More actions for Doomed' }).click();
  await page.getByRole('menuitem', { name: 'Delete album' }).click();
  await page.getByRole('dialog').getByLabelText('Delete the picture as well').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete album' }).click();
  await expect.element(page.getByText('Album deleted')).toBeVisible();
  const trashed = () => library.images.flatMap(({ name, deleted_at }) => (deleted_at ? [name] : []));
  expect(trashed()).toEqual(['doomed.jpg']);

  await page.getByRole('button', { name: 'More actions for Kept' }).click();
  await page.getByRole('menuitem', { name: 'Delete album' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete album' }).click();
  await expect.element(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  expect(trashed()).toEqual(['doomed.jpg']);
});

test('all of an album’s card opens it, except its menu', async ({ mount }) => {
  await mount('/albums', { albums: [anAlbum({ name: 'Coast' })] });
  // The link's area lies over the name.
  await page.getByRole('heading', { name: 'Coast' }).click({ force: true });
  await expect.poll(() => location.pathname).toMatch(/^\/albums\/[0-9A-Za-z]{10}$/);
  history.back();
  await page.getByRole('button', { name: 'More actions for Coast' }).click();
  await expect.element(page.getByRole('menuitem').first()).toBeVisible();
});
