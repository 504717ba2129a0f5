import { expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import type { Ipc } from '#main/ipc.ts';
import type { Account } from '#main/service/account.ts';
import { handleAccountCalls } from '#main/service/account-calls.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

it('offers the account’s own albums, and those of others that it may add to, with whose they are', async () => {
  const carla = await addUser(service, 'carla');
  const own = await carla.client.call(createAlbum, { body: { name: 'Own' } });
  const share = async (name: string, role: 'viewer' | 'contributor') => {
    const { id } = await owner.client.call(createAlbum, { body: { name } });
    await owner.client.call(putMember, { params: { id }, body: { username: 'carla', role } });
    return id;
  };
  const [id] = [await share('To fill', 'contributor'), await share('To see', 'viewer')];
  const access = async () => ({ url: service.url, headers: { cookie: carla.cookie } });
  const calls: { getAlbums?: () => Promise<unknown> } = {};
  const ipc = { handle: (handlers: object) => Object.assign(calls, handlers) } as unknown as Ipc;
  handleAccountCalls(ipc, { access, renew: access } as unknown as Account, undefined);
  expect(await calls.getAlbums?.()).toEqual([
    { id: own.id, name: 'Own' },
    { id, name: `${OWNER.username}/To fill` },
  ]);
});
