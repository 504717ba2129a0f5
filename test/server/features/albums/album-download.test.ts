import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { changeAlbum, createAlbum } from '#api/albums/albums.ts';
import { putMember } from '#api/albums/members.ts';
import { createDownloadRates } from '#server/features/albums/download-limits.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { image } from '#test/helpers/pictures/images.ts';
import { unzip } from '#test/helpers/pictures/zip.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { volatileLimits } from '#test/helpers/service/limits.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { dataOf, type Sharing, sendJson, startSharing } from '#test/helpers/service/sharing.ts';

let sharing: Sharing;
beforeAll(async () => {
  sharing = await startSharing();
});
afterAll(() => sharing[Symbol.asyncDispose]());

const create = async (fields: object = {}) =>
  sharing.bea.client.call(createAlbum, { body: { name: 'Sommer 夏', visibility: 'public' as const, ...fields } });
const addressOf = (id: string) => `${sharing.url}/api/v1/a/${id}/download`;
const download = (id: string, headers: Record<string, string> = {}) => fetch(addressOf(id), { headers });
const namesIn = async (response: Response) => [...(await unzip(Buffer.from(await response.arrayBuffer()))).keys()];

it('holds what the visitor could open one by one, under unique names; the rest is left out, and limited ones are counted', async () => {
  const { id } = await create();
  const fields = { album_id: id };
  const [, second] = [await sharing.upload(fields, 'same.jpg'), await sharing.upload(fields, 'SAME.jpg')];
  await sharing.upload({ ...fields, visibility: 'private' }, 'private.jpg');
  const locked = await sharing.upload({ ...fields, access_password: 'sesame' }, 'locked.jpg');
  await sharing.upload({ ...fields, max_views: '3' }, 'limited.jpg');
  await sharing.upload({ ...fields, max_views: '3', visibility: 'private' }, 'both.jpg');
  const usedUp = await sharing.upload({ ...fields, max_views: '1' }, 'used up.jpg');
  const expired = await sharing.upload(fields, 'expired.jpg');
  await sharing.alter(usedUp.key, { limited_views: 1 });
  await sharing.alter(expired.key, { expires_at: 1 });

  for (const headers of Object.values(sharing.strangers)) {
    const response = await download(id, headers);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain(`filename*=UTF-8''Sommer%20%E5%A4%8F.zip`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const files = await unzip(Buffer.from(await response.arrayBuffer()));
    expect([...files.keys()]).toEqual(['SAME.jpg', 'same (2).jpg']);
    expect(files.get('SAME.jpg')).toEqual(await contentOf(fetch(second.links.url)));
    expect(await dataOf(await fetch(`${sharing.url}/api/v1/a/${id}`, { headers }))).toMatchObject({ image_count: 2, limited_count: 1 });
  }
  const unlocked = await sendJson(`${sharing.url}/api/v1/s/${locked.key}/unlock`, 'POST', { password: 'sesame' });
  const cookie = unlocked.headers.getSetCookie()[0]?.split(';')[0] as string;
  expect((await namesIn(await download(id, { cookie }))).sort()).toEqual(['SAME.jpg', 'locked.jpg', 'same (2).jpg']);
  expect((await namesIn(await download(id, { cookie: sharing.bea.cookie }))).sort()).toEqual(
    ['SAME.jpg', 'locked.jpg', 'private.jpg', 'same (2).jpg'].sort(),
  );
});

it('holds the pictures of some keys, as far as the visitor can open them in the album', async () => {
  const { id } = await create();
  const [one, , closed, elsewhere] = [
    await sharing.upload({ album_id: id }, 'one.jpg'),
    await sharing.upload({ album_id: id }, 'two.jpg'),
    await sharing.upload({ album_id: id, visibility: 'private' }, 'closed.jpg'),
    await sharing.upload({}, 'elsewhere.jpg'),
  ];
  const some = (headers: Record<string, string> = {}) =>
    fetch(`${addressOf(id)}?keys=${[one, closed, elsewhere].map(({ key }) => key).join(',')}`, { headers });
  expect(await namesIn(await some())).toEqual(['one.jpg']);
  expect(await namesIn(await some({ cookie: sharing.bea.cookie }))).toEqual(['closed.jpg', 'one.jpg']);
});

it('is refused for private, locked and unknown albums, and where the owner forbids it', async () => {
  const [hidden, locked, kept] = [
    await create({ visibility: 'private' }),
    await create({ access_password: 'sesame' }),
    await create({ allow_download: false }),
  ];
  expect([hidden.allow_download, kept.allow_download]).toEqual([true, false]);
  for (const headers of Object.values(sharing.strangers)) {
    for (const [id, status, code] of [
      [hidden.id, 404, 'not_found'],
      ['AAAAAAAAAA', 404, 'not_found'],
      ['nonsense', 404, 'not_found'],
      [locked.id, 401, 'password_required'],
      [kept.id, 403, 'forbidden'],
    ] as const) {
      const response = await download(id, headers);
      expect([id, response.status, (await dataOf(response)).code]).toEqual([id, status, code]);
    }
    expect(await dataOf(await fetch(`${sharing.url}/api/v1/a/${kept.id}`, { headers }))).toMatchObject({ can_download: false });
  }
  const unlocked = await sendJson(`${sharing.url}/api/v1/a/${locked.id}/unlock`, 'POST', { password: 'sesame' });
  const cookie = unlocked.headers.getSetCookie()[0]?.split(';')[0] as string;
  expect((await download(locked.id, { cookie })).status).toBe(200);
  for (const headers of [...Object.values(sharing.owners), { cookie: sharing.admin.cookie }])
    for (const { id } of [hidden, locked, kept]) expect((await download(id, headers)).status).toBe(200);
  const allowed = await sharing.bea.client.call(changeAlbum, { params: { id: kept.id }, body: { allow_download: true } });
  expect([allowed.allow_download, (await download(kept.id)).status]).toEqual([true, 200]);
});

/** A zip that waits after its first picture, which is larger than the buffers on the way, until the client reads on. */
async function beginDownload(id: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const bytes = await image({ width: 2600, height: 2600 }).png({ compressionLevel: 0 }).toBuffer();
  await uploadImage(sharing.service, await sharing.bea.token('full'), bytes, { album_id: id }, 'large.png');
  return new Promise((resolve, reject) => {
    get(addressOf(id), { agent: false, headers }, resolve).on('error', reject);
  });
}

it('holds each picture as it is when its turn comes: none that was closed, and of a replaced one the new file', async () => {
  const { id } = await create();
  await sharing.upload({ album_id: id }, 'later.jpg');
  const closed = await sharing.upload({ album_id: id }, 'closed.jpg');
  const replaced = await sharing.upload({ album_id: id }, 'replaced.jpg');
  const response = await beginDownload(id);
  const { cookie } = sharing.bea;
  const change = await sendJson(`${sharing.url}/api/v1/images/${closed.key}`, 'PATCH', { visibility: 'private' }, { cookie });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await image({ width: 30, height: 20 }).png().toBuffer())]), 'covered.png');
  const replacement = await fetch(`${sharing.url}/api/v1/images/${replaced.key}/file`, { method: 'PUT', headers: { cookie }, body: form });
  expect([change.status, replacement.status]).toEqual([200, 200]);
  const files = await unzip(await buffer(response));
  expect([...files.keys()]).toEqual(['large.png', 'replaced.png', 'later.jpg']);
  const now = await fetch(replaced.links.url.replace('.jpg', '.png'));
  expect(files.get('replaced.png')).toEqual(Buffer.from(await now.arrayBuffer()));
});

it.each<[string, (id: string) => Promise<unknown>]>([
  ['its album is made private', (id) => sharing.bea.client.call(changeAlbum, { params: { id }, body: { visibility: 'private' } })],
  ['its owner forbids downloads', (id) => sharing.bea.client.call(changeAlbum, { params: { id }, body: { allow_download: false } })],
  ['the album gets a password', (id) => sharing.bea.client.call(changeAlbum, { params: { id }, body: { access_password: 'sesame' } })],
])('breaks off when %s', async (_when, close) => {
  const { id } = await create();
  await sharing.upload({ album_id: id }, 'later.jpg');
  const response = await beginDownload(id);
  await close(id);
  await expect(buffer(response)).rejects.toThrow('aborted');
});

it('breaks off when the member’s session ends', async () => {
  const { id } = await create({ visibility: 'private' });
  await sharing.upload({ album_id: id, visibility: 'private' }, 'later.jpg');
  await sharing.bea.client.call(putMember, { params: { id }, body: { username: 'cleo', role: 'viewer' } });
  const response = await beginDownload(id, { cookie: sharing.cleo.cookie });
  await withDatabase(sharing.service, (db) =>
    db.as('job').write((queries) => queries.deleteFrom('sessions').where('user_id', '=', sharing.cleo.id).execute()),
  );
  await expect(buffer(response)).rejects.toThrow('aborted');
});

it('sends only the head for HEAD', async () => {
  const { id } = await create();
  await sharing.upload({ album_id: id });
  const head = await fetch(addressOf(id), { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'application/zip', '']);
});

it('allows each visitor two at a time, and a limited number per hour', async () => {
  const rates = createDownloadRates(volatileLimits());
  const [first, second] = [await rates.begin('10.0.0.1'), await rates.begin('10.0.0.1')];
  await expect(rates.begin('10.0.0.1')).rejects.toMatchObject({ code: 'rate_limited', details: { retry_after: 30 } });
  (await rates.begin('10.0.0.2'))();
  first();
  (await rates.begin('10.0.0.1'))();
  second();
  for (let count = 3; count < 30; count += 1) (await rates.begin('10.0.0.1'))();
  await expect(rates.begin('10.0.0.1')).rejects.toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining('30 albums per hour'),
  });
  (await rates.begin('10.0.0.2'))();
});
