import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CARLA } from '#test/helpers/screen/account.ts';
import { aMember, anAlbum, aSharedImage } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { tiles } from '#test/helpers/screen/locators.ts';

const MIKA = { ...CARLA, id: 3, username: 'mika' };

test('the owner of an album adds members, changes their roles and removes them', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta', description: 'Four days on the water' });
  const images = [anImage({ name: 'start.jpg', albums: [album.id] })];
  const { library, service } = await mount(`/albums/${album.id}`, { albums: [album], images, users: [CARLA, MIKA] });
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Regatta' });
  await dialog.getByRole('combobox', { name: 'Username' }).fill('carl');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect.element(dialog).toMatchTextContent('No user of this site has this name.');
  await dialog.getByRole('combobox', { name: 'Username' }).fill('carla');
  await dialog.getByLabelText('Role', { exact: true }).selectOptions('Contributor');
  await expect.element(dialog).toMatchTextContent('Contributors also add pictures of their own');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect.element(dialog.getByLabelText('Role of carla')).toHaveValue('contributor');
  await dialog.getByRole('combobox', { name: 'Username' }).fill('mika');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByLabelText('Role of mika').selectOptions('Manager');
  await expect
    .poll(() => library.members[album.id]?.map(({ username, role }) => [username, role]))
    .toEqual([
      ['carla', 'contributor'],
      ['mika', 'manager'],
    ]);
  await checkPage('members of an album');
  await dialog.getByRole('button', { name: 'Remove mika' }).click();
  await page.getByRole('dialog', { name: 'Remove mika?' }).getByRole('button', { name: 'Remove' }).click();
  await expect.element(dialog.getByLabelText('Role of mika')).not.toBeInTheDocument();
  expect(service.calls('DELETE /albums/:id/members/:user_id').map(({ params }) => params)).toEqual([{ id: album.id, user_id: MIKA.id }]);
  await userEvent.keyboard('{Escape}');
});

test('members are chosen from those who have an account, without those who take part already', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta' });
  const { library } = await mount(`/albums/${album.id}`, {
    albums: [album],
    users: [CARLA, MIKA],
    members: { [album.id]: [aMember(CARLA, 'viewer')] },
  });
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Username' }).click();
  await expect.element(page.getByRole('option', { name: 'mika' })).toBeVisible();
  await expect.element(page.getByRole('option', { name: 'carla' })).not.toBeInTheDocument();
  await checkPage('choosing a member');
  await userEvent.keyboard('mi{ArrowDown}{Enter}');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => library.members[album.id]?.map(({ username }) => username)).toEqual(['carla', 'mika']);
});

test('where accounts aren’t listed, user names are typed, and nobody asks for the list', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta' });
  const { service } = await mount(`/albums/${album.id}`, { albums: [album], users: [CARLA, MIKA], config: { team_directory: false } });
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Username' }).fill('mi');
  await expect.element(page.getByRole('button', { name: 'Add', exact: true })).toBeEnabled();
  await expect.element(page.getByRole('option', { name: 'mika' })).not.toBeInTheDocument();
  expect(service.calls('GET /team')).toEqual([]);
});

test('a manager may not give or take the role of managers', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta', role: 'manager' });
  const members = { [album.id]: [aMember(CARLA, 'manager'), aMember(MIKA, 'viewer')] };
  await mount(`/albums/${album.id}`, { user: CARLA, albums: [album], members });
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Regatta' });
  await expect.element(dialog.getByLabelText('Role of mika').getByRole('option')).toHaveLength(2);
  await expect.element(dialog.getByLabelText('Role of carla')).not.toBeInTheDocument();
  await expect.element(dialog.getByText(album.share_url)).not.toBeInTheDocument();
});

test('the owner sees live what members add, who it was, and takes it out of the album', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta' });
  const images = [anImage({ name: 'start.jpg', albums: [album.id] })];
  const members = { [album.id]: [aMember(CARLA, 'contributor')] };
  const { library, service } = await mount(`/albums/${album.id}`, { albums: [album], images, members });
  await expect.element(tiles()).toHaveLength(1);
  const finish = aSharedImage(CARLA, { name: 'finish.jpg' });
  library.others[album.id] = [finish];
  service.tell('album.changed', album.id);
  await expect.element(tiles()).toHaveLength(2);
  await expect.element(tiles().first()).toHaveAccessibleName('Open finish.jpg, added by carla');
  await checkPage('an album with members');
  await tiles().first().click();
  const viewer = page.getByRole('dialog', { name: 'finish.jpg' });
  await expect.element(viewer).toMatchTextContent('Added by carla');
  await checkPage('a picture in an album with members');
  await viewer.getByRole('button', { name: 'Use as album cover' }).click();
  await expect.poll(() => library.albums[0]?.cover_key).toBe(finish.key);
  await viewer.getByRole('button', { name: 'Remove from album' }).click();
  await expect.element(viewer).not.toBeInTheDocument();
  await expect.element(tiles()).toHaveLength(1);
  await page.getByRole('link', { name: 'All albums' }).click();
  await expect.element(page.getByRole('link', { name: 'Regatta, 1 picture' })).toBeVisible();
});
