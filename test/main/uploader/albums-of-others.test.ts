import { expect, it } from 'vitest';
import { createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import type { Item } from '#main/journal/item.ts';
import type { Account } from '#main/service/account.ts';
import { en } from '#main/texts/en.ts';
import { createAlbumNotices } from '#main/uploader/albums-of-others.ts';
import { uploadedImage } from '#test/cli/scripted-service.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { OWNER } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();

it('says whose album it is with the first picture in it, once, also after a restart', async () => {
  const carla = await addUser(service, 'carla');
  const own = await carla.client.call(createAlbum, { body: { name: 'Own' } });
  const share = async (name: string) => {
    const { id } = await owner.client.call(createAlbum, { body: { name } });
    await owner.client.call(putMember, { params: { id }, body: { username: 'carla', role: 'contributor' } });
    return id;
  };
  const [first, second] = [await share('Contracts'), await share('Plans')];
  const facts = new Map<string, string>();
  const notices: string[][] = [];
  let headers: Record<string, string> = { cookie: carla.cookie };
  const access = async () => ({ url: service.url, headers });
  let accountId = 'local:2';
  const start = () =>
    createAlbumNotices({
      account: { access, renew: access, id: () => accountId } as unknown as Account,
      journal: { fact: (name) => facts.get(name), setFact: (name, value) => void facts.set(name, value) },
      notify: ({ title, body }) => void notices.push([title, body]),
      texts: () => en,
      open: () => undefined,
    });
  const end = (tell: ReturnType<typeof start>, albums: string[]) =>
    tell({ item: { account: 'local:2' } as Item, image: { ...uploadedImage(), albums } });

  const tell = start();
  await end(tell, [own.id]);
  await end(tell, []);
  await tell({ item: { account: 'local:2' } as Item, image: undefined });
  expect(notices).toEqual([]);
  await Promise.all([end(tell, [own.id, first]), end(tell, [first])]);
  await end(start(), [first]);
  const body = (album: string) =>
    `The album “${album}” belongs to ${OWNER.username}. Everyone with whom it is shared can see what you put into it.`;
  const title = `Picture added to an album of ${OWNER.username}`;
  expect(notices).toEqual([[title, body('Contracts')]]);
  // A token that may only upload isn't told, and isn't asked again.
  headers = { authorization: `Bearer ${await carla.token('upload')}` };
  const mayOnlyUpload = start();
  await end(mayOnlyUpload, [second]);
  headers = { cookie: carla.cookie };
  await end(mayOnlyUpload, [second]);
  expect(notices).toHaveLength(1);
  accountId = 'local:1';
  await end(tell, [second]);
  expect(notices).toHaveLength(1);
  accountId = 'local:2';
  await end(tell, [second]);
  expect(notices[1]).toEqual([title, body('Plans')]);
});
