import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { CARLA } from '#test/helpers/screen/account.ts';
import { aMember, anAlbum, aSharedImage } from '#test/helpers/screen/albums.ts';
import { test } from '#test/helpers/screen/app.tsx';
import { checkPage } from '#test/helpers/screen/audit.ts';
import { anImage } from '#test/helpers/screen/images.ts';
import { copiedText } from '#test/helpers/screen/input.ts';
import { textsOf, tiles } from '#test/helpers/screen/locators.ts';

const MIKA = { ...CARLA, id: 3, username: 'mika' };

test('the owner of an album adds members, changes their roles and removes them', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta', description: 'Four days on the water' });
  const images = [anImage({ name: 'start.jpg', albums: [album.id] })];
  const { library, service } = await mount(`/albums/${album.id}`, { albums: [album], images, users: [CARLA, MIKA] });
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Regatta' });
  await dialog.getByRole('combobox', { name: 'Person or group' }).fill('carl');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect.element(dialog).toMatchTextContent('No user of this site has this name.');
  await dialog.getByRole('combobox', { name: 'Person or group' }).fill('carla');
  await dialog.getByLabelText('Role', { exact: true }).selectOptions('Contributor');
  await expect.element(dialog).toMatchTextContent('Contributors also add pictures of their own');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await expect.element(dialog.getByLabelText('Role of carla')).toHaveValue('contributor');
  await dialog.getByRole('combobox', { name: 'Person or group' }).fill('mika');
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
  await page.getByRole('dialog').getByRole('combobox', { name: 'Person or group' }).click();
  await expect.element(page.getByRole('option', { name: 'mika' })).toBeVisible();
  await expect.element(page.getByRole('option', { name: 'carla' })).not.toBeInTheDocument();
  await checkPage('choosing a member');
  await userEvent.keyboard('mi{ArrowDown}{Enter}');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect.poll(() => library.members[album.id]?.map(({ username }) => username)).toEqual(['carla', 'mika']);
});

test('an album is shared with a group and with everyone, as members are', async ({ mount }) => {
  const album = anAlbum({ name: 'Regatta' });
  const design = { id: 7, name: 'Design', member_count: 4 };
  const { service, library } = await mount(`/albums/${album.id}`, { albums: [album], users: [CARLA, MIKA], groups: [design] });
  await page.getByRole('button', { name: 'Share Regatta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share Regatta' });
  const add = async (text: string, option: string) => {
    await dialog.getByRole('combobox', { name: 'Person or group' }).fill(text);
    await page.getByRole('option', { name: option }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('desi', 'Group Design 4 people');
  await expect.element(dialog.getByLabelText('Role of Design')).toHaveValue('viewer');
  await add('every', 'Everyone here');
  await dialog.getByLabelText('Role of Everyone here').selectOptions('Contributor');
  await expect
    .poll(() => library.shares[album.id]?.map(({ group, role }) => [group?.name, role]))
    .toEqual([
      ['Design', 'viewer'],
      [undefined, 'contributor'],
    ]);
  // Neither is offered twice.
  await dialog.getByRole('combobox', { name: 'Person or group' }).click();
  await expect.element(page.getByRole('option', { name: 'mika' })).toBeVisible();
  for (const name of ['Design', 'Everyone here']) await expect.element(page.getByRole('option', { name })).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await checkPage('an album for a group and everyone');
  for (const name of ['Design', 'Everyone here']) {
    await dialog.getByRole('button', { name: `Remove ${name}` }).click();
    await page
      .getByRole('dialog', { name: `Remove ${name}?` })
      .getByRole('button', { name: 'Remove' })
      .click();
    await expect.element(dialog.getByLabelText(`Role of ${name}`)).not.toBeInTheDocument();
  }
  expect(service.calls('DELETE /albums/:id/groups/:group_id').map(({ params }) => params)).toEqual([{ id: album.id, group_id: 7 }]);
  expect(service.calls('DELETE /albums/:id/everyone')).toHaveLength(1);
});

test('says through what an album is shared with the user, who leaves only what they were added to by name', async ({ mount }) => {
  const [group, everyone, named] = [
    anAlbum({ name: 'Drafts', role: 'viewer', owner: CARLA, shared_through: { kind: 'group', name: 'Design' } }),
    anAlbum({ name: 'Party', role: 'viewer', owner: CARLA, shared_through: { kind: 'everyone' } }),
    anAlbum({ name: 'Regatta', role: 'viewer', owner: CARLA }),
  ];
  await mount('/albums', { albums: [group, everyone, named] });
  await expect.element(page.getByText('by carla, for Design')).toBeVisible();
  await expect.element(page.getByText('by carla, for everyone')).toBeVisible();
  for (const [name, shown] of [
    ['Drafts', 'Shared with the group Design'],
    ['Party', 'Shared with everyone here'],
    ['Regatta', 'Leave album'],
  ] as const) {
    await page.getByRole('button', { name: `More actions for ${name}` }).click();
    await expect.element(page.getByRole('menu').getByText(shown)).toBeVisible();
    expect(page.getByRole('menuitem', { name: 'Leave album' }).elements()).toHaveLength(name === 'Regatta' ? 1 : 0);
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  }
  await checkPage('albums shared in three ways');
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

test('an album becomes public and its link is copied in one click; a password is set and removed', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast' });
  const { library, service } = await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await share.getByRole('button', { name: 'Share and copy link' }).click();
  await expect.element(share.getByRole('button', { name: 'Copy link' })).toBeVisible();
  expect(await copiedText()).toBe(album.share_url);
  await share.getByRole('textbox', { name: 'Password' }).fill('open sesame');
  await share.getByRole('button', { name: 'Set password' }).click();
  await expect.element(share.getByText('A password is set')).toBeVisible();
  expect(library.albums).toMatchObject([{ visibility: 'public', has_password: true }]);
  expect(service.calls('PATCH /albums/:id').at(-1)?.body).toEqual({ access_password: 'open sesame' });
  await share.getByRole('button', { name: 'Remove password' }).click();
  await expect.element(share.getByText('A password is set')).not.toBeInTheDocument();
  expect(service.calls('PATCH /albums/:id').at(-1)?.body).toEqual({ access_password: null });
});

test('one sheet has the link, then people, request links, password and expiry', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast', visibility: 'public' });
  await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'More actions for Coast' }).click();
  await expect.poll(textsOf(page.getByRole('menuitem'))).toEqual(['Edit name and description', 'Delete album']);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const share = page.getByRole('dialog', { name: 'Share Coast' });
  await expect.element(share.getByRole('button', { name: 'Create request link' })).toBeVisible();
  await expect.element(share.getByRole('button', { name: 'Copy link' })).toHaveFocus();
  expect(textsOf(share.getByRole('heading', { level: 3 }))()).toEqual([
    'Link',
    'Members',
    'Ask for pictures',
    'Password, expiry and downloads',
  ]);
  await checkPage('sheet that shares an album');
});

test('a request link has the album’s name, and is copied when it is created', async ({ mount }) => {
  const album = anAlbum({ name: 'Coast' });
  const { service } = await mount(`/albums/${album.id}`, { albums: [album] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  await page.getByRole('button', { name: 'Create request link' }).click();
  const form = page.getByRole('dialog', { name: 'Create request link' });
  await expect.element(form.getByRole('textbox', { name: 'Title' })).toHaveValue('Coast');
  await form.getByRole('button', { name: 'Create request link' }).click();
  await expect.element(page.getByText('Request link created and copied')).toBeVisible();
  const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Coast', level: 4 }) });
  await expect.element(item.getByText('Only this computer can open it')).toBeVisible();
  await expect.element(item.getByRole('button', { name: 'QR code' })).toBeInViewport({ ratio: 1 });
  expect(service.calls('POST /albums/:id/requests').map(({ body }) => body.title)).toEqual(['Coast']);
  expect(await copiedText()).toMatch(/\/r\//);
  expect(page.getByRole('button', { name: 'Copy link: Coast' }).element().querySelector('.tabler-icon-link')).not.toBeNull();
});

test('on a phone, the button that makes an album public shows its whole label', async ({ mount }) => {
  await page.viewport(360, 740);
  await mount('/albums', { albums: [anAlbum({ name: 'Coast' })] });
  await page.getByRole('button', { name: 'Share Coast' }).click();
  const words = page.getByRole('button', { name: 'Share and copy link' }).getByText('Share and copy link');
  await expect.element(words).toBeVisible();
  expect(words.element().scrollWidth - words.element().clientWidth).toBeLessThanOrEqual(0);
});
