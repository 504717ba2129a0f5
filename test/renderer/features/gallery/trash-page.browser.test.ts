import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Image } from '#api/images/images.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { textsOf, tiles } from '#test/helpers/screen/locators.ts';
import { refuse } from '#test/helpers/screen/service.ts';

/** More than the page loads at once. */
const MANY = 320;

const press = (keys: string) => userEvent.keyboard(keys);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const selected = page.getByCss('main header').getByRole('status');
const fill = (each: (index: number) => Partial<Image> = () => ({})) =>
  Array.from({ length: MANY }, (_, index) => anImage({ name: `${index}.jpg`, width: 90, height: 60, ...each(index) }));
const trashed = ({ images }: { images: Image[] }) => images.filter(({ deleted_at }) => deleted_at);

test('many pictures are deleted after a question, and restored as a whole after a reload', async ({ mount }) => {
  const { library, reopen } = await mount('/', { images: fill() });
  await expect.element(tiles().first()).toBeVisible();
  await press('{Control>}a{/Control}');
  await button(`Select all ${MANY}`).click();
  await expect.element(selected).toHaveTextContent(`${MANY} selected`);
  await press('{Delete}');
  const question = page.getByRole('dialog', { name: `Delete ${MANY} pictures?` });
  await expect.element(question).toMatchTextContent('for 30 days');
  await audit('the question before many are deleted');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(selected).toHaveTextContent(`${MANY} selected`);
  expect(trashed(library)).toEqual([]);
  await press('{Delete}');
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText(`${MANY} pictures deleted`)).toBeVisible();
  expect(trashed(library)).toHaveLength(MANY);

  await reopen();
  await page.getByRole('link', { name: 'Trash' }).first().click();
  const deletions = page.getByRole('region', { name: 'Recently deleted' });
  await expect.element(deletions.getByRole('listitem')).toHaveLength(1);
  await expect.element(deletions).toMatchTextContent(`${MANY} pictures`);
  await audit('a deletion in the trash');
  await deletions.getByRole('button', { name: `Restore ${MANY} pictures` }).click();
  await expect.element(page.getByText(`${MANY} pictures restored`)).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  await expect.element(deletions).not.toBeInTheDocument();
  expect(trashed(library)).toEqual([]);
});

test('up to fifty pictures are deleted without a question, and a selection of several requests is one deletion', async ({ mount }) => {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const images = fill((index) => {
    const time = new Date(index < 50 ? midnight + index : midnight - 1 - index - (index < 55 ? 0 : 86_400_000)).toISOString();
    return { created_at: time, taken_at: time };
  });
  const { library } = await mount('/', { images });
  await page.getByRole('checkbox', { name: 'Select all: Today' }).click();
  await expect.element(selected).toHaveTextContent('50 selected');
  await press('{Delete}');
  await expect.element(page.getByText('50 pictures deleted')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(trashed(library)).toHaveLength(50);
  // A day that is loaded, and one that isn't.
  await page.getByRole('checkbox', { name: 'Select all: Yesterday' }).click();
  await page
    .getByRole('checkbox', { name: /^Select all: / })
    .nth(1)
    .click();
  await expect.element(selected).toHaveTextContent(`${MANY - 50} selected`);
  await press('{Delete}');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByText(`${MANY - 50} pictures deleted`)).toBeVisible();
  await page.getByRole('link', { name: 'Trash' }).first().click();
  const deletions = page.getByRole('region', { name: 'Recently deleted' }).getByRole('listitem');
  await expect.element(deletions).toHaveLength(2);
  await expect.element(deletions.first()).toMatchTextContent(`${MANY - 50} pictures`);
  await expect.element(deletions.nth(1)).toMatchTextContent('50 pictures');
});

test('the whole trash is selected, restored and permanently deleted, whatever its size', async ({ mount }) => {
  const start = Date.now() - 3_600_000;
  const images = fill((index) => ({
    deleted_at: new Date(start - index).toISOString(),
    ...(index === 5 && { expires_at: new Date(start).toISOString() }),
  }));
  const { library, reopen } = await mount('/trash', { images });
  await expect.element(page.getByText(`${MANY} pictures`, { exact: true })).toBeVisible();
  await expect.element(tiles().first()).toBeVisible();
  await press('{Control>}a{/Control}');
  await expect.element(selected).toHaveTextContent('200 selected');
  await button(`Select all ${MANY}`).click();
  await expect.element(selected).toHaveTextContent(`${MANY} selected`);
  for (const name of ['0.jpg', '1.jpg']) await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
  await expect.element(selected).toHaveTextContent(`${MANY - 2} selected`);
  await button('Restore').click();
  // One has expired.
  const asked = page.getByRole('dialog', { name: `Restore ${MANY - 2} pictures?` });
  await expect.element(asked).toMatchTextContent('1 of them has expired');
  await asked.getByRole('button', { name: 'Restore' }).click();
  await expect.element(page.getByText(`${MANY - 2} pictures restored`)).toBeVisible();
  await expect.element(tiles()).toHaveLength(2);
  expect(trashed(library).map(({ name }) => name)).toEqual(['0.jpg', '1.jpg']);
  await button('Restore all').click();
  await expect.element(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();
  expect(trashed(library)).toEqual([]);

  for (const image of library.images) image.deleted_at = new Date().toISOString();
  await reopen();
  await expect.element(tiles().first()).toBeVisible();
  const kept = tiles().first().element().getAttribute('aria-label') ?? '';
  await press('{Control>}a{/Control}');
  await button(`Select all ${MANY}`).click();
  await tiles().first().click();
  await press('{Delete}');
  const question = page.getByRole('dialog', { name: `Permanently delete ${MANY - 1} pictures?` });
  await question.getByRole('button', { name: 'Delete permanently' }).click();
  await expect.element(page.getByText(`${MANY - 1} pictures permanently deleted`)).toBeVisible();
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(tiles()).toHaveAccessibleName(kept);
  expect(library.images).toHaveLength(1);
});

test('moving many pictures says which albums they leave, and asks first', async ({ mount }) => {
  const [harbour, trip, target] = [
    anAlbum({ name: 'Harbour', visibility: 'public' }),
    anAlbum({ name: 'Trip' }),
    anAlbum({ name: 'Target' }),
  ];
  const images = fill((index) => ({ albums: index < 100 ? [harbour.id] : index < 103 ? [trip.id] : [] }));
  const { library } = await mount('/', { images, albums: [harbour, trip, target] });
  await expect.element(tiles().first()).toBeVisible();
  await press('{Control>}a{/Control}');
  await button(`Select all ${MANY}`).click();
  await page.getByRole('checkbox', { name: `Select ${MANY - 1}.jpg`, exact: true }).click();
  const move = async (album: string) => {
    await button('Add to album').click();
    await button('Move to another album…').click();
    await page.getByRole('list', { name: 'Albums' }).getByRole('button', { name: album }).click();
  };
  await move('Target');
  const question = page.getByRole('dialog', { name: `Move ${MANY - 1} pictures to Target?` });
  await expect.element(question).toMatchTextContent('Pictures leave these albums');
  await expect.poll(textsOf(question.getByRole('listitem'))).toEqual(['Harbour (public): 100 pictures', 'Trip: 3 pictures']);
  await audit('the question before many are moved');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  const inTarget = () => library.images.filter(({ albums }) => albums.includes(target.id)).length;
  expect(inTarget()).toBe(0);
  await move('Target');
  await question.getByRole('button', { name: 'Move' }).click();
  await expect.element(page.getByText(`${MANY - 1} pictures moved to Target`)).toBeVisible();
  expect(inTarget()).toBe(MANY - 1);
  await press('{Control>}z{/Control}');
  await expect.element(page.getByText(`Changes to ${MANY - 1} pictures undone`)).toBeVisible();
  expect(inTarget()).toBe(0);
});

test('Ctrl+Z after restoring deletes again, and says when it can’t', async ({ mount }) => {
  const { library } = await mount('/', { images: [anImage({ name: 'boat.jpg' })] });
  const boat = page.getByRole('link', { name: /^Open boat\.jpg/ });
  const focus = async () => {
    await expect.element(boat).toBeVisible();
    (boat.element() as HTMLElement).focus();
  };
  await focus();
  await press('{Delete}');
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  await page.getByRole('link', { name: 'Trash' }).first().click();
  await focus();
  await press(' ');
  await button('Restore').first().click();
  await expect.element(page.getByText('Picture restored')).toBeVisible();
  await press('{Control>}z{/Control}');
  await expect.poll(() => trashed(library).length).toBe(1);
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(page.getByText('Picture restored')).not.toBeInTheDocument();
  await button('Restore all').click();
  await expect.element(page.getByText('Picture restored')).toBeVisible();
  await press('{Control>}z{/Control}');
  await expect.element(page.getByText('Restoring these can’t be undone. You can delete them again.')).toBeVisible();
});

test('a previous version goes back behind the links of its picture, alone, and Ctrl+Z undoes that', async ({ mount }) => {
  const picture = anImage({ name: 'plan.jpg', sha256: 'b'.repeat(64), replaced_at: new Date().toISOString() });
  const deleted_at = new Date().toISOString();
  const version = anImage({ name: 'plan.jpg', sha256: 'a'.repeat(64), version_of: picture.key, deleted_at });
  const boat = anImage({ name: 'boat.jpg', deleted_at });
  const orphan = anImage({ name: 'old.jpg', version_of: 'a'.repeat(12), deleted_at });
  const { library } = await mount('/trash', { images: [picture, version, boat, orphan] });
  const shown = () => library.images.find(({ key }) => key === picture.key)?.sha256[0];
  await button('Restore all').click();
  await expect.element(page.getByText('2 pictures restored')).toBeVisible();
  await expect.element(page.getByText(/^1 previous version stays in the trash/)).toBeVisible();
  await expect.element(tiles()).toHaveLength(1);
  expect(shown()).toBe('b');
  await page.getByRole('checkbox', { name: /plan\.jpg/ }).click();
  await button('Restore').first().click();
  await expect.element(page.getByText('Version restored')).toBeVisible();
  expect(shown()).toBe('a');
  await audit('a restored version');
  await expect.element(tiles()).toHaveLength(1);
  await press('{Control>}z{/Control}');
  await expect.element(page.getByText('Replacement undone')).toBeVisible();
  expect(shown()).toBe('b');
  expect(trashed(library)).toEqual([expect.objectContaining({ key: version.key })]);
});

test('a link to a picture that was deleted leads to the trash', async ({ mount }) => {
  const images = [anImage({ name: '1.jpg', deleted_at: new Date().toISOString() }), anImage({ name: '2.jpg' })];
  const gone = { ...images[0] } as Image;
  await mount(`/?picture=${gone.key}`, {
    images,
    api: { 'GET /images/:key': ({ params }) => (params.key === gone.key ? refuse('not_found') : gone) },
  });
  await expect.element(page.getByRole('dialog')).toMatchTextContent('Pictures in your trash are kept for 30 days');
  await page.getByRole('dialog').getByRole('link', { name: 'Open trash' }).click();
  await expect.element(page.getByRole('link', { name: /^Open 1\.jpg/ })).toBeVisible();
});
