import { notifications } from '@mantine/notifications';
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Image } from '#api/images/images.ts';
import { anAlbum } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { audit, checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const press = (keys: string) => userEvent.keyboard(keys);
const check = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click();
const button = (name: string) => page.getByRole('button', { name, exact: true });
const selected = page.getByCss('main header').getByRole('status');
/** Pictures named 0.jpg to n.jpg; the last comes first. */
const fill = (count: number, each: (index: number) => Partial<Image> = () => ({})) =>
  Array.from({ length: count }, (_, index) => anImage({ name: `${index}.jpg`, width: 300, height: 200, ...each(index) }));

test('private pictures are marked, copying their links warns, and offers to make them public in the same message', async ({ mount }) => {
  const images = [anImage({ name: 'secret.jpg', visibility: 'private' })];
  const { library } = await mount('/', { images });
  await expect.element(page.getByTitle('Only you')).toBeVisible();
  await check('secret.jpg');
  await button('Copy links').click();
  await expect.element(page.getByText('Only you can see this picture. The link won’t open for others.')).toBeVisible();
  await button('Make public').click();
  await expect.element(page.getByText('Only this computer can open it')).toBeVisible();
  expect(library.images[0]?.visibility).toBe('public');
});

test('copying several links counts those that others can’t open', async ({ mount }) => {
  const images = [anImage({ name: 'secret.jpg', visibility: 'private' }), anImage({ name: 'open.jpg' })];
  await mount('/', { images });
  await check('secret.jpg');
  await check('open.jpg');
  await button('Copy links').click();
  await expect.element(page.getByText('1 of these pictures is visible only to you. Its link won’t open for others.')).toBeVisible();
  expect((await copiedText()).split('\n').sort()).toEqual(images.map(({ links }) => links.url).sort());
});

test('only tiles near the viewport are rendered; scrolling loads the rest page by page', async ({ mount }) => {
  const { service } = await mount('/', { images: fill(220, (index) => ({ width: 120 + (index % 5) * 40, height: 120 })) });
  await expect.element(tiles().first()).toHaveAccessibleName(expect.stringMatching(/219\.jpg/));
  expect(tiles().elements().length).toBeLessThan(150);
  const shifts: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => shifts.push(...list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  (tiles().first().element() as HTMLElement).focus();
  await expect
    .poll(async () => {
      await press('{End}');
      return document.activeElement?.getAttribute('aria-label');
    })
    .toMatch(/Open 0\.jpg/);
  await expect.element(page.getByText('End of your library')).toBeVisible();
  observer.disconnect();
  expect(shifts.length).toBeLessThan(3);
  expect(service.calls('GET /images').length).toBeGreaterThan(1);
});

test('filters narrow the timeline, are kept in the address and are removed one by one', async ({ mount }) => {
  const images = [
    anImage({ name: 'open.jpg' }),
    anImage({ name: 'hidden.jpg', visibility: 'private' }),
    anImage({ name: 'starred.jpg', visibility: 'private', favourite: true }),
  ];
  const { reopen } = await mount('/', { images });
  await button('Filter').click();
  await page.getByText('Only you', { exact: true }).click();
  await expect.element(tiles()).toHaveLength(2);
  await page.getByLabelText('Favourites only').click();
  await expect.element(tiles()).toHaveLength(1);
  await press('{Escape}');
  await reopen();
  await expect.element(tiles()).toHaveAccessibleName(expect.stringMatching(/starred\.jpg/));
  await audit('a filtered timeline');
  await button('Remove filter Only you').click();
  await button('Remove filter Favourites only').click();
  await expect.element(tiles()).toHaveLength(3);
});

test('a search suggests albums, tags and months, which become filters that stay in the address', async ({ mount }) => {
  const album = anAlbum({ name: 'Harbour tour' });
  const seals = { tags: ['harbour seals'] };
  const images = [
    anImage({ name: 'boat.jpg', ...seals, albums: [album.id], taken_at: '2019-05-14T12:00:00Z' }),
    anImage({ name: 'crane.jpg', ...seals, taken_at: '2020-05-14T12:00:00Z' }),
    anImage({ name: 'harbour.jpg' }),
  ];
  const { reopen } = await mount('/', { images, albums: [album] });
  const search = page.getByRole('combobox', { name: 'Search pictures' });
  const option = (name: string) => page.getByRole('option', { name });
  await search.click();
  await press('harb');
  await expect.element(option('Harbour tour')).toBeVisible();
  await expect.element(search).toHaveAttribute('aria-expanded', 'true');
  await audit('suggestions of a search');
  // Escape closes the list, and the search stays.
  await press('{Escape}');
  await expect.element(page.getByRole('option')).toHaveLength(0);
  await expect.element(search).toHaveValue('harb');
  await press('our');
  await expect.element(option('harbour seals')).toBeVisible();
  await press('{ArrowDown}{ArrowDown}');
  await expect.element(search).toHaveAttribute('aria-activedescendant', option('harbour seals').element().id);
  await press('{Enter}');
  await expect.element(button('Remove filter #harbour seals')).toBeVisible();
  await expect.element(search).toHaveValue('');
  await expect.element(tiles()).toHaveLength(2);
  await press('may 2019');
  await option('May 2019').click();
  await expect.element(tiles()).toHaveLength(1);
  await expect.poll(() => location.search).toMatch(/tag=harbour.*taken=2019-05/);
  await reopen();
  await expect.element(button('Remove filter May 2019')).toBeVisible();
  await expect.element(tiles()).toHaveAccessibleName(expect.stringMatching(/boat\.jpg/));
  await button('Remove filter #harbour seals').click();
  await button('Remove filter May 2019').click();
  await expect.element(tiles()).toHaveLength(3);
  // Without a choice, the words are searched for.
  await search.fill('crane');
  await press('{Enter}');
  await expect.element(tiles()).toHaveLength(1);
  await expect.poll(() => location.search).toMatch(/q=crane/);
});

test('sort orders without dates show no day headings, and one of an album’s pictures becomes its cover', async ({ mount }) => {
  const album = anAlbum({ name: 'Letters' });
  const images = [anImage({ name: 'b.jpg' }), anImage({ name: 'a.jpg' }), anImage({ name: 'z.jpg', albums: [album.id] })];
  const { library } = await mount('/', { images, albums: [album] });
  await expect.element(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await button('View').click();
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Name' }).click();
  await expect.element(tiles().first()).toHaveAccessibleName(expect.stringMatching(/a\.jpg/));
  await expect.element(page.getByRole('heading', { name: 'Today' })).not.toBeInTheDocument();
  await press('{Escape}');
  await page.getByRole('link', { name: 'Albums', exact: true }).first().click();
  await page.getByRole('link', { name: /^Letters/ }).click();
  await expect.element(page.getByRole('heading', { name: 'Letters' })).toBeVisible();
  await check('z.jpg');
  await button('Use as album cover').click();
  await expect.element(page.getByText('Cover changed')).toBeVisible();
  expect(library.albums[0]?.cover_key).toBe(images[2]?.key);
});

test('a day’s checkbox selects the whole day, loaded or not, and no other', async ({ mount }) => {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const images = fill(320, (index) => {
    const time = new Date(index < 260 ? midnight + index : midnight - 43_200_000 - index).toISOString();
    return { created_at: time, taken_at: time };
  });
  const { library } = await mount('/', { images });
  await expect.element(tiles().first()).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all: Today' }).click();
  await expect.element(selected).toHaveTextContent('260 selected');
  await button('Who can see it').click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect.element(page.getByText('260 pictures are now visible only to you')).toBeVisible();
  const hidden = library.images.flatMap(({ name, visibility }) => (visibility === 'private' ? [name] : []));
  expect(hidden.sort()).toEqual(
    images
      .slice(0, 260)
      .map(({ name }) => name)
      .sort(),
  );
});

test('a search follows deletions and their undoing, and counts correctly', async ({ mount }) => {
  const { service, library } = await mount('/?q=jpg', { images: fill(12) });
  await expect.element(page.getByText('12 pictures')).toBeVisible();
  await check('3.jpg');
  await press('{Delete}');
  await expect.element(page.getByText('11 pictures')).toBeVisible();
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  service.hold('POST /images/batch', async ({ body }) => {
    if (body.action !== 'undo') return;
    arrived.resolve();
    await released.promise;
  });
  await button('Undo').click();
  await arrived.promise;
  await check('4.jpg');
  await press('{Delete}');
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  released.resolve();
  // The end of the undoing leaves the later report alone, with its own undo.
  await expect.element(page.getByText('11 pictures')).toBeVisible();
  await expect.element(page.getByText('Picture deleted')).toBeVisible();
  await button('Undo').click();
  await expect.element(page.getByText('12 pictures')).toBeVisible();
  await press('{Control>}a{/Control}{Delete}');
  await expect.element(page.getByRole('heading', { name: 'No matching pictures' })).toBeVisible();
  await expect.element(page.getByText('12 pictures deleted')).toBeVisible();
  expect(library.images.every(({ deleted_at }) => deleted_at !== null)).toBe(true);
  await press('{Control>}z{/Control}');
  await expect.element(tiles()).toHaveLength(12);
});

test('a range is selected by checkbox and by keyboard', async ({ mount }) => {
  await mount('/', { images: fill(8) });
  await check('7.jpg');
  await expect.element(selected).toHaveTextContent('1 selected');
  await page.getByRole('checkbox', { name: 'Select 4.jpg' }).click({ modifiers: ['Shift'] });
  await expect.element(selected).toHaveTextContent('4 selected');
  await press('{Escape}');
  (tiles().nth(1).element() as HTMLElement).focus();
  await press(' {Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  await expect.element(selected).toHaveTextContent('3 selected');
  await press('{Delete}');
  await expect.element(page.getByText('3 pictures deleted')).toBeVisible();
  await expect.element(page.getByRole('link', { name: /^Open [456]\.jpg/ })).toHaveLength(0);
  await expect.element(tiles()).toHaveLength(5);
});

test('the links of all pictures are copied, even those that aren’t loaded', async ({ mount }) => {
  const images = fill(305);
  await mount('/', { images });
  await expect.element(tiles().first()).toBeVisible();
  await press('{Control>}a{/Control}');
  await button('Select all 305').click();
  await button('Copy links').click();
  await expect.element(page.getByText('305 links copied')).toBeVisible();
  expect((await copiedText()).split('\n')).toEqual(images.map(({ links }) => links.url).reverse());
  await expect.element(page.getByRole('link', { name: 'Download as zip' })).toHaveAttribute('href', expect.stringMatching(/as_of=/));
});

test('a search for a date says which dates it means, and can use the others', async ({ mount }) => {
  await mount('/?q=2007', { images: [anImage({ name: 'IMG_2007.jpg' })] });
  await expect.element(page.getByText('By date of upload.')).toBeVisible();
  await page.getByRole('button', { name: 'Use dates taken' }).click();
  await expect.element(page.getByText('By date taken.')).toBeVisible();
  await checkPage('a search for a date');
  await page.getByRole('button', { name: 'Use dates of upload' }).click();
  await page.getByRole('combobox', { name: 'Search pictures' }).fill('boat');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('By date of upload.')).not.toBeInTheDocument();
});

test('a search finds names, a pasted link its picture, and a mistyped word what it is likely to mean', async ({ mount }) => {
  const images = ['harbour.jpg', 'forest.jpg', 'harbour at night.jpg'].map((name) => anImage({ name }));
  const { service } = await mount('/', { images });
  // The service searches for more than names.
  const meant = (q: string | undefined) => (q === 'forrest' ? 'forest' : images.find(({ links }) => links.markdown === q)?.name) ?? q;
  const [list, timeline] = [service.handlerOf('GET /images'), service.handlerOf('GET /images/timeline')];
  service.handle({
    'GET /images': (call) => list({ ...call, query: { ...call.query, q: meant(call.query.q) } }),
    'GET /images/timeline': async (call) => {
      const found = await timeline({ ...call, query: { ...call.query, q: meant(call.query.q) } });
      return typeof found === 'object' && 'similar' in found && call.query.q === 'forrest' ? { ...found, similar: ['forest'] } : found;
    },
  });
  const search = page.getByRole('combobox', { name: 'Search pictures' });
  await search.fill('harb');
  await expect.element(tiles()).toHaveLength(2);
  await expect.poll(() => location.search).toMatch(/q=harb/);
  await search.fill(images[1]?.links.markdown ?? '');
  await expect.element(tiles()).toHaveLength(1);
  await expect.element(tiles()).toHaveAccessibleName(expect.stringMatching(/forest\.jpg/));
  await search.fill('forrest');
  await expect.element(page.getByText('Nothing matches “forrest”. These pictures match “forest”.')).toBeVisible();
  await expect.element(tiles()).toHaveAccessibleName(expect.stringMatching(/forest\.jpg/));
  await search.fill('nothing like it');
  await expect.element(page.getByRole('heading', { name: 'No matching pictures' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all pictures' }).last().click();
  await expect.element(tiles()).toHaveLength(3);
});

test('a search that finds nothing says how many pictures can’t be found by their text yet', async ({ mount }) => {
  const { service } = await mount('/', { images: fill(2), config: { ocr_enabled: true } });
  service.handle({ 'GET /user/text': { waiting: 2 } });
  await page.getByRole('combobox', { name: 'Search pictures' }).fill('invoice');
  await expect.element(page.getByText('Text hasn’t been recognised in 2 pictures yet.')).toBeVisible();
});

test('where text isn’t recognised, a search that finds nothing doesn’t speak of it', async ({ mount }) => {
  const { service } = await mount('/?q=invoice', { images: fill(2) });
  await expect.element(page.getByRole('heading', { name: 'No matching pictures' })).toBeVisible();
  expect(service.calls('GET /user/text')).toEqual([]);
});

test('a search for a tag alone shows as the filter of that tag', async ({ mount }) => {
  await mount('/?q=tag%3Awork', { images: fill(1) });
  await expect.element(button('Remove filter #work')).toBeVisible();
});

for (const path of ['/', '/albums/0123456789', '/trash'])
  test(`when the session ends elsewhere, ${path} leaves for sign-in`, async ({ mount }) => {
    const albums = [anAlbum({ id: '0123456789', name: 'Harbour' })];
    const { service, library } = await mount(path, { images: fill(1), albums });
    await expect.element(page.getByRole('navigation').first()).toBeVisible();
    notifications.show({ message: 'A message for the user alone', autoClose: false });
    await expect.element(page.getByText('A message for the user alone')).toBeVisible();
    library.user = null;
    service.endStreams();
    await expect.element(page.getByRole('heading', { name: /Sign in/ })).toBeVisible();
    await expect.element(tiles()).toHaveLength(0);
    await expect.element(page.getByText('A message for the user alone')).not.toBeInTheDocument();
  });

test('a stream that ends while the session goes on leaves the page as it is', async ({ mount }) => {
  const { service } = await mount('/', { images: fill(2) });
  await expect.element(tiles()).toHaveLength(2);
  const before = service.calls('GET /auth/session').length;
  service.endStreams();
  await expect.poll(() => service.calls('GET /auth/session').length).toBe(before + 1);
  await expect.element(tiles()).toHaveLength(2);
});
