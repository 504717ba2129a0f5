import { type Album, createAlbum, getAlbum, listAlbums } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { listAlbumImages } from '#api/albums/pictures.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, signIn, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

test('an album is created, described and shared with a password, and its link is copied in one click', { tag: '@essential' }, async ({
  page,
  service,
  owner,
}) => {
  const clipboard = await openClipboard(page, service);
  await page.goto('/albums');
  await expect(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Create album' }).click();
  const form = page.getByRole('dialog', { name: 'Create album' });
  await form.getByLabel('Name').fill('Coast');
  await form.getByLabel('Description').fill('A week by the sea');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: 'Coast', exact: true })).toBeVisible();

  const [album] = (await owner.client.call(listAlbums, { query: {} })).items as [Album];
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await share.getByRole('button', { name: 'Share and copy link' }).click();
  await expect(share.getByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(await clipboard.readText()).toBe(album.share_url);
  await share.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await share.getByRole('button', { name: 'Set password' }).click();
  await expect(share.getByText('A password is set')).toBeVisible();
  const stored = await owner.client.call(getAlbum, { params: { id: album.id } });
  expect(stored).toMatchObject({ description: 'A week by the sea', visibility: 'public', has_password: true });
  expect((await (await fetch(`${service.url}/api/v1/a/${album.id}`)).json()).data).toMatchObject({ password_required: true });
});

test('a member sees a shared album at once, adds to it, and leaves it with their pictures', { tag: '@essential' }, async ({
  page,
  context,
  lan,
  service,
  owner,
}) => {
  const carla = await addUser(service, 'carla');
  await context.clearCookies();
  await signIn(context, carla, lan);
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Regatta' } });
  const add = async (token: string, seed: number, name: string) =>
    uploadImage(service, token, await photoJpeg({ seed }), { album_id: id, visibility: 'private' }, name);
  await add(await owner.token('upload'), 1, 'start.jpg');
  await page.goto('/albums');
  await expect(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  await owner.client.call(putMember, { params: { id }, body: { username: 'carla', role: 'contributor' } });
  const shared = page.getByRole('region', { name: 'Shared with me' });
  await expect(shared.locator('img')).toHaveJSProperty('complete', true);
  await shared.getByRole('link', { name: 'Regatta, 1 picture, by ada' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await add(await carla.token('upload'), 2, 'mine.jpg');
  await expect(tiles(page)).toHaveCount(2);
  const names = async () => (await owner.client.call(listAlbumImages, { params: { id }, query: {} })).items.map(({ name }) => name);
  expect(await names()).toEqual(['mine.jpg', 'start.jpg']);

  await page.getByRole('button', { name: 'More actions for Regatta' }).click();
  await page.getByRole('menuitem', { name: 'Leave album' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave album' }).click();
  await expect(page.getByText('You have left the album')).toBeVisible();
  await expect(shared).toBeHidden();
  expect(await names()).toEqual(['start.jpg']);
});
