import type { Page } from 'playwright/test';
import { getAlbum, listAlbums } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { audit } from '#test/e2e/axe.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

/** Uploads pictures with these names one by one, so that the last comes first. */
async function fill(service: TestService, owner: SignedIn, names: readonly string[], fields: Record<string, string> = {}) {
  const token = await owner.token('upload');
  const images = [];
  for (const [index, name] of names.entries())
    images.push(await uploadImage(service, token, await photoJpeg({ seed: index + 1, width: 160, height: 120 }), fields, name));
  return images;
}

const check = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}` }).click();
const names = async (owner: SignedIn) => (await owner.client.call(listImages, { query: {} })).items.map(({ name }) => name);

test('deleting any number takes one request, and Undo restores everything with its links', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const images = await fill(service, owner, ['a.jpg', 'b.jpg', 'c.jpg']);
  await page.goto('/');
  await expect(tiles(page)).toHaveCount(3);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await check(page, 'a.jpg');
  await check(page, 'c.jpg');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('2 pictures deleted')).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  expect(sent).toEqual(['POST /api/v1/images/batch']);
  expect((await fetch(images[0]?.links.url ?? '')).status).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tiles(page)).toHaveCount(3);
  await expect(tiles(page).first()).toHaveAccessibleName(/c\.jpg/);
  await expect.poll(async () => (await fetch(images[0]?.links.url ?? '')).status).toBe(200);
});

test('a search finds names, and a pasted link finds its picture', async ({ page, service, owner }) => {
  const images = await fill(service, owner, ['harbour.jpg', 'forest.jpg', 'harbour at night.jpg']);
  await page.goto('/');
  const search = page.getByRole('combobox', { name: 'Search pictures' });
  await search.fill('harb');
  await expect(tiles(page)).toHaveCount(2);
  await expect(page).toHaveURL(/q=harb/);
  await search.fill(images[1]?.links.markdown ?? '');
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveAccessibleName(/forest\.jpg/);
  await search.fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No matching pictures' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all pictures' }).last().click();
  await expect(tiles(page)).toHaveCount(3);
});

test('a search suggests albums, tags and months, which become filters that stay in the address', async ({ page, service, owner }) => {
  const album = await owner.client.call('POST /albums', { body: { name: 'Harbour tour' } });
  const token = await owner.token('upload');
  const seals = { tags: 'harbour seals' };
  const files = [
    { name: 'boat.jpg', fields: { ...seals, album_id: album.id, taken_at: '2019-05-14T12:00:00Z' } },
    { name: 'crane.jpg', fields: { ...seals, taken_at: '2020-05-14T12:00:00Z' } },
    { name: 'harbour.jpg', fields: {} },
  ];
  for (const [index, { name, fields }] of files.entries())
    await uploadImage(service, token, await photoJpeg({ seed: index + 1 }), fields, name);
  await page.goto('/');
  const search = page.getByRole('combobox', { name: 'Search pictures' });
  const option = (name: string) => page.getByRole('option', { name });
  await search.click();
  await search.pressSequentially('harb');
  await expect(option('Harbour tour')).toBeVisible();
  await expect(search).toHaveAttribute('aria-expanded', 'true');
  expect(await audit(page)).toEqual([]);
  // Escape closes the list, and the search stays.
  await search.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(search).toHaveValue('harb');
  await search.pressSequentially('our');
  await search.press('ArrowDown');
  await search.press('ArrowDown');
  await expect(search).toHaveAttribute('aria-activedescendant', (await option('harbour seals').getAttribute('id')) ?? '');
  await search.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove filter #harbour seals' })).toBeVisible();
  await expect(search).toHaveValue('');
  await expect(tiles(page)).toHaveCount(2);
  await search.pressSequentially('may 2019');
  await option('May 2019').click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page).toHaveURL(/tag=harbour.*taken=2019-05/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Remove filter May 2019' })).toBeVisible();
  await expect(tiles(page)).toHaveAccessibleName(/boat\.jpg/);
  await page.getByRole('button', { name: 'Remove filter #harbour seals' }).click();
  await page.getByRole('button', { name: 'Remove filter May 2019' }).click();
  await expect(tiles(page)).toHaveCount(3);
  // Without a choice, the words are searched for, in the names of albums too.
  await search.fill('tour');
  await search.press('Enter');
  await expect(tiles(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=tour/);
});

test('a mistyped word finds what it is likely to mean, and the page names it', async ({ page, service, owner }) => {
  await fill(service, owner, ['falcon.jpg', 'boat.jpg']);
  await page.goto('/');
  await page.getByRole('combobox', { name: 'Search pictures' }).fill('flacon');
  await expect(page.getByText('Nothing matches “flacon”. These pictures match “falcon”.')).toBeVisible();
  await expect(tiles(page)).toHaveAccessibleName(/falcon\.jpg/);
});

test('filters narrow the timeline, are kept in the address and are removed one by one', async ({ page, service, owner }) => {
  await fill(service, owner, ['open.jpg']);
  await fill(service, owner, ['hidden.jpg', 'starred.jpg'], { visibility: 'private' });
  await page.goto('/');
  await tiles(page).first().click();
  await page.getByRole('button', { name: 'Favourite' }).click();
  await expect(page.getByRole('button', { name: 'Favourite', pressed: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('Only you', { exact: true }).click();
  await expect(tiles(page)).toHaveCount(2);
  await page.getByLabel('Favourites only').click();
  await expect(tiles(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(tiles(page)).toHaveAccessibleName(/starred\.jpg/);
  expect(await audit(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove filter Only you' }).click();
  await page.getByRole('button', { name: 'Remove filter Favourites only' }).click();
  await expect(tiles(page)).toHaveCount(3);
});

test('several pictures are added to a new album, get tags and become private; the zip contains them', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const images = await fill(service, owner, ['a.jpg', 'b.jpg', 'c.jpg']);
  await page.goto('/');
  await check(page, 'a.jpg');
  await check(page, 'b.jpg');
  await page.getByRole('button', { name: 'Add to album' }).click();
  await page.getByRole('textbox', { name: 'Add to album' }).fill('Summer');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 pictures added to Summer')).toBeVisible();
  const [album] = (await owner.client.call(listAlbums, { query: {} })).items;
  expect(album).toMatchObject({ name: 'Summer', image_count: 2 });

  await page.getByRole('button', { name: 'Tags' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('sea');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Add tags' }).click();
  await expect.poll(async () => (await owner.client.call(listImages, { query: { tag: 'sea' } })).items.length).toBe(2);

  await page.getByRole('button', { name: 'Who can see it' }).click();
  await page.getByRole('menuitem', { name: 'Only you' }).click();
  await expect(page.getByTitle('Only you')).toHaveCount(2);
  await expect.poll(async () => (await fetch(images[0]?.links.url ?? '')).status).toBe(404);

  const zip = await page.getByRole('link', { name: 'Download as zip' }).getAttribute('href');
  const response = await owner.fetch(zip ?? '');
  expect(response.headers.get('content-type')).toBe('application/zip');
  await response.body?.cancel();
});

test('copying the link of a private picture offers to make it public, in the same message', async ({ page, service, owner }) => {
  const [image] = await fill(service, owner, ['secret.jpg'], { visibility: 'private' });
  await page.goto('/');
  await check(page, 'secret.jpg');
  await page.getByRole('button', { name: 'Copy links' }).click();
  await expect(page.getByText('The link won’t open for others')).toBeVisible();
  await page.getByRole('button', { name: 'Make public' }).click();
  await expect(page.getByText('Anyone with the link can now open it')).toBeVisible();
  expect((await fetch(image?.links.url ?? '')).status).toBe(200);
});

test('a picture is renamed, tagged, sorted and protected in its details', { tag: '@essential' }, async ({ page, service, owner }) => {
  const [image] = await fill(service, owner, ['photo.jpg']);
  const clipboard = await openClipboard(page, service);
  await page.goto(`/?picture=${image?.key}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByLabel('File').fill('Lighthouse.jpg');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Lighthouse.jpg' })).toBeVisible();
  await details.getByRole('combobox', { name: 'Tags' }).fill('coast');
  await page.keyboard.press('Enter');
  await details.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: '1 week' }).click();
  await details.getByRole('button', { name: 'Set expiry' }).click();
  await expect(details.getByRole('combobox', { name: 'Expires' })).toHaveValue(/^on \d/);
  await details.getByLabel('View limit').fill('3');
  await page.keyboard.press('Enter');
  await expect(details.getByText('3 views left')).toBeVisible();
  await details.getByRole('button', { name: 'Set password' }).click();
  await details.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await page.keyboard.press('Enter');
  await expect(details.getByText('Password-protected')).toBeVisible();

  const [stored] = (await owner.client.call(listImages, { query: {} })).items;
  expect(stored).toMatchObject({ name: 'Lighthouse.jpg', tags: ['coast'], max_views: 3, has_password: true });
  expect(Date.parse(stored?.expires_at ?? '') - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  expect((await fetch(image?.links.url ?? '')).status).toBe(401);
  // For a view-limited picture, the share page's link is copied.
  await page.getByRole('button', { name: 'Copy links' }).click();
  expect(await clipboard.readText()).toBe(image?.links.share_url);
  await details.getByLabel('Title', { exact: true }).fill('The old lighthouse');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'The old lighthouse' })).toBeVisible();
});

test('a change that the service rejects is reverted with its message', async ({ page, service, owner, complaints }) => {
  const [image] = await fill(service, owner, ['photo.jpg']);
  await page.goto(`/?picture=${image?.key}`);
  const file = page.getByRole('complementary', { name: 'Details' }).getByLabel('File');
  await expect(file).toHaveValue('photo.jpg');
  await page.route('**/api/v1/images/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 404, json: { status: false, message: 'It is gone.', data: { code: 'not_found' } } })
      : route.continue(),
  );
  await file.fill('other.jpg');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It is gone.')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'photo.jpg' })).toBeVisible();
  expect(await names(owner)).toEqual(['photo.jpg']);
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
});

test('sort orders without dates show no day headings, and one of an album’s pictures becomes its cover', async ({
  page,
  service,
  owner,
}) => {
  await fill(service, owner, ['b.jpg', 'a.jpg']);
  const { data } = await (
    await owner.fetch('/api/v1/albums', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Letters' }),
    })
  ).json();
  const token = await owner.token('upload');
  const cover = await uploadImage(service, token, await photoJpeg({ seed: 9 }), { album_id: data.id }, 'z.jpg');
  await page.goto('/');
  await page.getByRole('button', { name: 'View' }).click();
  await page.getByRole('combobox', { name: 'Sort by' }).click();
  await page.getByRole('option', { name: 'Name' }).click();
  await expect(tiles(page).first()).toHaveAccessibleName(/a\.jpg/);
  await expect(page.getByRole('heading', { name: 'Today' })).toHaveCount(0);
  await page.goto(`/albums/${data.id}`);
  await expect(page.getByRole('heading', { name: 'Letters' })).toBeVisible();
  await check(page, 'z.jpg');
  await page.getByRole('button', { name: 'Use as album cover' }).click();
  await expect(page.getByText('Cover changed')).toBeVisible();
  expect((await owner.client.call(getAlbum, { params: { id: data.id } })).cover_key).toBe(cover.key);
});
