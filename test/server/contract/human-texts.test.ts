import { describe, expect, it } from 'vitest';
import { createGroup } from '#api/admin/groups.ts';
import { createPolicy } from '#api/admin/policies.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { createUser, listUsers } from '#api/admin/users.ts';
import { changeAlbum, createAlbum } from '#api/albums/albums.ts';
import { createInvite } from '#api/auth/invites.ts';
import { createToken } from '#api/auth/tokens.ts';
import { changeProfile } from '#api/auth/user.ts';
import { createClient } from '#api/client.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { changeRequest, createRequest, finishSending, listRequestBatches } from '#api/sharing/requests.ts';
import { createWebhook } from '#api/webhooks.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addUser, USER_PASSWORD } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { logIn } from '#test/helpers/service/log-in.ts';
import { sendThrough } from '#test/helpers/service/requests.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const bea = await addUser(service, 'bea');
const token = await bea.token('full');

/** What deceives or disturbs those who read it, and what is left of it. */
const SENT =
  ' \u001b[31mRed\u001b[0m\u0007 \u202egnp.\u2066a\u200b\u3164e\u0301\r\n\u2028next\u009b2J\ttab \u001b]0;title\u0007end\u{e0041} ';
const LINE = 'Red gnp.aé next tab end';
const PROSE = 'Red gnp.aé\n\nnext tab end';

let number = 0;
const image = await uploadImage(service, token, tinyPng(++number));
const album = await bea.client.call(createAlbum, { body: { name: 'Sea' } });
const request = await bea.client.call(createRequest, { params: { id: album.id }, body: { title: 'Party', show: 'none' } });
const ofAlbum = { params: { id: album.id } };
const ofLink = { params: { id: album.id, request: request.id } };
const from = (sender: string) => ({ 'x-sender': `${sender}-0123456789abcdef` });
const upload = (fields: Record<string, string>, name?: string) => uploadImage(service, token, tinyPng(++number), fields, name);

describe('what people write for others', () => {
  it.each<[string, string, () => Promise<unknown>]>([
    ['the name of an album', LINE, async () => (await bea.client.call(createAlbum, { body: { name: SENT } })).name],
    ['the new name of an album', LINE, async () => (await bea.client.call(changeAlbum, { ...ofAlbum, body: { name: SENT } })).name],
    [
      'the description of an album',
      PROSE,
      async () => (await bea.client.call(changeAlbum, { ...ofAlbum, body: { description: SENT } })).description,
    ],
    ['the title of an upload', LINE, async () => (await upload({ title: SENT })).title],
    ['the caption of an upload', PROSE, async () => (await upload({ caption: SENT })).caption],
    ['the alternative text of an upload', LINE, async () => (await upload({ alt: SENT })).alt],
    ['the name of an upload', LINE, async () => (await upload({ name: SENT })).name],
    ['the file name of an upload', 'Red gnp.é next.png', async () => (await upload({}, 'Red\u202e gnp.\u200be\u0301\u2028next.png')).name],
    ['the tags of an upload', LINE, async () => (await upload({ tags: SENT })).tags[0]],
    ['the name of a picture', LINE, async () => (await bea.client.call(updateImage, { params: image, body: { name: SENT } })).name],
    ['the title of a picture', LINE, async () => (await bea.client.call(updateImage, { params: image, body: { title: SENT } })).title],
    [
      'the caption of a picture',
      PROSE,
      async () => (await bea.client.call(updateImage, { params: image, body: { caption: SENT } })).caption,
    ],
    [
      'the alternative text of a picture',
      LINE,
      async () => (await bea.client.call(updateImage, { params: image, body: { alt: SENT } })).alt,
    ],
    ['the tags of a picture', LINE, async () => (await bea.client.call(updateImage, { params: image, body: { tags: [SENT] } })).tags[0]],
    [
      'the tags of many pictures',
      LINE,
      async () => {
        await bea.client.call(batchImages, { body: { action: 'tag', mode: 'set', keys: [image.key], tags: [SENT] } });
        const { data } = await rawRequest(`${service.url}/api/v1/tags`, { headers: { cookie: bea.cookie } });
        return (data.items as { tag: string }[]).find(({ tag }) => tag.startsWith('Red'))?.tag;
      },
    ],
    ['the name of a token', LINE, async () => (await bea.client.call(createToken, { body: { name: SENT, scope: 'upload' } })).name],
    ['the title of a request link', LINE, async () => (await bea.client.call(changeRequest, { ...ofLink, body: { title: SENT } })).title],
    [
      'the message of a request link',
      PROSE,
      async () => (await bea.client.call(changeRequest, { ...ofLink, body: { message: SENT } })).message,
    ],
    [
      'the name of a sender',
      LINE,
      async () => {
        await sendThrough(service.url, request.id, tinyPng(++number), { fields: { from: SENT }, headers: from('ann') });
        return (await bea.client.call(listRequestBatches, { ...ofLink, query: {} })).items[0]?.from;
      },
    ],
    [
      'the name that a sender gives afterwards',
      LINE,
      async () => {
        await sendThrough(service.url, request.id, tinyPng(++number), { headers: from('eve') });
        await createClient({ baseUrl: service.url }).call(finishSending, {
          params: { id: request.id },
          body: { from: SENT },
          headers: from('eve'),
        });
        return (await bea.client.call(listRequestBatches, { ...ofLink, query: {} })).items[0]?.from;
      },
    ],
    ['the name of the site', LINE, async () => (await owner.client.call(changeAdminSettings, { body: { site_name: SENT } })).site_name],
    [
      'the name of a group',
      LINE,
      async () => (await owner.client.call(createGroup, { body: { name: SENT, policy_ids: [1] } as never })).name,
    ],
    [
      'the name of a storage policy',
      LINE,
      async () =>
        (await owner.client.call(createPolicy, { body: { name: SENT, driver: 'local', folder: temporaryFolder() } as never })).name,
    ],
    [
      'the name of a webhook',
      LINE,
      async () =>
        (await owner.client.call(createWebhook, { body: { name: SENT, url: 'https://example.org/', events: ['image.created'] } })).name,
    ],
    ['the note of an invite', LINE, async () => (await owner.client.call(createInvite, { body: { note: SENT } })).note],
  ])('arrives clean: %s', async (_what, expected, read) => {
    expect(await read()).toBe(expected);
  });

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['an album', (name) => bea.client.call(createAlbum, { body: { name } })],
    ['a picture', (name) => bea.client.call(updateImage, { params: image, body: { name } })],
    ['a tag', (name) => bea.client.call(updateImage, { params: image, body: { tags: [name] } })],
    ['a token', (name) => bea.client.call(createToken, { body: { name, scope: 'upload' } })],
    ['a request link', (title) => bea.client.call(createRequest, { ...ofAlbum, body: { title, show: 'none' } })],
    ['the site', (site_name) => owner.client.call(changeAdminSettings, { body: { site_name } })],
  ])('isn’t empty where a name is needed: that of %s', async (_what, name) => {
    for (const text of ['\u200b\u202e', '\u3164', '\u001b[31m', ' \r\n\t', '\u2800'])
      await expect(name(text)).rejects.toMatchObject({ code: 'invalid_request', details: { problem: 'missing' } });
  });
});

describe('the name of a user', () => {
  const [CYRILLIC, MIXED] = ['аlice', '小明Алиса'];
  const body = { email: 'x@example.org', password: 'correct horse battery' };

  it.each<[string, (username: string) => Promise<unknown>]>([
    ['their own', (username) => bea.client.call(changeProfile, { body: { username } })],
    ['one that an administrator creates', (username) => owner.client.call(createUser, { body: { ...body, username } })],
  ])('is of one writing system: %s', async (_what, name) => {
    for (const username of [CYRILLIC, MIXED, 'a\u202eb', 'a\u200bb', 'a\nb', 'a\u001b[31mb'])
      await expect(name(username)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { field: 'username', problem: 'bad_username' },
      });
  });

  it('may be Chinese with Latin letters, and is found as it was typed', async () => {
    await bea.client.call(changeProfile, { body: { username: '小明Bea' } });
    expect((await owner.client.call(listUsers, { query: { q: '小明' } })).items).toMatchObject([{ username: '小明Bea' }]);
    expect((await logIn(service, '小明bea', USER_PASSWORD)).status).toBe(200);
  });
});
