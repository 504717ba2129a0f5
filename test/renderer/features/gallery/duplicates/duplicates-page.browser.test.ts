import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DuplicateGroup } from '#api/images/duplicates.ts';
import type { Image } from '#api/images/images.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import type { Library } from '#test/helpers/screen/library.ts';
import type { Api } from '#test/helpers/screen/service.ts';

const group = (name: string) => page.getByRole('region', { name });
const exact = group('2 identical files');
const alike = group('2 pictures that look alike');
const button = (within: typeof exact, name: string | RegExp) => within.getByRole('button', { name });

/** A picture that is stored twice, two that look alike, and one that is alone. */
const fill = (changes: Partial<Image> = {}) => [
  anImage({ name: 'boat.jpg', sha256: 'b'.repeat(64) }),
  anImage({ name: 'boat again.jpg', sha256: 'b'.repeat(64), expires_at: new Date(Date.now() + 86_400_000).toISOString() }),
  anImage({ name: 'sea.jpg', width: 800, height: 600, size: 90_000 }),
  anImage({ name: 'sea small.jpg', width: 300, height: 225, size: 9_000, ...changes }),
  anImage({ name: 'hill.jpg' }),
];

/** Which pictures are alike is for the service; here, their names say it. */
function duplicatesApi(library: () => Library): Api {
  const different = new Set<string>();
  return {
    'GET /images/duplicates': () => {
      const groups = (['sea', 'boat'] as const).map((word): DuplicateGroup => {
        const images = library().images.filter(({ name, deleted_at }) => name.startsWith(word) && !deleted_at);
        return { kind: word === 'boat' ? 'exact' : 'alike', images };
      });
      const items = groups.filter(({ images }) => images.length > 1 && !images.every(({ key }) => different.has(key)));
      return { items, next_cursor: null, count: items.length, waiting: 0 };
    },
    'POST /images/duplicates/review': ({ body }) => {
      for (const key of body.keys)
        if (body.different) different.add(key);
        else different.delete(key);
      return {};
    },
    'POST /images/duplicates/keep': ({ body }) => {
      const { images } = library();
      const dropped = images.filter(({ key }) => body.delete.includes(key));
      const undo = library().remember(dropped);
      for (const image of dropped) image.deleted_at = new Date().toISOString();
      return { results: dropped.map(({ key }) => ({ key, ok: true })), processed: dropped.length, failed: 0, undo };
    },
  };
}

const left = ({ images }: Library) => images.filter(({ deleted_at }) => !deleted_at).map(({ name }) => name);

test('duplicates are reviewed with the keyboard: of identical files, the best is kept; nothing that only looks alike is marked', async ({
  mount,
}) => {
  const { library } = await mount('/', { images: fill(), api: duplicatesApi(() => library) });
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('link', { name: 'Find duplicates' }).click();
  await expect.element(alike.getByRole('button', { name: 'Keep sea.jpg', pressed: true })).toBeVisible();
  await expect.element(alike.getByRole('button', { name: 'Keep sea small.jpg', pressed: true })).toBeVisible();
  await expect.element(button(alike, 'Delete 0, keep the rest')).toBeDisabled();
  await expect.element(exact.getByRole('button', { name: /^Keep boat/, pressed: false })).toHaveLength(1);
  await checkPage('duplicates');
  (button(alike, 'Keep sea.jpg').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(button(alike, 'Keep sea small.jpg')).toHaveFocus();
  // With both kept, there is nothing to delete.
  await userEvent.keyboard('{Enter}');
  await expect.element(alike).toBeVisible();
  await userEvent.keyboard('{ArrowLeft} {Enter}');
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  await expect.element(alike).not.toBeInTheDocument();
  await expect.element(button(exact, /^Keep boat/).first()).toHaveFocus();
  expect(left(library).sort()).toEqual(['boat again.jpg', 'boat.jpg', 'hill.jpg', 'sea small.jpg']);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(alike).toBeVisible();
  expect(left(library)).toContain('sea.jpg');
});

test('pictures that are different are not listed again, unless that is undone', async ({ mount }) => {
  const { library, reopen } = await mount('/duplicates', { images: fill(), api: duplicatesApi(() => library) });
  const reported = page.getByText('These pictures are no longer listed as duplicates');
  await button(alike, 'They’re different').click();
  await expect.element(alike).not.toBeInTheDocument();
  await expect.element(reported).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(alike).toBeVisible();
  await expect.element(reported).not.toBeInTheDocument();
  (button(alike, 'Keep sea.jpg').element() as HTMLElement).focus();
  await userEvent.keyboard('d');
  await expect.element(alike).not.toBeInTheDocument();
  await expect.element(reported).toBeVisible();
  await reopen();
  await expect.element(exact).toBeVisible();
  await expect.element(alike).not.toBeInTheDocument();
  await expect.element(button(exact, 'They’re different')).not.toBeInTheDocument();
  await expect.element(button(exact, 'Keep both')).toBeVisible();
  await button(exact, 'Delete 1, keep the rest').click();
  await expect.element(page.getByRole('heading', { name: 'No duplicates' })).toBeVisible();
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  expect(left(library).filter((name) => name.startsWith('boat'))).toHaveLength(1);
});

test('the copy in use is kept, and one that is deleted offers its place in an album to the kept one', async ({ mount }) => {
  const album = anAlbum({ name: 'Holiday', visibility: 'public' });
  const images = fill({ title: 'The sea', albums: [album.id] });
  const [, , sea, small] = images as [Image, Image, Image, Image];
  album.cover_key = small.key;
  const { library, service } = await mount('/duplicates', { images, albums: [album], api: duplicatesApi(() => library) });
  await button(alike, 'Mark all but the best').click();
  await expect.element(alike.getByRole('button', { name: 'Keep sea.jpg', pressed: false })).toBeVisible();
  await expect.element(alike.getByRole('button', { name: 'Keep sea small.jpg', pressed: true })).toBeVisible();
  for (const fact of ['In Holiday', 'Cover of Holiday', '“The sea”']) await expect.element(alike.getByText(fact)).toBeVisible();
  await expect.element(alike.getByRole('checkbox')).not.toBeInTheDocument();
  await button(alike, 'Keep sea.jpg').click();
  await button(alike, 'Keep sea small.jpg').click();
  await expect.element(alike.getByRole('checkbox', { name: 'The kept picture takes its place in Holiday' })).toBeChecked();
  await checkPage('duplicates with a place in an album');
  await button(alike, 'Delete 1, keep the rest').click();
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  expect(service.calls('POST /images/duplicates/keep').map(({ body }) => body)).toEqual([
    { key: sea.key, delete: [small.key], take_places: true },
  ]);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(page.getByText('Picture restored')).toBeVisible();
  expect(left(library)).toContain('sea small.jpg');
});
