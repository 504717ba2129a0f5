import { type Album, createAlbum, getAlbum, listAlbums } from '#api/albums/albums.ts';
import { listImages } from '#api/images/images.ts';
import { listTrash } from '#api/images/trash.ts';
import { audit } from '#test/e2e/axe.ts';
import { openClipboard } from '#test/e2e/clipboard.ts';
import { expect, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type SignedIn, uploadImage } from '#test/helpers/service/service.ts';

const create = (owner: SignedIn, name: string): Promise<Album> => owner.client.call(createAlbum, { body: { name } });
const order = async (owner: SignedIn) => (await owner.client.call(listAlbums, { query: {} })).items.map(({ name }) => name);

test('an album is created, described and shared with a password, and its link is copied in one click', async ({ page, service, owner }) => {
  const clipboard = await openClipboard(page, service);
  await page.goto('/albums');
  await expect(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Create album' }).click();
  const form = page.getByRole('dialog', { name: 'Create album' });
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(form).toContainText('Enter a name for the album.');
  await form.getByLabel('Name').fill('Coast');
  await form.getByLabel('Description').fill('A week by the sea');
  await form.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: 'Coast', exact: true })).toBeVisible();
  await expect(page.getByText('This album is empty')).toBeVisible();

  const [album] = (await owner.client.call(listAlbums, { query: {} })).items as [Album];
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await share.getByRole('button', { name: 'Make public and copy link' }).click();
  await expect(share.getByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(await clipboard.readText()).toBe(album.share_url);
  await share.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await share.getByRole('button', { name: 'Set password' }).click();
  await expect(share.getByText('A password is set')).toBeVisible();
  const stored = await owner.client.call(getAlbum, { params: { id: album.id } });
  expect(stored).toMatchObject({ description: 'A week by the sea', visibility: 'public', has_password: true });
  expect((await (await fetch(`${service.url}/api/v1/a/${album.id}`)).json()).data).toMatchObject({ password_required: true });
});

test('albums are reordered by dragging, by keyboard and from their menu', async ({ page, owner }) => {
  for (const name of ['Three', 'Two', 'One']) await create(owner, name);
  await page.goto('/albums');
  const card = (name: string) => page.getByRole('link', { name: `${name}, 0 pictures` });
  await card('One').dragTo(card('Three'));
  await expect.poll(() => order(owner)).toEqual(['Two', 'Three', 'One']);
  await card('One').focus();
  await page.keyboard.press('Alt+ArrowLeft');
  await expect(page.getByText('One is now 2 of 3')).toBeAttached();
  await expect(card('One')).toBeFocused();
  await expect.poll(() => order(owner)).toEqual(['Two', 'One', 'Three']);
  await page.getByRole('button', { name: 'More actions for Two' }).click();
  await expect(page.getByRole('menuitem', { name: 'Move earlier' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Move later' }).click();
  await expect.poll(() => order(owner)).toEqual(['One', 'Two', 'Three']);
  await card('Three').focus();
  await page.keyboard.press('Alt+Home');
  await expect(page.getByText('Three is now 1 of 3')).toBeAttached();
  await expect(card('Three')).toBeFocused();
  await expect.poll(() => order(owner)).toEqual(['Three', 'One', 'Two']);
  await page.getByRole('button', { name: 'More actions for Three' }).click();
  await expect(page.getByRole('menuitem', { name: 'Move to the start' })).toBeDisabled();
  await page.getByRole('menuitem', { name: 'Move to the end' }).click();
  await expect.poll(() => order(owner)).toEqual(['One', 'Two', 'Three']);
  await page.reload();
  await expect(page.getByRole('listitem').first()).toContainText('One');
});

test('an album shows only its own pictures, and can be deleted with or without them', async ({ page, service, owner }) => {
  const [kept, doomed] = [await create(owner, 'Kept'), await create(owner, 'Doomed')];
  const token = await owner.token('upload');
  await uploadImage(service, token, await photoJpeg({ seed: 1 }), { album_id: kept.id }, 'kept.jpg');
  await uploadImage(service, token, await photoJpeg({ seed: 2 }), { album_id: doomed.id }, 'doomed.jpg');
  await page.goto('/albums');
  await expect(page.locator('main img')).toHaveCount(2);
  expect(await audit(page)).toEqual([]);
  await page.getByRole('link', { name: 'Doomed, 1 picture' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(tiles(page)).toHaveAccessibleName(/doomed\.jpg/);
  await page.getByRole('button', { name: 'More actions for Doomed' }).click();
  await page.getByRole('menuitem', { name: 'Delete album' }).click();
  await page.getByRole('dialog').getByLabel('Delete the picture as well').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete album' }).click();
  await expect(page.getByText('Album deleted')).toBeVisible();
  expect((await owner.client.call(listTrash, { query: {} })).items.map(({ name }) => name)).toEqual(['doomed.jpg']);

  await page.getByRole('button', { name: 'More actions for Kept' }).click();
  await page.getByRole('menuitem', { name: 'Delete album' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete album' }).click();
  await expect(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  expect((await owner.client.call(listImages, { query: {} })).items.map(({ name }) => name)).toEqual(['kept.jpg']);
});

test('all of an album’s card opens it, except its menu', async ({ page, owner }) => {
  await create(owner, 'Coast');
  await page.goto('/albums');
  // The link's area lies over the name.
  await page.getByRole('heading', { name: 'Coast' }).click({ force: true });
  await expect(page).toHaveURL(/\/albums\/[0-9A-Za-z]{10}$/);
  await page.goBack();
  await page.getByRole('button', { name: 'More actions for Coast' }).click();
  await expect(page.getByRole('menuitem', { name: 'Members' })).toBeVisible();
});
