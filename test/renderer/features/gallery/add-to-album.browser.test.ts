import { expect } from 'vitest';
import { commands, page, userEvent } from 'vitest/browser';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import type { Library } from '#test/helpers/screen/library.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const press = (keys: string) => userEvent.keyboard(keys);
const check = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const said = (text: string) => expect.element(page.getByText(text).last()).toBeVisible();
/** The number of pictures in each album. */
const counts = ({ albums, images }: Library) =>
  Object.fromEntries(albums.map(({ id, name }) => [name, images.filter((image) => image.albums.includes(id)).length]));

test('what is selected is dragged onto albums, or into a new one, and taken back', async ({ mount }) => {
  const [trip, family] = [anAlbum({ name: 'Trip' }), anAlbum({ name: 'Family' })];
  const images = ['1.jpg', '2.jpg', '3.jpg'].map((name) => anImage({ name, albums: name === '3.jpg' ? [trip.id] : [] }));
  const { library, reopen } = await mount('/', { albums: [trip, family], images });
  await check('2.jpg');
  await check('3.jpg');
  const shelf = page.getByRole('complementary', { name: 'Add to album' });
  const target = (name: string) => shelf.getByRole('listitem').filter({ hasText: name });
  const pickUp = async () => {
    const { x, y, width, height } = tiles().first().element().getBoundingClientRect();
    await commands.mouse(['move', x + width / 2, y + height / 2], ['down'], ['move', 500, 500, { steps: 3 }]);
    await expect.element(shelf).toBeVisible();
  };
  const over = async (name: string) => {
    await expect.element(target(name)).toBeVisible();
    const { x, y, width, height } = target(name).element().getBoundingClientRect();
    await commands.mouse(['move', x + width / 2, y + height / 2, { steps: 3 }]);
  };
  await pickUp();
  await over('Trip');
  await commands.mouse(['up']);
  await said('2 pictures added to Trip');
  await expect.element(shelf).not.toBeInTheDocument();
  // Still selected, and nothing else was uploaded or opened.
  await expect.element(page.getByCss('main header').getByText('2 selected')).toBeVisible();
  expect(counts(library)).toEqual({ Trip: 2, Family: 0 });
  await press('{Control>}z{/Control}');
  await expect.poll(() => counts(library)).toEqual({ Trip: 1, Family: 0 });
  // Dropped elsewhere, nothing happens.
  await pickUp();
  await commands.mouse(['up']);
  await expect.element(shelf).not.toBeInTheDocument();
  await pickUp();
  await over('Create album');
  await commands.mouse(['up']);
  const form = page.getByRole('dialog', { name: 'Create album' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Best of');
  await form.getByRole('button', { name: 'Create album' }).click();
  await said('2 pictures added to Best of');
  expect(counts(library)).toEqual({ 'Best of': 2, Trip: 1, Family: 0 });
  // Not onto the album that the page shows.
  await reopen(`/albums/${trip.id}`);
  await check('3.jpg');
  await pickUp();
  await expect.element(target('Trip')).toHaveLength(0);
  await over('Family');
  await commands.mouse(['up']);
  await expect.poll(() => counts(library)).toEqual({ 'Best of': 2, Trip: 1, Family: 1 });
});

test('pictures get tags, are hidden, starred and expire, move to a new album once, and the messages say what happened', async ({
  mount,
}) => {
  const many = Array.from({ length: 40 }, (_, index) => `holiday ${index}`);
  const images = Array.from({ length: 5 }, (_, index) => anImage({ name: `${index}.jpg` }));
  const { library, reopen } = await mount('/', { images });
  const total = (has: (image: (typeof images)[number]) => boolean) => library.images.filter(has).length;
  const tagged = () => total(({ tags }) => tags.includes('sea'));
  await check('0.jpg');
  await check('1.jpg');
  await button('Tags').click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('sea');
  await button('Add tags').click();
  await said('Tags added to 2 pictures');
  expect(tagged()).toBe(2);
  // The pictures' own tags and all others are offered, and however many there are, the buttons stay.
  Object.assign(library.images[3] ?? {}, { tags: many });
  await reopen();
  await check('0.jpg');
  await check('1.jpg');
  await button('Tags').click();
  const field = page.getByRole('combobox', { name: 'Tags' });
  await page.getByRole('group', { name: 'Tags on these pictures' }).getByRole('button', { name: 'sea' }).click();
  await field.fill('HOLIDAY 3');
  const others = page.getByRole('group', { name: 'Your other tags' });
  await expect.element(others.getByRole('button')).toHaveLength(11);
  await others.getByRole('button', { name: 'holiday 3', exact: true }).click();
  (field.element() as HTMLElement).focus();
  for (const tag of many.slice(10, 34)) await press(`${tag}{Enter}`);
  await expect.element(others.getByRole('button')).toHaveLength(15);
  await button('Add tags').click({ trial: true });
  await button('Remove tags').click();
  await said('Tags removed from 2 pictures');
  expect(tagged()).toBe(0);
  await press('{Control>}z{/Control}');
  await said('Changes to 2 pictures undone');
  expect(tagged()).toBe(2);
  await button('Who can see it').click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await said('2 pictures are now visible only to you');
  expect(total(({ visibility }) => visibility === 'private')).toBe(2);
  await press('{Control>}z{/Control}');
  await expect.poll(() => total(({ visibility }) => visibility === 'private')).toBe(0);
  await button('Favourites').click();
  await page.getByRole('menuitem', { name: 'Add to favourites' }).click();
  await said('2 pictures added to favourites');
  await expect.element(page.getByTitle('Favourite', { exact: true })).toHaveLength(2);
  await press('{Control>}z{/Control}');
  await expect.element(page.getByTitle('Favourite', { exact: true })).toHaveLength(0);
  await button('Expiry').click();
  await page.getByRole('menuitem', { name: '1 hour' }).click();
  await said('2 pictures expire in 1 hour');
  await button('Expiry').click();
  await page.getByRole('menuitem', { name: 'Date and time…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set expiry' });
  const moment = dialog.getByLabelText(/^Date and time/);
  await moment.fill('2020-01-01T12:00');
  await expect.element(dialog.getByRole('button', { name: 'Set expiry' })).toBeDisabled();
  await moment.fill(`${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T12:00`);
  await dialog.getByRole('button', { name: 'Set expiry' }).click();
  await expect.element(page.getByText(/^2 pictures expire on \d/)).toBeVisible();

  await button('Add to album').click();
  const search = page.getByRole('textbox', { name: 'Add to album' });
  await search.fill('Product shots');
  await page.getByRole('button', { name: 'Create “Product shots”' }).click();
  await said('2 pictures added to Product shots');
  await expect.element(search).not.toBeInTheDocument();
  await expect.element(page.getByCss('main header').getByRole('status')).toHaveTextContent('2 selected');
  expect(counts(library)).toEqual({ 'Product shots': 2 });
  await button('Undo').last().click();
  await expect.poll(() => counts(library)).toEqual({ 'Product shots': 0 });
  await button('Add to album').click();
  await button('Product shots').click();
  // That of the message before, to the same album, may still be there.
  await page.getByRole('link', { name: 'Open album' }).last().click();
  await expect.element(page.getByRole('heading', { name: 'Product shots' })).toBeVisible();
  await expect.element(tiles()).toHaveLength(2);
  await checkPage('a new album');
});
