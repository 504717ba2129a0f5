import { expect, it } from 'vitest';
import { changeGroup, createGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser } from '#api/admin/users.ts';
import { getConfig } from '#api/config.ts';
import { getTeam } from '#api/team.ts';
import { openEvents } from '#test/helpers/network/event-stream.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();
const mara = await addUser(service, 'mara');
const zoe = await addUser(service, 'Zoe');

it('lists accounts by name, without those that are disabled', async () => {
  const { users } = await mara.client.call(getTeam, {});
  expect(users.map(({ username, name }) => [username, name])).toEqual([
    ['ada', 'ada'],
    ['mara', 'mara'],
    ['Zoe', 'Zoe'],
  ]);
  expect(Object.keys(users[0] ?? {}).sort()).toEqual([
    'avatar_url',
    ...(service.config.databaseUrl ? [] : ['connected']),
    'id',
    'name',
    'username',
  ]);
  await owner.client.call(changeUser, { params: { id: zoe.id }, body: { disabled: true } });
  expect((await mara.client.call(getTeam, {})).users.map(({ username }) => username)).toEqual(['ada', 'mara']);
  await owner.client.call(changeUser, { params: { id: zoe.id }, body: { disabled: false } });
});

it('lists the groups that an admin has listed, with the members whose accounts are on', async () => {
  const { id } = await owner.client.call(createGroup, { body: { name: 'Writers' } });
  for (const user of [mara, zoe]) await owner.client.call(changeUser, { params: { id: user.id }, body: { group_id: id } });
  expect((await mara.client.call(getTeam, {})).groups).toEqual([]);
  expect(await owner.client.call(changeGroup, { params: { id }, body: { listed: true } })).toMatchObject({ listed: true });
  expect((await mara.client.call(getTeam, {})).groups).toEqual([{ id, name: 'Writers', member_count: 2 }]);
  await owner.client.call(changeUser, { params: { id: zoe.id }, body: { disabled: true } });
  expect((await mara.client.call(getTeam, {})).groups).toEqual([{ id, name: 'Writers', member_count: 1 }]);
  await owner.client.call(changeGroup, { params: { id }, body: { listed: false } });
  expect((await mara.client.call(getTeam, {})).groups).toEqual([]);
});

it('says who is connected, with an app or a browser, as long as they are', async () => {
  const connected = async () => {
    const { users } = await owner.client.call(getTeam, {});
    return users.find(({ id }) => id === mara.id)?.connected;
  };
  if ((await connected()) === undefined) return; // with several services, none knows
  expect(await connected()).toBe(null);
  const bearer = async (scope: 'device' | 'full') => ({ authorization: `Bearer ${await mara.token(scope)}` });
  const [program, page] = [await openEvents(service, await bearer('full')), await openEvents(service, { cookie: mara.cookie })];
  await expect.poll(() => [program.events.length, page.events.length]).toEqual([1, 1]);
  expect(await connected()).toBe('browser');
  const app = await openEvents(service, await bearer('device'));
  await expect.poll(connected).toBe('app');
  app.close();
  await expect.poll(connected).toBe('browser');
  page.close();
  await expect.poll(connected).toBe(null);
});

it('isn’t for guests, nor for tokens that only upload', async () => {
  expect((await fetch(`${service.url}/api/v1/team`)).status).toBe(401);
  const token = await mara.token('upload');
  expect((await fetch(`${service.url}/api/v1/team`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(403);
});

it('lists nobody once an admin has turned it off', async () => {
  await owner.client.call(changeAdminSettings, { body: { team_directory: false } });
  await expect(mara.client.call(getTeam, {})).rejects.toMatchObject({ code: 'not_found' });
  await expect(owner.client.call(getTeam, {})).rejects.toMatchObject({ code: 'not_found' });
  expect(await mara.client.call(getConfig, {})).toMatchObject({ team_directory: false });
  await owner.client.call(changeAdminSettings, { body: { team_directory: true } });
});

it.each([1, 3])('refuses to list group %i, which has no members to name', async (id) => {
  await expect(owner.client.call(changeGroup, { params: { id }, body: { listed: true } })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { field: 'listed', problem: 'not_available' },
  });
});
