import { createAlbum } from '#api/albums/albums.ts';
import type { Image } from '#api/images/images.ts';
import { audit } from '#test/e2e/axe.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { type SignedIn, type TestService, uploadImage } from '#test/helpers/service/service.ts';

let seed = 0;
const put = async (service: TestService, owner: SignedIn, name: string, fields: Record<string, string> = {}): Promise<Image> =>
  uploadImage(service, await owner.token('upload'), await photoJpeg({ seed: ++seed, width: 160, height: 120 }), fields, name);
/** Lets a picture's time end. */
const end = (service: TestService, { key }: Image) =>
  withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.updateTable('images').set({ expires_at: 1 }).where('key', '=', key).execute()),
  );

test('an expired picture is in the trash, where it is restored until a new date, or deleted now', async ({ page, service, owner }) => {
  const [kept, gone, deleted] = [
    await put(service, owner, 'kept.jpg', { expires_in: '3600' }),
    await put(service, owner, 'gone.jpg', { expires_in: '3600' }),
    await put(service, owner, 'deleted.jpg'),
  ];
  await owner.fetch(`/api/v1/images/${deleted.key}`, { method: 'DELETE' });
  await end(service, kept);
  await end(service, gone);
  await page.goto(`/?picture=${kept.key}`);
  await expect(page.getByRole('heading', { name: 'Picture not found' })).toBeVisible();
  await page.getByRole('link', { name: 'Open trash' }).click();
  await expect(tiles(page)).toHaveCount(3);
  await expect(tiles(page).getByText('Expired', { exact: true })).toHaveCount(2);
  const restore = async (name: string) => {
    await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
  };
  expect(await audit(page)).toEqual([]);

  await page.getByRole('checkbox', { name: 'Select gone.jpg' }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' }).click();
  await expect(tiles(page)).toHaveCount(2);
  expect((await fetch(gone.links.url)).status).toBe(404);
  expect((await fetch(kept.links.url)).status).toBe(410);

  await restore('kept.jpg');
  const question = page.getByRole('dialog', { name: 'Restore this picture?' });
  await expect(question).toContainText('its links will work again');
  expect(await audit(page)).toEqual([]);
  await question.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: '1 week' }).click();
  await question.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Picture restored')).toBeVisible();
  await expect(tiles(page)).toHaveCount(1);
  await restore('deleted.jpg');
  await expect(page.getByRole('heading', { name: 'The trash is empty' })).toBeVisible();

  await page.getByRole('link', { name: 'Pictures' }).click();
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByRole('link', { name: /kept\.jpg.*Expires/ })).toBeVisible();
  expect((await fetch(kept.links.url)).status).toBe(200);
});

test('a public album tells its owner which pictures visitors don’t see, and why, and its link can end', async ({
  page,
  service,
  owner,
  browser,
  lan,
}) => {
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Trip', visibility: 'public' } });
  const add = (name: string, fields: Record<string, string> = {}) => put(service, owner, name, { album_id: id, ...fields });
  await add('open.jpg');
  await add('limited.jpg', { max_views: '5' });
  await add('locked.jpg', { access_password: 'open sesame' });
  const own = await add('own.jpg', { visibility: 'private' });
  await end(service, await add('over.jpg', { expires_in: '3600' }));
  await page.goto(`/albums/${id}`);
  const note = page.getByRole('note');
  await expect(note).toContainText('4 pictures in this album are hidden from visitors');
  for (const reason of ['is set to “Only you”', 'is password-protected', 'has a view limit', 'has expired and is in your trash'])
    await expect(note).toContainText(`1 ${reason}`);
  const tile = (name: string) => page.getByRole('link', { name: new RegExp(`^Open ${name}`) });
  await expect(tile('limited.jpg')).toHaveAccessibleName(/Hidden from visitors to the album, 5 views left$/);
  await expect(tile('locked.jpg')).toHaveAccessibleName(/visitors to the album, Password-protected$/);
  await expect(tile('own.jpg')).toHaveAccessibleName(/visitors to the album, Only you$/);
  await expect(tile('open.jpg')).not.toHaveAccessibleName(/Visitors/);
  expect(await audit(page)).toEqual([]);
  const seen = await (await fetch(`${service.url}/api/v1/a/${id}`)).json();
  expect(seen.data.image_count).toBe(1);

  await page.goto(`/albums/${id}?picture=${own.key}`);
  await page.getByRole('complementary', { name: 'Details' }).getByText('Only this computer', { exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(note).toContainText('3 pictures in this album are hidden from visitors');

  // Its link ends at once for visitors, and its owner renews it.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Trip' });
  const expires = dialog.getByRole('combobox', { name: 'Link expires' });
  await expires.click();
  await page.getByRole('option', { name: 'After 1 hour' }).click();
  await expect(expires).toHaveValue(/^On \d/);
  await expires.click();
  await page.getByRole('option', { name: 'Date and time…' }).click();
  await dialog.getByLabel(/^Date and time/).fill('2020-01-01T12:00');
  await expect(dialog.getByRole('button', { name: 'Set expiry' })).toBeDisabled();
  expect(await audit(page)).toEqual([]);
  await withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .updateTable('albums')
        .set({ expires_at: Date.now() - 1000 })
        .execute(),
    ),
  );
  const visitor = await (await browser.newContext({ baseURL: lan })).newPage();
  await visitor.goto(`/a/${id}`);
  await expect(visitor.getByRole('heading', { name: 'This album’s link has expired' })).toBeVisible();
  await page.reload();
  await expect(note).toContainText('The link of this album expired on');
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(expires).toHaveValue(/^Expired on \d/);
  await expires.click();
  await page.getByRole('option', { name: 'Never' }).click();
  await expect(expires).toHaveValue('Never');
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Trip' })).toBeVisible();
  await visitor.context().close();
});
