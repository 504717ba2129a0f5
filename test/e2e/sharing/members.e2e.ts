import { createAlbum, getAlbum } from '#api/albums/albums.ts';
import { listMembers, putMember, removeMember } from '#api/albums/members.ts';
import { listAlbumImages } from '#api/albums/pictures.ts';
import { checkPage } from '#test/e2e/axe.ts';
import { expect, signIn, test, tiles } from '#test/e2e/web.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { type AddedUser, addUser } from '#test/helpers/service/data/users.ts';
import { type TestService, uploadImage } from '#test/helpers/service/service.ts';

let seed = 0;
const add = async (service: TestService, token: string, album_id: string, name: string) =>
  uploadImage(service, token, await photoJpeg({ seed: ++seed, width: 600, height: 400 }), { album_id, visibility: 'private' }, name);

test('the owner of an album shares it, changes roles, and sees who added what', async ({ page, service, owner, complaints }) => {
  const carla = await addUser(service, 'carla');
  await addUser(service, 'mika');
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Regatta', description: 'Four days on the water' } });
  await add(service, await owner.token('upload'), id, 'start.jpg');
  await page.goto(`/albums/${id}`);
  await page.getByRole('button', { name: 'More actions for Regatta' }).click();
  await page.getByRole('menuitem', { name: 'Members' }).click();
  const dialog = page.getByRole('dialog', { name: 'Members of Regatta' });
  await dialog.getByLabel('Username').fill('carl');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog).toContainText('No user of this site has this name.');
  // The browser logs the refusal.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('404')]);
  await dialog.getByLabel('Username').fill('carla');
  await dialog.getByLabel('Role', { exact: true }).selectOption('Contributor');
  await expect(dialog).toContainText('Contributors also add pictures of their own');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect(dialog.getByLabel('Role of carla')).toHaveValue('contributor');
  await dialog.getByLabel('Username').fill('mika');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByLabel('Role of mika').selectOption('Manager');
  await expect
    .poll(async () => (await owner.client.call(listMembers, { params: { id } })).items.map(({ username, role }) => [username, role]))
    .toEqual([
      ['carla', 'contributor'],
      ['mika', 'manager'],
    ]);
  await checkPage(page, 'members of an album');
  await dialog.getByRole('button', { name: 'Remove mika' }).click();
  await page.getByRole('dialog', { name: 'Remove mika?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(dialog.getByLabel('Role of mika')).toBeHidden();
  await page.keyboard.press('Escape');

  // Live: a member adds a picture, which is private.
  const { key } = await add(service, await carla.token('upload'), id, 'finish.jpg');
  await expect(tiles(page)).toHaveCount(2);
  await expect(tiles(page).first()).toHaveAccessibleName('Open finish.jpg, added by carla');
  await checkPage(page, 'an album with members');
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog', { name: 'finish.jpg' });
  await expect(viewer).toContainText('Added by carla');
  await checkPage(page, 'a picture in an album with members');
  await viewer.getByRole('button', { name: 'Use as album cover' }).click();
  await expect.poll(async () => (await owner.client.call(getAlbum, { params: { id } })).cover_key).toBe(key);
  await viewer.getByRole('button', { name: 'Remove from album' }).click();
  await expect(viewer).toBeHidden();
  await expect(tiles(page)).toHaveCount(1);
  await page.goto('/albums');
  await expect(page.getByRole('link', { name: 'Regatta, 1 picture' })).toBeVisible();
});

test('members see albums under “Shared with me”, do what their role allows, and leave', async ({ page, context, lan, service, owner }) => {
  const carla = await addUser(service, 'carla');
  await context.clearCookies();
  await signIn(context, carla, lan);
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Regatta' } });
  const share = (role: 'viewer' | 'contributor' | 'manager') =>
    owner.client.call(putMember, { params: { id }, body: { username: 'carla', role } });
  const token = await owner.token('upload');
  for (const name of ['one.jpg', 'two.jpg']) await add(service, token, id, name);
  await page.goto('/albums');
  await expect(page.getByRole('heading', { name: 'No albums yet' })).toBeVisible();
  // Live, as is everything below.
  await share('viewer');
  const shared = page.getByRole('region', { name: 'Shared with me' });
  await expect(shared.getByRole('link', { name: 'Regatta, 2 pictures, by ada' })).toBeVisible();
  await expect(shared.locator('img')).toHaveJSProperty('complete', true);
  await checkPage(page, 'shared albums');
  await shared.getByRole('link', { name: /Regatta/ }).click();
  await expect(tiles(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'More actions for Regatta' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Download as zip', 'Leave album']);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Add pictures' })).toBeHidden();
  await tiles(page).first().click();
  const viewer = page.getByRole('dialog', { name: 'two.jpg' });
  await expect(viewer).toContainText('Added by ada');
  await expect(viewer.getByRole('button', { name: 'Remove from album' })).toBeHidden();
  await page.keyboard.press('Escape');

  await share('contributor');
  await page.getByRole('link', { name: 'Add pictures' }).click();
  await page.goBack();
  await add(service, await carla.token('upload'), id, 'mine.jpg');
  await expect(tiles(page)).toHaveCount(3);
  await page.getByText('My pictures', { exact: true }).click();
  await expect(tiles(page)).toHaveCount(1);
  await page.getByText('All pictures', { exact: true }).click();
  await expect(tiles(page)).toHaveCount(3);

  // Lists to choose from say whose it is: another one may have the same name.
  await carla.client.call(createAlbum, { body: { name: 'Regatta' } });
  await page.goto('/settings/uploads');
  await page.getByRole('combobox', { name: 'Album' }).click();
  await expect(page.getByRole('option')).toHaveText(['Regatta', 'ada/Regatta']);
  await page.goto(`/albums/${id}`);

  await share('manager');
  await page.getByRole('button', { name: 'More actions for Regatta' }).click();
  await page.getByRole('menuitem', { name: 'Arrange pictures' }).click();
  await tiles(page).first().focus();
  await page.keyboard.press('Alt+ArrowRight');
  await expect(page.getByText('mine.jpg is now 2 of 3')).toBeAttached();
  const names = async () => (await owner.client.call(listAlbumImages, { params: { id }, query: {} })).items.map(({ name }) => name);
  await expect.poll(names).toEqual(['two.jpg', 'mine.jpg', 'one.jpg']);
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'More actions for Regatta' }).click();
  await page.getByRole('menuitem', { name: 'Leave album' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave album' }).click();
  await expect(page.getByText('You have left the album')).toBeVisible();
  await expect(shared).toBeHidden();
  await expect.poll(names).toEqual(['two.jpg', 'one.jpg']);
});

test('in an album with members, one’s own pictures keep search, days and the full viewer', async ({ page, service, owner }) => {
  await addUser(service, 'carla');
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Regatta' } });
  await owner.client.call(putMember, { params: { id }, body: { username: 'carla', role: 'contributor' } });
  const token = await owner.token('upload');
  for (const name of ['start.jpg', 'finish.jpg']) await add(service, token, id, name);
  await page.goto(`/albums/${id}`);
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
  await expect(tiles(page).first()).toHaveAccessibleName('Open finish.jpg, added by ada');
  await expect(page.getByText('Select and change your own pictures under My pictures.')).toBeVisible();

  // A search is one step back, however often typing pauses.
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('sta');
  await expect(tiles(page)).toHaveCount(1);
  await field.fill('start');
  await expect(page).toHaveURL(/q=start/);
  await expect(tiles(page)).toHaveCount(1);
  await page.goBack();
  await expect(tiles(page)).toHaveCount(2);
  await expect(page).toHaveURL(/\/albums\/[0-9A-Za-z]+$/);

  await tiles(page).first().click();
  const viewer = page.getByRole('dialog', { name: 'finish.jpg' });
  await viewer.getByRole('button', { name: 'Favourite' }).click();
  await expect(viewer.getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'true');
  await expect(viewer.getByRole('complementary', { name: 'Details' })).toBeVisible();
  await expect(viewer.getByRole('button', { name: 'Edit' })).toBeVisible();
  await checkPage(page, 'an own picture in an album with members');
  await viewer.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog', { name: 'start.jpg' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tiles(page)).toHaveCount(1);

  await page.getByText('My pictures', { exact: true }).click();
  await expect(page).toHaveURL(/show=mine/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'My pictures' })).toBeChecked();
});

test('an album closes while a member looks at it, when its owner stops sharing it', async ({
  page,
  context,
  lan,
  service,
  owner,
  complaints,
}) => {
  const carla: AddedUser = await addUser(service, 'carla');
  await context.clearCookies();
  await signIn(context, carla, lan);
  const { id } = await owner.client.call(createAlbum, { body: { name: 'Regatta' } });
  await owner.client.call(putMember, { params: { id }, body: { username: 'carla', role: 'viewer' } });
  const { key } = await add(service, await owner.token('upload'), id, 'one.jpg');
  await page.goto(`/albums/${id}?picture=${key}`);
  await expect(page.getByRole('dialog', { name: 'one.jpg' })).toBeVisible();
  await owner.client.call(removeMember, { params: { id, user_id: carla.id } });
  await expect(page.getByRole('heading', { name: 'Album not found' })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  // The browser logs the refusal, by which the page learns of it.
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('404')));
});
