import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ADA, CARLA } from '#test/helpers/screen/account.ts';
import { aMember, anAlbum, aSharedImage } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { textsOf, tiles } from '#test/helpers/screen/locators.ts';

/** An album of ada's with two pictures, for carla in a role. */
function sharedAlbum(role: 'viewer' | 'contributor' | 'manager') {
  const album = anAlbum({ name: 'Regatta', role });
  const others = { [album.id]: [aSharedImage(ADA, { name: 'one.jpg' }), aSharedImage(ADA, { name: 'two.jpg' })] };
  return { album, options: { user: CARLA, albums: [album], others, members: { [album.id]: [aMember(CARLA, role)] } } };
}

const openMenu = () => page.getByRole('button', { name: 'More actions for Regatta' }).click();

test('a viewer finds an album under “Shared with me”, looks at it and leaves it', async ({ mount }) => {
  const { album, options } = sharedAlbum('viewer');
  const { library, service } = await mount('/albums', { ...options, albums: [] });
  await expect.element(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  library.albums = [album];
  service.tell('album.changed', album.id);
  const shared = page.getByRole('region', { name: 'Shared with me' });
  await expect.element(shared.getByRole('link', { name: 'Regatta, 2 pictures, by ada' })).toBeVisible();
  await checkPage('shared albums');
  await shared.getByRole('link', { name: /Regatta/ }).click();
  await expect.element(tiles()).toHaveLength(2);
  await openMenu();
  await expect.poll(textsOf(page.getByRole('menuitem'))).toEqual(['Download as zip', 'Leave album']);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('link', { name: 'Add pictures' })).not.toBeInTheDocument();
  await tiles().first().click();
  const viewer = page.getByRole('dialog', { name: 'two.jpg' });
  await expect.element(viewer).toMatchTextContent('Added by ada');
  await expect.element(viewer.getByRole('button', { name: 'Remove from album' })).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');

  await openMenu();
  await page.getByRole('menuitem', { name: 'Leave album' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave album' }).click();
  await expect.element(page.getByText('You have left the album')).toBeVisible();
  await expect.element(shared).not.toBeInTheDocument();
  expect(library.members[album.id]).toEqual([]);
});

test('a contributor adds pictures, and finds their own', async ({ mount }) => {
  const { album, options } = sharedAlbum('contributor');
  const { library, service } = await mount(`/albums/${album.id}`, options);
  await expect.element(tiles()).toHaveLength(2);
  await page.getByRole('link', { name: 'Add pictures' }).click();
  await expect.poll(() => location.pathname).toBe(`/albums/${album.id}/add`);
  history.back();
  const mine = anImage({ name: 'mine.jpg', albums: [album.id] });
  library.images.push(mine);
  service.tell('image.created', mine.key);
  service.tell('album.changed', album.id);
  await expect.element(tiles()).toHaveLength(3);
  await page.getByText('My pictures', { exact: true }).click();
  await expect.element(tiles()).toHaveLength(1);
  await page.getByText('All pictures', { exact: true }).click();
  await expect.element(tiles()).toHaveLength(3);
});

test('a manager arranges the pictures of an album', async ({ mount }) => {
  const { album, options } = sharedAlbum('manager');
  const { service } = await mount(`/albums/${album.id}`, options);
  await openMenu();
  await page.getByRole('menuitem', { name: 'Arrange pictures' }).click();
  (tiles().first().element() as HTMLElement).focus();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  await expect.element(page.getByText('two.jpg is now 2 of 2')).toBeInTheDocument();
  await expect.element(tiles().first()).toHaveAccessibleName(expect.stringContaining('one.jpg'));
  const two = options.others[album.id]?.at(-1)?.key;
  expect(service.calls('POST /albums/:id/images/order').map(({ body }) => body)).toEqual([{ keys: [two], before: null }]);
  await page.getByRole('button', { name: 'Done' }).click();
});

/** An album of ada's with two of her pictures and one of carla's, a contributor. */
function jointAlbum() {
  const album = anAlbum({ name: 'Regatta' });
  const images = ['start.jpg', 'finish.jpg'].map((name) => anImage({ name, albums: [album.id] }));
  const others = { [album.id]: [aSharedImage(CARLA, { name: 'carla.jpg' })] };
  return { album, images, options: { albums: [album], images, others, members: { [album.id]: [aMember(CARLA, 'contributor')] } } };
}

const check = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click({ force: true });
const bar = (name: string) => page.getByRole('button', { name, exact: true });

test('an owner finds the plain gallery until somebody else adds a picture', async ({ mount }) => {
  const { album, options } = jointAlbum();
  const { library, service } = await mount(`/albums/${album.id}`, { ...options, others: {} });
  await expect.element(tiles()).toHaveLength(2);
  await expect.element(tiles().first()).toHaveAccessibleName(/^Open finish\.jpg/);
  await expect.element(page.getByRole('radio', { name: 'My pictures' })).not.toBeInTheDocument();
  Object.assign(library.others, options.others);
  service.tell('album.changed', album.id);
  await expect.element(tiles()).toHaveLength(3);
  await expect.element(page.getByRole('radio', { name: 'My pictures' })).toBeInTheDocument();
});

test('in an album with members, what is selected is changed as far as it is one’s own, and all of it is copied, downloaded and removed', async ({
  mount,
}) => {
  const { album, options } = jointAlbum();
  const { library, service } = await mount(`/albums/${album.id}`, options);
  await expect.element(tiles()).toHaveLength(3);
  await check('carla.jpg');
  await expect.element(page.getByText('These pictures belong to other members.')).toBeVisible();
  for (const name of ['Add to album', 'Tags', 'Who can see it', 'Favourites', 'Date', 'Expiry', 'Delete']) {
    await expect.element(bar(name)).toBeDisabled();
    await expect.element(bar(name)).toHaveAttribute('title', 'Only its owner can change or delete a picture');
  }
  await checkPage('a selected picture of another member');
  await bar('Use as album cover').click();
  await expect.poll(() => library.albums[0]?.cover_key).toBe(options.others[album.id]?.[0]?.key);

  await check('start.jpg');
  await expect.element(page.getByText('1 of 2 pictures is yours. Changes apply to it alone.')).toBeVisible();
  expect(bar('Copy links').element().querySelector('.tabler-icon-link')).not.toBeNull();
  await bar('Copy links').click();
  await expect.poll(async () => (await copiedText()).split('\n')).toHaveLength(2);
  const zip = new URL(page.getByRole('link', { name: 'Download as zip' }).element().getAttribute('href') ?? '', location.href);
  expect(zip.pathname).toMatch(new RegExp(`/a/${album.id}/download$`));
  expect(zip.searchParams.get('keys')?.split(',')).toHaveLength(2);
  await bar('Who can see it').click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect.poll(() => library.images.map(({ visibility }) => visibility)).toEqual(['private', 'public']);
  expect(service.calls('POST /images/batch').map(({ body }) => 'keys' in body && body.keys)).toEqual([[options.images[0]?.key]]);

  await bar('Remove from album').click();
  await expect.element(page.getByText('2 pictures removed from Regatta')).toBeVisible();
  await expect.element(tiles()).toHaveLength(1);
  expect(library.others[album.id]).toEqual([]);
});

test('a contributor can’t remove the pictures of others; Delete moves one’s own to the trash and says why not those', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta', role: 'contributor', allow_download: false });
  const images = [anImage({ name: 'mine.jpg', albums: [album.id] })];
  const others = { [album.id]: [aSharedImage(ADA, { name: 'ada.jpg' })] };
  const { library } = await mount(`/albums/${album.id}`, { user: CARLA, albums: [album], images, others });
  await expect.element(tiles()).toHaveLength(2);
  await check('ada.jpg');
  await expect.element(bar('Remove from album')).toHaveAttribute('title', 'Only managers can remove the pictures of others from the album');
  await expect.element(bar('Use as album cover')).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('button', { name: 'The owner of this album doesn’t allow downloading several pictures at once' }))
    .toBeDisabled();
  await userEvent.keyboard('{Delete}');
  await expect.element(page.getByText('Only its owner can change or delete a picture')).toBeVisible();
  await userEvent.keyboard('{Control>}a{/Control}');
  await userEvent.keyboard('{Delete}');
  await expect.element(tiles()).toHaveLength(1);
  expect(library.images.map(({ deleted_at }) => deleted_at !== null)).toEqual([true]);
  expect(library.others[album.id]).toHaveLength(1);
});

test('an album with members has the gallery’s filters', async ({ mount }) => {
  const { album, options } = jointAlbum();
  Object.assign(options.images[0] ?? {}, { favourite: true });
  await mount(`/albums/${album.id}`, options);
  await expect.element(tiles()).toHaveLength(3);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('switch', { name: 'Favourites only' }).click({ force: true });
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(tiles().first()).toHaveAccessibleName(/start\.jpg/);
});

test('in an album with members, one’s own pictures keep search, days and the full viewer', async ({ mount }) => {
  const { album, options } = jointAlbum();
  const { library, reopen } = await mount(`/albums/${album.id}`, options);
  await expect.element(tiles()).toHaveLength(3);
  await expect.element(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expect.element(tiles().first()).toHaveAccessibleName('Open carla.jpg, added by carla');

  // A search is one step back, however often typing pauses.
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('sta');
  await expect.element(tiles()).toHaveLength(1);
  await field.fill('start');
  await expect.poll(() => location.search).toContain('q=start');
  await expect.element(tiles()).toHaveLength(1);
  history.back();
  await expect.element(tiles()).toHaveLength(3);
  await expect.poll(() => location.search).toBe('');

  await tiles().nth(1).click();
  const viewer = page.getByRole('dialog', { name: 'finish.jpg' });
  await viewer.getByRole('button', { name: 'Favourite' }).click();
  await expect.element(viewer.getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'true');
  await expect.element(viewer.getByRole('complementary', { name: 'Details' })).toBeVisible();
  await expect.element(viewer.getByRole('button', { name: 'Edit' })).toBeVisible();
  await checkPage('an own picture in an album with members');
  await viewer.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByRole('dialog', { name: 'start.jpg' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(tiles()).toHaveLength(2);
  expect(library.images.map(({ name, favourite, deleted_at }) => [name, favourite, deleted_at !== null])).toEqual([
    ['start.jpg', false, false],
    ['finish.jpg', true, true],
  ]);

  await page.getByText('My pictures', { exact: true }).click();
  await expect.poll(() => location.search).toContain('show=mine');
  await reopen();
  await expect.element(page.getByRole('radio', { name: 'My pictures' })).toBeChecked();
});

test('an album closes while a member looks at it, when its owner stops sharing it', async ({ mount }) => {
  const { album, options } = sharedAlbum('viewer');
  const [picture] = options.others[album.id] ?? [];
  const { library, service } = await mount(`/albums/${album.id}?picture=${picture?.key}`, options);
  await expect.element(page.getByRole('dialog', { name: 'one.jpg' })).toBeVisible();
  library.albums = [];
  service.tell('album.changed', album.id);
  await expect.element(page.getByRole('heading', { name: 'Album not found' })).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('an album’s header fits any window and shows its name, however long, beside the count and the search', async ({ mount }) => {
  const [album, long] = [
    anAlbum({ name: 'Mountains' }),
    anAlbum({ name: 'A very long album name that goes on and on until it doesn’t fit any more, really' }),
  ];
  const images = [album, long].map(({ id }) => anImage({ albums: [id] }));
  const { reopen } = await mount(`/albums/${album.id}`, { albums: [album, long], images });
  await expect.element(tiles()).toHaveLength(1);
  const name = page.getByRole('heading', { name: 'Mountains' }).element();
  const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  for (const width of [1280, 1024, 900, 768, 700, 645, 390, 360]) {
    await page.viewport(width, 800);
    expect(name.scrollWidth - name.clientWidth, `${width} px`).toBe(0);
    expect(name.scrollHeight - name.clientHeight, `${width} px`).toBeLessThan(5);
    await expect.poll(overflow, { message: `${width} px` }).toBe(0);
  }
  await page.viewport(1280, 800);
  (tiles().first().element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(page.getByRole('button', { name: 'Use as album cover' })).toBeVisible();
  for (const width of [900, 700, 645]) {
    await page.viewport(width, 800);
    await expect.poll(overflow, { message: `${width} px, selected` }).toBe(0);
  }

  await page.viewport(1440, 900);
  const search = page.getByRole('combobox', { name: 'Search pictures' });
  await reopen('/');
  await expect.element(search).toBeVisible();
  const { width: usual } = search.element().getBoundingClientRect();
  await reopen(`/albums/${long.id}`);
  await expect.element(tiles()).toHaveLength(1);
  expect(search.element().getBoundingClientRect().width).toBe(usual);
  expect(page.getByText('1 picture', { exact: true }).element().getBoundingClientRect().height).toBeLessThan(30);
});

test('the name of an album has two lines beside its buttons, and what visitors don’t see is marked and linked', async ({ mount }) => {
  const album = anAlbum({ name: 'Team outing to the lakes', visibility: 'public' });
  const images = [
    anImage({ name: 'open.jpg', albums: [album.id] }),
    anImage({ name: 'own.jpg', albums: [album.id], visibility: 'private' }),
  ];
  const hidden = { private: 1, expired: 0, password_protected: 0, view_limited: 0 };
  await mount(`/albums/${album.id}`, { albums: [album], images, api: { 'GET /albums/:id/hidden': hidden } });
  const title = page.getByRole('heading', { level: 1 });
  for (const width of [1280, 900, 700, 640, 390]) {
    await page.viewport(width, 800);
    await expect.element(title).toHaveTextContent('Team outing to the lakes');
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = title.element();
    expect([scrollHeight <= clientHeight, scrollWidth <= clientWidth], `${width} px`).toEqual([true, true]);
  }
  await page.viewport(1280, 800);
  await expect.element(page.getByText('This symbol marks them below.')).toBeVisible();
  await expect.element(tiles()).toHaveLength(2);
  await expect.element(tiles().first()).toHaveAccessibleName(/^Open own\.jpg.*Hidden from visitors/i);
  await page.getByRole('link', { name: '1 is set to “Only you”' }).click();
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(page.getByRole('button', { name: /Only you/ })).toBeVisible();
});
