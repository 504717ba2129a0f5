import { expect, it } from 'vitest';
import { changeGroup, createGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser, deleteUser } from '#api/admin/users.ts';
import { createAlbum, getAlbum, listAlbums } from '#api/albums/albums.ts';
import { listMembers, putMember, removeEveryone, removeGroup, removeMember } from '#api/albums/members.ts';
import { addToAlbum, listAlbumImages } from '#api/albums/pictures.ts';
import { getImage } from '#api/images/images.ts';
import { getTeamNews } from '#api/team.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner: admin } = await startFileService();
const groupCalled = async (name: string, listed = true) => {
  const { id } = await admin.client.call(createGroup, { body: { name } });
  await admin.client.call(changeGroup, { params: { id }, body: { listed } });
  return id;
};
const [design, sales, secret] = [await groupCalled('Design'), await groupCalled('Sales'), await groupCalled('Secret', false)];
const moveTo = (user: AddedUser, group_id: number) => admin.client.call(changeUser, { params: { id: user.id }, body: { group_id } });
const userIn = async (name: string, group?: number) => {
  const user = await addUser(service, name);
  if (group !== undefined) await moveTo(user, group);
  return user;
};
const bea = await userIn('bea');

let seed = 0;
const newAlbum = async (user = bea) => (await user.client.call(createAlbum, { body: { name: 'Regatta' } })).id;
type Target = { username: string } | { group_id: number } | { everyone: true };
const share = (id: string, to: Target, role: 'viewer' | 'contributor' | 'manager', by = bea) =>
  by.client.call(putMember, { params: { id }, body: { ...to, role } });
const upload = async (user: AddedUser, id: string) =>
  uploadImage(service, await user.token('full'), await photoJpeg({ seed: ++seed, width: 40, height: 30 }), {
    visibility: 'private',
    album_id: id,
  });
const listed = async (user: AddedUser, id: string) =>
  (await user.client.call(listAlbumImages, { params: { id }, query: {} })).items.map(({ key }) => key);
const shared = async (user: AddedUser) => (await user.client.call(listAlbums, { query: { shared: 'true' } })).items;
const album = (user: AddedUser, id: string) => user.client.call(getAlbum, { params: { id } });
const code = async (call: Promise<unknown>) => call.then(String, (error: { code?: string }) => error.code);
const opens = async (user: AddedUser, { links }: { links: { url: string } }) => (await user.fetch(new URL(links.url).pathname)).status;

it('shares an album with a group: its members see it with their group’s name, and add to it as the role allows', async () => {
  const [ann, ben, tom] = [await userIn('ann', design), await userIn('ben', design), await userIn('tom', sales)];
  const id = await newAlbum();
  const picture = await upload(bea, id);
  expect([await opens(ann, picture), await code(listed(ann, id))]).toEqual([404, 'not_found']);
  expect(await share(id, { group_id: design }, 'viewer')).toEqual({
    group: { id: design, name: 'Design' },
    member_count: 2,
    role: 'viewer',
    added_at: expect.any(String),
  });
  expect([await opens(ann, picture), await listed(ben, id), await opens(tom, picture)]).toEqual([200, [picture.key], 404]);
  expect(await shared(ann)).toMatchObject([{ id, role: 'viewer', member_count: 2, shared_through: { kind: 'group', name: 'Design' } }]);
  expect((await album(bea, id)).shared_through).toBeNull();
  const { key } = await upload(ann, await newAlbum(ann));
  expect(await code(ann.client.call(addToAlbum, { params: { id }, body: { keys: [key] } }))).toBe('forbidden');
  await share(id, { group_id: design }, 'contributor');
  const added = await upload(ann, id);
  expect([await opens(bea, added), await opens(ben, added), await opens(tom, added)]).toEqual([200, 200, 404]);
  // The highest role counts, and who was named stays when the group goes.
  await share(id, { username: 'ann' }, 'manager');
  expect(await album(ann, id)).toMatchObject({ role: 'manager', member_count: 2, shared_through: { kind: 'user' } });
  const { items, groups, everyone } = await ben.client.call(listMembers, { params: { id } });
  expect([items.map(({ username }) => username), groups.map(({ group }) => group.name), everyone]).toEqual([['ann'], ['Design'], null]);
  await bea.client.call(removeGroup, { params: { id, group_id: design } });
  expect([await opens(ben, added), await opens(ann, picture), await listed(bea, id)]).toEqual([404, 200, [added.key, picture.key]]);
  expect(await code(bea.client.call(removeGroup, { params: { id, group_id: design } }))).toBe('not_found');
});

it('shares an album with everyone, those who come later too, but no guest', async () => {
  const [eve, tom] = [await userIn('eve'), await userIn('tim', sales)];
  const id = await newAlbum();
  const picture = await upload(bea, id);
  expect(await share(id, { everyone: true }, 'contributor')).toMatchObject({ everyone: true, role: 'contributor' });
  const later = await userIn('later');
  const added = await upload(later, id);
  for (const user of [eve, tom, later, admin]) expect(await opens(user as AddedUser, picture)).toBe(200);
  expect([await opens(eve, added), (await fetch(picture.links.url)).status, (await fetch(added.links.url)).status]).toEqual([
    200, 404, 404,
  ]);
  expect((await shared(eve)).find((one) => one.id === id)).toMatchObject({ shared_through: { kind: 'everyone' } });
  await share(id, { username: 'eve' }, 'viewer');
  expect(await album(eve, id)).toMatchObject({ role: 'contributor', shared_through: { kind: 'user' }, for_team: true });
  expect([(await album(bea, id)).for_team, (await album(bea, await newAlbum())).for_team]).toEqual([true, false]);
  await bea.client.call(removeMember, { params: { id, user_id: eve.id } });
  expect(await opens(eve, picture)).toBe(200);
  const { member_count } = await album(bea, id);
  expect((await listAll(id)).everyone).toMatchObject({ role: 'contributor', member_count });
  await admin.client.call(changeUser, { params: { id: tom.id }, body: { disabled: true } });
  expect((await album(bea, id)).member_count).toBe(member_count - 1);
  await bea.client.call(removeEveryone, { params: { id } });
  expect([await opens(eve, picture), await opens(bea, added), await listed(bea, id)]).toEqual([404, 404, [picture.key]]);
  expect((await later.client.call(getImage, { params: { key: added.key } })).albums).toEqual([]);
  expect(await code(bea.client.call(removeEveryone, { params: { id } }))).toBe('not_found');
});

const listAll = (id: string) => bea.client.call(listMembers, { params: { id } });

it('ends with a change of group, in the same commit, and takes the pictures out', async () => {
  const mia = await userIn('mia', design);
  const [id, both] = [await newAlbum(), await newAlbum()];
  await share(id, { group_id: design }, 'contributor');
  await share(both, { group_id: design }, 'contributor');
  await share(both, { group_id: sales }, 'viewer');
  const [picture, own, kept] = [await upload(bea, id), await upload(mia, id), await upload(mia, both)];
  const stream = await openEvents(service, { cookie: mia.cookie });
  await expect.poll(() => stream.events.length).toBeGreaterThan(0);
  await moveTo(mia, sales);
  await stream.ended;
  expect([await opens(mia, picture), await code(listed(mia, id)), await opens(bea, own)]).toEqual([404, 'not_found', 404]);
  expect([(await album(bea, id)).image_count, await listed(bea, both)]).toEqual([1, [kept.key]]);
  expect((await album(mia, both)).role).toBe('viewer');
  expect((await mia.client.call(getImage, { params: { key: own.key } })).albums).toEqual([]);
});

it('ends with the account, and tells nobody who has left', async () => {
  const gone = await userIn('gone', design);
  const id = await newAlbum();
  await share(id, { group_id: design }, 'contributor');
  await share(id, { everyone: true }, 'viewer');
  const picture = await upload(gone, id);
  expect(await opens(bea, picture)).toBe(200);
  await admin.client.call(deleteUser, { params: { id: gone.id }, query: {} });
  expect([await listed(bea, id), await opens(bea, picture)]).toEqual([[], 404]);
  await expect.poll(async () => (await album(bea, id)).image_count).toBe(0);
});

it('takes thousands of pictures out when a share ends', async () => {
  const [one, other] = [await userIn('one', design), await userIn('other', sales)];
  const id = await newAlbum();
  await share(id, { everyone: true }, 'contributor');
  await share(id, { group_id: sales }, 'contributor');
  await withDatabase(service, async (db) => {
    await addImageRows(db, one.id, 1_200, () => ({ album_id: id }));
    await addImageRows(db, other.id, 20, () => ({ album_id: id }));
  });
  expect((await album(bea, id)).image_count).toBe(1_220);
  await bea.client.call(removeEveryone, { params: { id } });
  expect((await album(bea, id)).image_count).toBe(20);
});

it('lets managers decide on lesser shares only, and nobody else on any', async () => {
  const [max, vic] = [await userIn('max'), await userIn('vic', design)];
  const id = await newAlbum();
  await share(id, { username: 'max' }, 'manager');
  await share(id, { group_id: design }, 'viewer');
  for (const to of [{ everyone: true as const }, { group_id: sales }]) expect(await code(share(id, to, 'manager', max))).toBe('forbidden');
  await share(id, { everyone: true }, 'manager');
  expect(await code(share(id, { everyone: true }, 'viewer', max))).toBe('forbidden');
  expect(await code(max.client.call(removeEveryone, { params: { id } }))).toBe('forbidden');
  await share(id, { everyone: true }, 'viewer');
  await max.client.call(removeEveryone, { params: { id } });
  for (const by of [vic, admin]) {
    const expected = by === vic ? 'forbidden' : 'not_found';
    expect(await code(share(id, { group_id: sales }, 'viewer', by as AddedUser))).toBe(expected);
    expect(await code(by.client.call(removeGroup, { params: { id, group_id: design } }))).toBe(expected);
    expect(await code(by.client.call(removeEveryone, { params: { id } }))).toBe(expected);
  }
  // Who sees an album through a group can’t be removed by name, and is told why.
  for (const by of [bea, vic]) expect(await code(by.client.call(removeMember, { params: { id, user_id: vic.id } }))).toBe('forbidden');
  await max.client.call(removeGroup, { params: { id, group_id: design } });
  expect(await code(album(vic, id))).toBe('not_found');
});

it('names groups only where they are listed, and exactly one of the three', async () => {
  const id = await newAlbum();
  expect(await code(share(id, { group_id: secret }, 'viewer'))).toBe('not_found');
  expect(await code(share(id, { group_id: 987_654 }, 'viewer'))).toBe('not_found');
  await share(id, { group_id: sales }, 'viewer');
  await admin.client.call(changeAdminSettings, { body: { team_directory: false } });
  expect(await code(share(id, { group_id: design }, 'viewer'))).toBe('not_found');
  expect(await share(id, { group_id: sales }, 'contributor')).toMatchObject({ role: 'contributor' });
  await admin.client.call(changeAdminSettings, { body: { team_directory: true } });
  for (const to of [{}, { username: 'bea', everyone: true }, { group_id: sales, everyone: true }])
    expect(await code(share(id, to as never, 'viewer'))).toBe('invalid_request');
  const tina = await userIn('tina', sales);
  const added = await upload(tina, id);
  expect(await code(tina.client.call(addToAlbum, { params: { id }, body: { keys: [added.key] } }))).toBe('[object Object]');
});

it('counts what others have uploaded to the team’s albums since a moment', async () => {
  const [nia, ole] = [await userIn('nia', sales), await userIn('ole')];
  const [ofAll, ofSales, named] = [await newAlbum(), await newAlbum(), await newAlbum()];
  await share(ofAll, { everyone: true }, 'contributor');
  await share(ofSales, { group_id: sales }, 'viewer');
  await share(named, { username: 'nia' }, 'viewer');
  const old = await upload(bea, ofAll);
  await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const { id } = await queries.selectFrom('images').select('id').where('key', '=', old.key).executeTakeFirstOrThrow();
      await queries
        .updateTable('album_images')
        .set({ uploaded_at: Date.now() - 60_000 })
        .where('image_id', '=', id)
        .execute();
    }),
  );
  const since = new Date(Date.now() - 30_000).toISOString();
  await upload(bea, ofAll);
  await upload(nia, ofAll);
  await upload(bea, ofSales);
  await upload(bea, named);
  const newFor = async (user: AddedUser) => {
    const { albums } = await user.client.call(getTeamNews, { query: { since } });
    return Object.fromEntries(albums.filter(({ id }) => [ofAll, ofSales, named].includes(id)).map(({ id, count }) => [id, count]));
  };
  expect([await newFor(nia), await newFor(ole), await newFor(bea)]).toEqual([{ [ofAll]: 1, [ofSales]: 1 }, { [ofAll]: 2 }, {}]);
  expect(await code(nia.client.call(getTeamNews, { query: { since: 'yesterday' } }))).toBe('invalid_request');
});
