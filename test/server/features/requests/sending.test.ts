import { describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { changeUser, deleteUser, transferUser } from '#api/admin/users.ts';
import { deleteAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { getLimits } from '#api/auth/user.ts';
import { IDEMPOTENCY_HEADER, SENDER_HEADER } from '#api/constants.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import { getImage, listImages } from '#api/images/images.ts';
import { emptyTrash, listTrash, restoreTrash } from '#api/images/trash.ts';
import {
  changeRequest,
  createRequest,
  deleteRequest,
  getReceived,
  listRequestBatches,
  listRequests,
  type RequestLink,
} from '#api/sharing/requests.ts';
import { BATCH_PAUSE_MS, finishPausedSenders } from '#server/core/requests/sent-files.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { rawRequest } from '#test/helpers/network/raw-request.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { privateJpeg } from '#test/helpers/pictures/private-metadata.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { type AddedUser, addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { askForPictures, sendThrough, trySending } from '#test/helpers/service/requests.ts';

const { service, owner } = await startFileService();
const bea = await addUser(service, 'bea');
const cleo = await addUser(service, 'cleo');

/** The limits of videos in a new group. */
const VIDEOS = { max_video_bytes: 500 * 1024 ** 2, max_video_seconds: 600 };

let seed = 0;
const png = () => tinyPng(++seed);
const ofLink = ({ album_id, id }: RequestLink) => ({ params: { id: album_id, request: id } });
const send = (link: RequestLink, sending: Parameters<typeof sendThrough>[3] = {}, bytes: Uint8Array = png()) =>
  sendThrough(service.url, link.id, bytes, sending);
const from = (sender: string, key?: string): Record<string, string> => ({
  [SENDER_HEADER]: `${sender}-0123456789abcdef`,
  ...(key !== undefined && { [IDEMPOTENCY_HEADER]: key }),
});
const visit = (link: RequestLink, path = '', options: Parameters<typeof rawRequest>[1] = {}) =>
  rawRequest(`${service.url}/api/v1/r/${link.id}${path}`, options);
const imagesOf = async (user: AddedUser, album_id: string) =>
  (await user.client.call(listImages, { query: { album_id, limit: 200 } })).items;
const fileOf = (remove_url: unknown) => new URL(String(remove_url)).pathname.split('/').at(-1);
const GROUP = { params: { id: '2' } };

/** Everything that an upload could leave behind. */
const belongings = () =>
  withDatabase(service, async ({ read }) => ({
    images: (await read.selectFrom('images').select('id').execute()).length,
    blobs: (await read.selectFrom('blobs').select('sha256').where('unused_since', 'is', null).execute()).length,
    files: (await read.selectFrom('request_files').select('id').execute()).length,
    keys: (await read.selectFrom('upload_keys').select('id').execute()).length,
    used: (await read.selectFrom('users').select(['id', 'storage_used_bytes', 'image_count']).orderBy('id').execute()).slice(0, 2),
  }));

describe('a request link', () => {
  it('takes pictures from anyone into its album, private, and says nothing else about either', async () => {
    const link = await askForPictures(bea, { message: 'Please send\n\n\n\nyours' });
    expect(link).toMatchObject({ id: expect.stringMatching(/^[0-9A-Za-z]{22}$/), state: 'open', max_files: 100, max_bytes: 1024 ** 3 });
    expect(link.url).toBe(`${service.linkAddress}/r/${link.id}`);
    expect(Date.parse(link.expires_at) - Date.now()).toBeCloseTo(7 * 86_400_000, -5);
    expect((await visit(link)).data).toEqual({
      id: link.id,
      password_required: false,
      title: 'Party',
      message: 'Please send\n\nyours',
      show: 'none',
      accepts: { exts: expect.arrayContaining(['jpg', 'heic', 'mp4']), max_file_bytes: 50 * 1024 ** 2, ...VIDEOS },
      files_left: 100,
      bytes_left: 1024 ** 3,
      expires_at: link.expires_at,
    });
    // Even a visitor who is signed in sends as a stranger.
    const sent = await send(link, {
      fields: { from: ' Ann\u202e ', album_id: 'whatever12' },
      headers: { ...from('ann'), cookie: cleo.cookie },
    });
    expect(sent).toMatchObject({ status: 200, data: { name: 'photo.jpg' } });
    expect(Object.keys(sent.data).toSorted()).toEqual(['name', 'remove_until', 'remove_url', 'size']);
    const [image, ...others] = await imagesOf(bea, link.album_id);
    expect(others).toEqual([]);
    expect(image).toMatchObject({ visibility: 'private', size: sent.data.size, album_id: link.album_id });
    expect((await visit(link)).data).toMatchObject({ files_left: 99 });
    expect((await fetch(image?.links.url ?? '')).status).toBe(404);
    const { items } = await bea.client.call(listRequestBatches, { ...ofLink(link), query: {} });
    expect(items).toMatchObject([{ from: 'Ann', keys: [image?.key], complete: false, title: 'Party' }]);
  });

  it('never returns an existing picture, no matter whose it is', async () => {
    const link = await askForPictures(bea);
    const bytes = png();
    await send(link, { headers: from('one') }, bytes);
    await send(link, { headers: from('one') }, bytes);
    await send(link, { headers: from('two') }, bytes);
    expect(new Set((await imagesOf(bea, link.album_id)).map(({ key }) => key)).size).toBe(3);
  });

  it('always removes metadata, even where the storage policy keeps it', async () => {
    const link = await askForPictures(bea);
    const keep = (kept: 0 | 1) =>
      withDatabase(service, (db) =>
        db.as('job').write((queries) => queries.updateTable('policies').set({ keep_metadata: kept }).execute()),
      );
    await keep(1);
    const bytes = await privateJpeg();
    const sent = await send(link, {}, bytes);
    await keep(0);
    expect(sent.status).toBe(200);
    const [image] = await imagesOf(bea, link.album_id);
    const served = await contentOf(bea.fetch(new URL(image?.links.url ?? '').pathname));
    expect(served.length).toBeLessThan(bytes.length);
  });

  it('can’t be managed by other users', async () => {
    const link = await askForPictures(bea);
    const { params } = ofLink(link);
    const path = `/api/v1/albums/${params.id}/requests`;
    for (const stranger of [cleo, owner])
      for (const [method, address, body] of [
        ['GET', path, undefined],
        ['POST', path, { title: 'Mine', show: 'none' }],
        ['PATCH', `${path}/${link.id}`, { paused: true }],
        ['DELETE', `${path}/${link.id}`, undefined],
        ['GET', `${path}/${link.id}/received`, undefined],
      ] as const) {
        const response = await rawRequest(`${service.url}${address}`, { method, body, headers: { cookie: stranger.cookie } });
        expect([method, response.status]).toEqual([method, 404]);
        expect((await rawRequest(`${service.url}${address}`, { method, body })).status).toBe(401);
      }
    // Not through another album of one's own either.
    const { album_id } = await askForPictures(cleo);
    await expect(cleo.client.call(deleteRequest, { params: { id: album_id, request: link.id } })).rejects.toMatchObject({ status: 404 });
    expect((await bea.client.call(listRequests, { params: { id: params.id }, query: {} })).items).toEqual([link]);
    const changes = { title: 'New', message: '', max_files: 5, show: 'all', access_password: 'sesame' } as const;
    const { access_password: _, ...shown } = changes;
    expect(await bea.client.call(changeRequest, { ...ofLink(link), body: changes })).toMatchObject({ ...shown, has_password: true });
    expect(await bea.client.call(changeRequest, { ...ofLink(link), body: { expires_in: 0 } })).toMatchObject({ state: 'ended' });
    await bea.client.call(deleteRequest, ofLink(link));
    expect((await bea.client.call(listRequests, { params: { id: params.id }, query: {} })).items).toEqual([]);
  });
});

describe('a manager of a shared album', () => {
  it('asks for pictures of their own, and loses the link with the role', async () => {
    const own = await askForPictures(bea);
    const album = { params: { id: own.album_id } };
    const [mara, nils, vera] = [await addUser(service, 'mara'), await addUser(service, 'nils'), await addUser(service, 'vera')];
    const share = (username: string, role: 'manager' | 'viewer') => bea.client.call(putMember, { ...album, body: { username, role } });
    await share('mara', 'manager');
    await share('nils', 'manager');
    await share('vera', 'viewer');
    const body = { title: 'Hers', show: 'none' } as const;
    await expect(vera.client.call(createRequest, { ...album, body })).rejects.toMatchObject({ status: 403 });
    const link = await mara.client.call(createRequest, { ...album, body });
    const listedOnly = async (user: AddedUser) => (await user.client.call(listRequests, { ...album, query: {} })).items;
    const listed = async (user: AddedUser) => (await listedOnly(user)).map(({ id }) => id);
    expect([await listed(mara), await listed(nils), (await listed(bea)).sort()]).toEqual([[link.id], [], [link.id, own.id].sort()]);
    for (const [user, other] of [
      [nils, link],
      [mara, own],
    ] as const) {
      await expect(user.client.call(changeRequest, { ...ofLink(other), body: { paused: true } })).rejects.toMatchObject({ status: 404 });
      await expect(user.client.call(listRequestBatches, { ...ofLink(other), query: {} })).rejects.toMatchObject({ status: 404 });
      await expect(user.client.call(deleteRequest, ofLink(other))).rejects.toMatchObject({ status: 404 });
    }
    expect(await send(link)).toMatchObject({ status: 200 });
    expect([(await imagesOf(mara, own.album_id)).length, await imagesOf(bea, own.album_id)]).toEqual([1, []]);
    // What is sent costs the manager, so the album's owner may only stop it.
    const change = (user: AddedUser, body: object) => user.client.call(changeRequest, { ...ofLink(link), body });
    const changes = [
      { title: 'Theirs' },
      { message: 'Send more' },
      { max_files: 10_000 },
      { max_bytes: 1024 ** 4 },
      { access_password: null },
      { access_password: 'another one' },
      { show: 'all' },
      { expires_in: 3600 },
      { paused: false },
      { paused: true, show: 'all' },
      { expires_in: 0, max_files: 10_000 },
    ];
    for (const body of changes) await expect(change(bea, body)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    expect(await listedOnly(mara)).toEqual([{ ...link, file_count: 1, byte_count: expect.any(Number) }]);
    expect(await change(bea, { paused: true })).toMatchObject({ state: 'paused', own: false });
    expect(await change(mara, { paused: false })).toMatchObject({ state: 'open', own: true });
    expect(await change(bea, { expires_in: 0 })).toMatchObject({ state: 'ended' });
    expect(await change(mara, { expires_in: 3600, title: 'Still hers' })).toMatchObject({ state: 'open', title: 'Still hers' });
    await share('mara', 'viewer');
    expect(await send(link)).toMatchObject({ status: 410, data: { reason: 'paused' } });
    await bea.client.call(deleteRequest, ofLink(link));
    expect(await send(link)).toMatchObject({ status: 404 });
  });
});

describe('a picture is refused, and nothing is stored or revealed,', () => {
  const closed = (reason: string) => ({ status: 410, data: { code: 'request_closed', retry: 'never', reason } });
  const missing = { status: 404, data: { code: 'not_found', retry: 'never' } };

  it('when it isn’t one, is too large or not allowed, and when the form sets what senders can’t', async () => {
    const link = await askForPictures(bea, { max_bytes: 4_000 });
    const before = await belongings();
    const tries: [number, string, Uint8Array, object][] = [
      [415, 'ext_not_allowed', Buffer.from('%PDF-1.4 no picture'), {}],
      [415, 'ext_not_allowed', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'), {}],
      [400, 'damaged_image', Buffer.alloc(0), {}],
      [413, 'file_too_large', await photoJpeg({ width: 600, height: 400 }), {}],
      [400, 'invalid_request', png(), { fields: { slug: 'mine' } }],
      [400, 'invalid_request', png(), { fields: { albums: 'abcdefghij' } }],
      [400, 'invalid_request', png(), { fields: { from: 'x'.repeat(101) } }],
      [400, 'invalid_request', png(), { headers: { [SENDER_HEADER]: 'short' } }],
    ];
    for (const [status, code, bytes, sending] of tries) {
      const { data, ...reply } = await send(link, sending, bytes);
      expect({ status: reply.status, code: data.code }).toEqual({ status, code });
      expect(reply.message).toMatch(/\.$/);
      expect(JSON.stringify([data, reply])).not.toMatch(/Secret album|bea/);
    }
    // An administrator allows drawings to the owner, but nobody to senders.
    await owner.client.call(changeGroup, { ...GROUP, body: { allowed_exts: ['png', 'svg'] } });
    expect((await visit(link)).data.accepts).toEqual({ exts: ['png'], max_file_bytes: 50 * 1024 ** 2, ...VIDEOS });
    expect(await send(link, {}, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toMatchObject({
      status: 415,
    });
    await owner.client.call(changeGroup, { ...GROUP, body: { max_file_bytes: 100, allowed_exts: ['jpg', 'png'] } });
    expect(await send(link, {}, await photoJpeg())).toMatchObject({ status: 413, data: { code: 'file_too_large', max_bytes: 100 } });
    await owner.client.call(changeGroup, { ...GROUP, body: { max_file_bytes: 50 * 1024 ** 2 } });
    expect(await belongings()).toEqual(before);
  });

  it('when the link is paused, has ended, is full, switched off or deleted, or its owner is out of space', async () => {
    const link = await askForPictures(bea, { max_files: 1 });
    const change = (body: object) => bea.client.call(changeRequest, { ...ofLink(link), body });
    async function expectRefusal(expected: object) {
      const before = await belongings();
      const reply = await send(link);
      expect(reply).toMatchObject(expected);
      expect(reply.message).toMatch(/\.$/);
      expect(JSON.stringify(reply)).not.toMatch(/Secret album|bea|max_bytes/);
      expect(await belongings()).toEqual(before);
      expect(await visit(link)).toMatchObject(expected);
      const page = await fetch(`${service.url}/r/${link.id}`);
      expect([page.status, (await page.text()).includes('Party')]).toEqual([(expected as { status: number }).status, false]);
    }
    await change({ paused: true });
    await expectRefusal(closed('paused'));
    await change({ paused: false, expires_in: 0 });
    await expectRefusal(closed('ended'));
    await change({ expires_in: 3600 });
    await owner.client.call(changeAdminSettings, { body: { request_links_enabled: false } });
    await expectRefusal(closed('paused'));
    await expect(askForPictures(bea)).rejects.toMatchObject({ status: 403 });
    await owner.client.call(changeAdminSettings, { body: { request_links_enabled: true } });
    // A quota of 0 would be none.
    await send(await askForPictures(bea));
    const { storage_used_bytes } = await bea.client.call(getLimits, {});
    await owner.client.call(changeGroup, { ...GROUP, body: { storage_quota_bytes: storage_used_bytes } });
    await expectRefusal(closed('quota'));
    // Too little space for this picture only: the sender learns no figure.
    await owner.client.call(changeGroup, { ...GROUP, body: { storage_quota_bytes: storage_used_bytes + 10 } });
    const before = await belongings();
    const { status, data } = await send(link);
    expect([status, data]).toEqual([410, { code: 'request_closed', retry: 'never', reason: 'quota' }]);
    expect(await belongings()).toEqual(before);
    await owner.client.call(changeGroup, { ...GROUP, body: { storage_quota_bytes: 20 * 1024 ** 3 } });
    expect(await send(link)).toMatchObject({ status: 200 });
    await expectRefusal(closed('full'));
    await bea.client.call(deleteRequest, ofLink(link));
    await expectRefusal(missing);
    expect(await send({ ...link, id: '../../images' })).toMatchObject({ status: 404 });
  });

  it('when the link or its album is deleted, or its owner is disabled, while the picture is arriving', async () => {
    const dora = await addUser(service, 'dora');
    const endings: [object, (link: RequestLink) => Promise<unknown>][] = [
      [missing, (link) => dora.client.call(deleteRequest, ofLink(link))],
      [closed('paused'), (link) => dora.client.call(changeRequest, { ...ofLink(link), body: { paused: true } })],
      [missing, ({ album_id }) => dora.client.call(deleteAlbum, { params: { id: album_id }, query: {} })],
      [closed('paused'), () => owner.client.call(changeUser, { params: { id: dora.id }, body: { disabled: true } })],
    ];
    const links: RequestLink[] = [];
    for (const _ of endings) links.push(await askForPictures(dora));
    const before = await belongings();
    for (const [index, [expected, end]] of endings.entries()) {
      const link = links[index] as RequestLink;
      const reply = await send(link, { headers: from('ann', 'a key'), meanwhile: () => end(link) });
      expect(reply).toMatchObject(expected);
      expect(JSON.stringify(reply)).not.toMatch(/Secret album|dora/);
    }
    expect(await belongings()).toEqual(before);
    // Disabling pauses all links until their owner resumes them; deleting the account ends them.
    await owner.client.call(changeUser, { params: { id: dora.id }, body: { disabled: false } });
    expect(await visit(links[3] as RequestLink)).toMatchObject(closed('paused'));
    await owner.client.call(deleteUser, { params: { id: dora.id }, query: {} });
    expect(await visit(links[3] as RequestLink)).toMatchObject(missing);
  });

  it('once the album belongs to another account, until its new owner resumes the link', async () => {
    const [fay, gus] = [await addUser(service, 'fay'), await addUser(service, 'gus')];
    const link = await askForPictures(fay);
    await owner.client.call(transferUser, { params: { id: fay.id }, body: { to_user_id: gus.id } });
    expect(await send(link)).toMatchObject(closed('paused'));
    await gus.client.call(changeRequest, { ...ofLink(link), body: { paused: false } });
    expect(await send(link)).toMatchObject({ status: 200 });
    expect([(await imagesOf(gus, link.album_id)).length, await imagesOf(fay, link.album_id)]).toEqual([1, []]);
  });

  it('until the password has been entered, which is all that can be learned before', async () => {
    const link = await askForPictures(bea, { access_password: 'open sesame', show: 'all' });
    expect((await visit(link)).data).toEqual({ id: link.id, password_required: true });
    const before = await belongings();
    const locked = { status: 401, data: { code: 'password_required' } };
    expect(await send(link)).toMatchObject(locked);
    expect(await visit(link, '/pictures')).toMatchObject(locked);
    const enter = (password: string) => visit(link, '/unlock', { method: 'POST', body: { password } });
    expect(await enter('open')).toMatchObject({ status: 401, code: 'wrong_password' });
    expect(await belongings()).toEqual(before);
    const opened = await enter('open sesame');
    expect(opened.data).toMatchObject({ title: 'Party', files_left: 100 });
    const cookie = opened.setCookies[0]?.split(';')[0] ?? '';
    const other = await askForPictures(bea, { access_password: 'open sesame' });
    expect(await send(other, { headers: { cookie } })).toMatchObject(locked);
    expect(await send(link, { headers: { cookie } })).toMatchObject({ status: 200 });
    // Closed or not isn't told before the password either.
    await bea.client.call(changeRequest, { ...ofLink(link), body: { paused: true } });
    expect((await visit(link)).data).toEqual({ id: link.id, password_required: true });
    // Only that it has ended: the password would open nothing.
    await bea.client.call(changeRequest, { ...ofLink(link), body: { paused: false, expires_in: 0 } });
    for (const reply of [await visit(link), await enter('open'), await enter('open sesame')])
      expect([reply.status, reply.data]).toMatchObject([410, { code: 'request_closed', reason: 'ended' }]);
    expect(JSON.stringify((await visit(link)).data)).not.toContain('Party');
    await bea.client.call(changeRequest, { ...ofLink(link), body: { expires_in: 3600 } });
    // A new password locks out those who had the former one.
    await bea.client.call(changeRequest, { ...ofLink(link), body: { paused: false, access_password: 'another one' } });
    expect(await send(link, { headers: { cookie } })).toMatchObject(locked);
  });

  it('beyond 60 a minute from one address, without using up the rates of the owner’s group', async () => {
    await owner.client.call(changeGroup, { ...GROUP, body: { uploads_per_minute: 1 } });
    const link = await askForPictures(bea);
    const localAddress = '127.0.0.90';
    for (let sent = 0; sent < 60; sent++) expect((await send(link, { localAddress }, Buffer.from('x'))).status).toBe(415);
    const refused = await send(link, { localAddress });
    expect(refused).toMatchObject({ status: 429, data: { code: 'rate_limited', retry_after: expect.any(Number) } });
    expect(await send(link, { localAddress: '127.0.0.91' })).toMatchObject({ status: 200 });
    await owner.client.call(changeGroup, { ...GROUP, body: { uploads_per_minute: 600 } });
  });
});

describe('a sender', () => {
  it('can repeat an upload with its key, even the last one of a link, and nobody else can', async () => {
    const link = await askForPictures(bea, { max_files: 1 });
    const bytes = png();
    const first = await send(link, { headers: from('ann', 'k') }, bytes);
    expect(first.status).toBe(200);
    expect(await send(link, { headers: from('ann', 'k') }, bytes)).toEqual(first);
    expect(await send(link, { headers: from('eve', 'k') }, bytes)).toMatchObject({ status: 409, data: { code: 'idempotency_conflict' } });
    expect(await send(link, { headers: from('ann', 'other') }, bytes)).toMatchObject({ status: 410 });
    // Keys of one link mean nothing to another, nor to the account.
    const other = await askForPictures(bea);
    expect(await send(other, { headers: from('eve', 'k') }, png())).toMatchObject({ status: 200 });
    expect(await imagesOf(bea, link.album_id)).toHaveLength(1);
  });

  it('can remove what they sent for a day, and nothing of others', async () => {
    const link = await askForPictures(bea);
    const [mine, second] = [await send(link, { headers: from('ann') }), await send(link, { headers: from('ann') })];
    const file = fileOf(mine.data.remove_url);
    const remove = (sender: Record<string, string>, of = file) =>
      visit(link, `/remove/${of}`, { method: 'POST', body: {}, headers: sender });
    for (const headers of [from('eve'), {}, { cookie: cleo.cookie }]) {
      expect(await remove(headers)).toMatchObject({ status: 404 });
      expect(await visit(link, `/remove/${file}`, { headers })).toMatchObject({ status: 404 });
    }
    // A GET removes nothing.
    expect((await visit(link, `/remove/${file}`, { headers: from('ann') })).data).toEqual(mine.data);
    expect(await imagesOf(bea, link.album_id)).toHaveLength(2);
    const removals = await Promise.all([remove(from('ann')), remove(from('ann')), remove(from('ann'))]);
    expect(removals.map(({ status }) => status).toSorted()).toEqual([200, 404, 404]);
    expect((await bea.client.call(listTrash, { query: {} })).items).toMatchObject([{ name: 'photo.jpg', reason: 'removed' }]);
    // Nor one that its owner has replaced or deleted, one that was sent without a secret, or after a day.
    const [left] = await imagesOf(bea, link.album_id);
    await bea.client.call(batchImages, { body: { action: 'trash', keys: [left?.key ?? ''] } });
    expect(await remove(from('ann'), fileOf(second.data.remove_url))).toMatchObject({ status: 404 });
    expect(await send(link)).toMatchObject({ status: 200, data: { remove_url: null, remove_until: null } });
    const late = await askForPictures(bea);
    const old = await send(late, { headers: from('ann') });
    await withDatabase(service, (db) =>
      db.as('job').write((queries) =>
        queries
          .updateTable('request_files')
          .set({ sent_at: Date.now() - 86_400_001 })
          .execute(),
      ),
    );
    expect((await visit(late, `/remove/${fileOf(old.data.remove_url)}`, { method: 'POST', body: {}, headers: from('ann') })).status).toBe(
      404,
    );
  });

  it('can remove a picture again that its owner has restored, which takes asking for it explicitly', async () => {
    const dan = await addUser(service, 'dan');
    const link = await askForPictures(dan, { max_files: 2 });
    const [mine, other] = [await send(link, { headers: from('ann'), fields: { from: 'Ann' } }), await send(link, { headers: from('ann') })];
    const total = Number(mine.data.size) + Number(other.data.size);
    const own = async (sender = 'ann') => (await visit(link, '/remove', { headers: from(sender) })).data.items;
    expect([await own(), await own('eve'), (await visit(link, '/remove')).data.items]).toEqual([[other.data, mine.data], [], []]);
    const file = fileOf(mine.data.remove_url);
    const remove = async () => (await visit(link, `/remove/${file}`, { method: 'POST', body: {}, headers: from('ann') })).status;
    expect([await remove(), await remove()]).toEqual([200, 404]);
    expect(await own()).toEqual([other.data]);
    const trash = async () => (await dan.client.call(listImages, { query: { trash: 'true' } })).items;
    const [removed] = await trash();
    const key = removed?.key ?? '';
    expect(removed).toMatchObject({ removed_by_sender: true, sent_by: 'Ann' });
    // What the owner has deleted is restored without it.
    const kept = (await imagesOf(dan, link.album_id))[0]?.key ?? '';
    await dan.client.call(batchImages, { body: { action: 'trash', keys: [kept] } });
    const restore = (body: object) => dan.client.call(restoreTrash, { body });
    expect(await restore({ query: {} })).toEqual({ results: [], processed: 1, failed: 1, left_out: 1 });
    expect(await restore({ keys: [key, kept] })).toMatchObject({
      results: [
        { key, ok: false, code: 'removed_by_sender' },
        { key: kept, ok: false },
      ],
      left_out: 1,
    });
    expect(await dan.client.call(batchImages, { body: { action: 'restore', keys: [key] } })).toMatchObject({ processed: 0, failed: 1 });
    expect(await restore({ keys: [key], include_removed: true })).toMatchObject({ processed: 1, failed: 0 });
    expect(await trash()).toEqual([]);
    // It has kept its place.
    const listed = async () => (await dan.client.call(listRequests, { params: { id: link.album_id }, query: {} })).items[0];
    expect(await listed()).toMatchObject({ file_count: 2, byte_count: total, state: 'full' });
    expect(await own()).toEqual([other.data, mine.data]);
    expect((await dan.client.call(getImage, { params: { key } })).sent_by).toBe('Ann');
    expect([await remove(), (await listed())?.file_count, (await trash()).length]).toEqual([200, 2, 1]);
  });

  it('sends no more pictures than the link takes by removing them again, until the trash is emptied', async () => {
    const dinah = await addUser(service, 'dinah');
    const link = await askForPictures(dinah, { max_files: 2 });
    const remove = (file: unknown) => visit(link, `/remove/${fileOf(file)}`, { method: 'POST', body: {}, headers: from('ann') });
    const listed = async () => (await dinah.client.call(listRequests, { params: { id: link.album_id }, query: {} })).items[0];
    const own = await send(link, { headers: from('ann') });
    expect((await remove(own.data.remove_url)).status).toBe(200);
    const second = await send(link, { headers: from('ann') });
    expect(second.status).toBe(200);
    const full = { status: 410, data: { code: 'request_closed', reason: 'full' } };
    expect(await send(link, { headers: from('ann') })).toMatchObject(full);
    expect((await remove(second.data.remove_url)).status).toBe(200);
    expect(await send(link, { headers: from('ann') })).toMatchObject(full);
    expect(await listed()).toMatchObject({ file_count: 2, byte_count: Number(own.data.size) + Number(second.data.size), state: 'full' });
    // What its owner deletes keeps counting, so that emptying an album reopens no link; what its sender removed doesn't.
    const [key = ''] = (await dinah.client.call(listTrash, { query: {} })).items.map((image) => image.key);
    await dinah.client.call(restoreTrash, { body: { keys: [key], include_removed: true } });
    await dinah.client.call(batchImages, { body: { action: 'trash', keys: [key] } });
    expect(await dinah.client.call(emptyTrash, {})).toMatchObject({ purged: 2 });
    expect(await listed()).toMatchObject({ file_count: 1, state: 'open' });
    expect([(await send(link, { headers: from('ann') })).status, (await send(link, { headers: from('ann') })).status]).toEqual([200, 410]);
  });

  it('may try to remove 60 pictures a minute from one address', async () => {
    const link = await askForPictures(bea);
    const remove = (localAddress: string) =>
      visit(link, `/remove/${'x'.repeat(22)}`, { method: 'POST', body: {}, headers: from('ann'), localAddress });
    for (let tried = 0; tried < 60; tried++) expect((await remove('127.0.0.92')).status).toBe(404);
    expect(await remove('127.0.0.92')).toMatchObject({ status: 429, data: { code: 'rate_limited' } });
    expect((await remove('127.0.0.93')).status).toBe(404);
  });

  it('without a secret is nobody: what they sent is removed, shown as their own and named by no other without one', async () => {
    const link = await askForPictures(bea, { show: 'all' });
    for (const name of ['one.png', 'two.png']) await send(link, { name, fields: { from: name } });
    const shown = (await visit(link, '/pictures')).data.items as { id: string; own: boolean; name: string | null }[];
    expect(shown).toMatchObject([
      { own: false, name: null },
      { own: false, name: null },
    ]);
    for (const { id } of shown) {
      expect(await visit(link, `/remove/${id}`)).toMatchObject({ status: 404 });
      expect(await visit(link, `/remove/${id}`, { method: 'POST', body: {} })).toMatchObject({ status: 404 });
    }
    expect((await visit(link, '/remove')).data).toEqual({ items: [] });
    // Nor do they rename or complete each other's.
    expect((await visit(link, '/done', { method: 'POST', body: { from: 'Eve' } })).data).toEqual({ count: 0 });
    const { items } = await bea.client.call(listRequestBatches, { ...ofLink(link), query: {} });
    expect(items.map((batch) => [batch.from, batch.keys.length, batch.complete])).toEqual([
      ['two.png', 1, false],
      ['one.png', 1, false],
    ]);
    await bea.client.call(changeRequest, { ...ofLink(link), body: { show: 'own' } });
    expect((await visit(link, '/pictures')).data.items).toEqual([]);
    expect(await imagesOf(bea, link.album_id)).toHaveLength(2);
  });

  it('sees as much of what was sent as the link shows, and nothing of the rest', async () => {
    const link = await askForPictures(bea, { show: 'own' });
    await send(link, { headers: from('ann'), name: 'mine.png' });
    await send(link, { headers: from('eve'), name: 'hers.png' });
    const shown = async (sender: Record<string, string>) =>
      ((await visit(link, '/pictures', { headers: sender })).data.items ?? []) as { own: boolean; name: string; thumbnail_url: string }[];
    const [own, ...rest] = await shown(from('ann'));
    expect([own, rest]).toMatchObject([{ own: true, name: 'mine.png' }, []]);
    expect(await shown({})).toEqual([]);
    const thumbnail = (headers: Record<string, string> = {}) => fetch(`${service.url}${own?.thumbnail_url}`, { headers });
    const open = await thumbnail(from('ann'));
    expect([open.status, open.headers.get('content-type'), open.headers.get('cache-control')]).toEqual([200, 'image/jpeg', 'no-store']);
    for (const headers of [from('eve'), {}, { cookie: cleo.cookie }]) expect((await thumbnail(headers)).status).toBe(404);
    await bea.client.call(changeRequest, { ...ofLink(link), body: { show: 'all' } });
    expect(await shown(from('eve'))).toMatchObject([
      { own: true, name: 'hers.png' },
      { own: false, name: null },
    ]);
    expect((await thumbnail()).status).toBe(200);
    // Until its owner protects, limits, removes or deletes it.
    const { key = '' } = (await imagesOf(bea, link.album_id)).find(({ name }) => name === 'mine.png') ?? {};
    const change = (body: object) => bea.client.call(updateImage, { params: { key }, body });
    for (const [hide, restore] of [
      [{ access_password: 'sesame' }, { access_password: null }],
      [{ max_views: 3 }, { max_views: 0 }],
      [{ albums: [] }, { albums: [link.album_id] }],
    ] as const) {
      await change(hide);
      expect([hide, (await thumbnail()).status, (await shown({})).length]).toEqual([hide, 404, 1]);
      await change(restore);
    }
    expect((await thumbnail()).status).toBe(200);
    await bea.client.call(changeRequest, { ...ofLink(link), body: { paused: true } });
    expect([(await thumbnail()).status, (await visit(link, '/pictures')).status]).toEqual([410, 410]);
    expect([(await thumbnail(from('fay'))).status, (await visit(link, '/pictures', { headers: from('fay') })).status]).toEqual([410, 410]);
    // Those who have sent some keep seeing their own, and what they were asked for.
    for (const closing of [{ paused: true }, { paused: false, expires_in: 0 }]) {
      await bea.client.call(changeRequest, { ...ofLink(link), body: closing });
      expect([(await shown(from('ann'))).length, (await shown(from('eve'))).length]).toEqual([1, 1]);
      expect([(await thumbnail(from('ann'))).status, (await thumbnail(from('eve'))).status]).toEqual([200, 404]);
      const request = { title: 'Party', message: '' };
      expect((await visit(link, '', { headers: from('ann') })).data).toMatchObject({ code: 'request_closed', request });
      for (const headers of [{}, from('fay')]) expect((await visit(link, '', { headers })).data).not.toHaveProperty('request');
    }
    await bea.client.call(changeRequest, { ...ofLink(link), body: { expires_in: 3600, show: 'none' } });
    await bea.client.call(changeRequest, { ...ofLink(link), body: { paused: true } });
    expect((await visit(link, '/pictures', { headers: from('ann') })).status).toBe(410);
    await bea.client.call(changeRequest, { ...ofLink(link), body: { paused: false, show: 'none' } });
    expect([await shown(from('ann')), (await thumbnail(from('ann'))).status]).toEqual([[], 404]);
    expect((await bea.client.call(getImage, { params: { key } })).visibility).toBe('private');
  });
});

describe('the owner', () => {
  it('is told once of what each sender has sent, when they are done or pause', async () => {
    const link = await askForPictures(bea);
    await withDatabase(service, (db) =>
      db
        .as('job')
        .write((queries) =>
          queries
            .insertInto('webhooks')
            .values({ name: 'r', url: 'http://127.0.0.1:9', events: '["request.received"]', secret: '', enabled: 1, created_at: 0 })
            .execute(),
        ),
    );
    const events = () =>
      withDatabase(service, async ({ read }) => {
        const rows = await read
          .selectFrom('webhook_deliveries')
          .select('data')
          .where('type', '=', 'request.received')
          .orderBy('id')
          .execute();
        return rows.map(({ data }) => JSON.parse(data)).filter(({ id }) => id === link.id);
      });
    const done = (sender: string) => visit(link, '/done', { method: 'POST', body: {}, headers: from(sender) });
    for (const sender of ['ann', 'ann', 'eve']) await send(link, { headers: from(sender), fields: { from: sender } });
    expect((await done('ann')).data).toEqual({ count: 2 });
    expect((await done('ann')).data).toEqual({ count: 0 });
    const keys = (await imagesOf(bea, link.album_id)).map(({ key }) => key).toReversed();
    const about = { id: link.id, album_id: link.album_id, owner_id: bea.id };
    expect(await events()).toEqual([{ ...about, from: 'ann', keys: keys.slice(0, 2) }]);
    await withDatabase(service, async (db) => {
      expect(await finishPausedSenders(db.as('job'), Date.now())).toBe(0);
      while ((await finishPausedSenders(db.as('job'), Date.now() + BATCH_PAUSE_MS)) > 0);
    });
    expect((await events()).slice(1)).toEqual([{ ...about, from: 'eve', keys: keys.slice(2) }]);
    // What is sent later is a batch of its own; what is removed before is told of by nobody.
    const more = await send(link, { headers: from('ann') });
    await visit(link, `/remove/${fileOf(more.data.remove_url)}`, { method: 'POST', body: {}, headers: from('ann') });
    expect((await done('ann')).data).toEqual({ count: 0 });
    expect(await events()).toHaveLength(2);
    const { items } = await bea.client.call(listRequestBatches, { ...ofLink(link), query: {} });
    expect(items.map(({ from: name, keys: sent }) => [name, sent.length])).toEqual([
      ['', 0],
      ['eve', 1],
      ['ann', 2],
    ]);
    // A name that is given afterwards counts as well, for nobody else's pictures.
    await visit(link, '/done', { method: 'POST', body: { from: ' Ann\u202e ' }, headers: from('ann') });
    const named = (await bea.client.call(listRequestBatches, { ...ofLink(link), query: {} })).items;
    expect(named.map(({ from: name }) => name)).toEqual(['Ann', 'eve', 'Ann']);
    await send(link, { headers: from('fay') });
    await visit(link, '/done', { method: 'POST', body: { from: 'Fay' }, headers: from('fay') });
    expect((await events()).at(-1)).toMatchObject({ from: 'Fay' });
    const params = { batch: items[2]?.id ?? '' };
    expect(await bea.client.call(getReceived, { params })).toEqual({ ...items[2], from: 'Ann' });
    await expect(cleo.client.call(getReceived, { params })).rejects.toMatchObject({ status: 404 });
  });
});

it('takes exactly as many pictures as it allows from fifty senders at once, with retries after lost responses', async () => {
  const link = await askForPictures(bea, { max_files: 100 });
  async function sender(number: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let picture = 0; picture < 3; picture++) {
      const bytes = tinyPng(10_000 + number * 10 + picture);
      const sending = { headers: from(`sender-${number}`, `${number} ${picture}`), localAddress: `127.0.1.${number + 1}` };
      await trySending(service.url, link.id, bytes, { ...sending, lose: picture % 2 ? 'connection' : 'response' });
      statuses.push((await send(link, sending, bytes)).status);
    }
    return statuses;
  }
  const statuses = (await Promise.all(Array.from({ length: 50 }, (_, number) => sender(number)))).flat();
  expect([200, 410].map((one) => statuses.filter((status) => status === one).length)).toEqual([100, 50]);
  const images = await imagesOf(bea, link.album_id);
  expect([images.length, new Set(images.map(({ sha256 }) => sha256)).size]).toEqual([100, 100]);
  const { items } = await bea.client.call(listRequests, { params: { id: link.album_id }, query: {} });
  expect(items).toMatchObject([{ file_count: 100, state: 'full', byte_count: images.reduce((sum, { size }) => sum + size, 0) }]);
});
