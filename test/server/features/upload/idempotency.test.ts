import { describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { getLimits } from '#api/auth/user.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { batchImages, updateImage } from '#api/images/changes.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { startFaultyProxy } from '#test/helpers/network/faulty-proxy.ts';
import { startWebServer } from '#test/helpers/network/web-server.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();
const token = await owner.token('upload');

interface Sending {
  key?: string;
  fields?: Record<string, string>;
  as?: string | undefined;
  to?: string;
}

/** One upload with a key; the refusal or the image is `data`. */
async function send(bytes: Buffer, { key, fields = {}, as = token, to = service.url }: Sending = {}) {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return read(
    await fetch(`${to}/api/v1/upload`, {
      method: 'POST',
      headers: {
        connection: 'close',
        ...(as && { authorization: `Bearer ${as}` }),
        ...(key !== undefined && { [IDEMPOTENCY_HEADER]: key }),
      },
      body: form,
    }),
  );
}

async function read(response: Response) {
  const { message, data } = (await response.json()) as { message: string; data: Uploaded & { code?: string; field?: string } };
  return { status: response.status, message, data };
}

let seed = 7000;
const newJpeg = () => photoJpeg({ width: 40, height: 30, seed: seed++ });
/** How many pictures the service stores. */
const stored = () => withDatabase(service, async ({ read: rows }) => (await rows.selectFrom('images').select('id').execute()).length);

const LIMITED = { expires_in: '3600', max_views: '5', access_password: 'sesame', visibility: 'private' };

describe('a key of an upload', () => {
  it('returns the same picture again, with its links, whatever its limits', async () => {
    const bytes = await newJpeg();
    const first = await send(bytes, { key: 'first', fields: LIMITED });
    expect(first).toMatchObject({ status: 200, data: { reused: false, has_password: true, max_views: 5 } });
    expect(first.data.links.delete_url).toBeDefined();
    const used = (await owner.client.call(getLimits, {})).storage_used_bytes;
    const before = await stored();
    const again = await send(bytes, { key: 'first', fields: LIMITED });
    expect(again).toEqual({ ...first, data: { ...first.data, reused: true } });
    expect(await stored()).toBe(before);
    expect((await owner.client.call(getLimits, {})).storage_used_bytes).toBe(used);
    const other = await send(bytes, { key: 'second', fields: LIMITED });
    expect(other).toMatchObject({ status: 200, data: { reused: false } });
    expect(other.data.key).not.toBe(first.data.key);
  });

  it('announces the picture to webhooks once', async () => {
    const name = 'for the key';
    const deliveries = () =>
      withDatabase(service, async ({ read: rows }) => (await rows.selectFrom('webhook_deliveries').select('id').execute()).length);
    await withDatabase(service, (db) =>
      db
        .as('job')
        .write((queries) =>
          queries
            .insertInto('webhooks')
            .values({ name, url: 'http://127.0.0.1:9', events: '["image.created"]', secret: '', enabled: 1, created_at: 0 })
            .execute(),
        ),
    );
    const bytes = await newJpeg();
    await send(bytes, { key: 'event', fields: LIMITED });
    const announced = await deliveries();
    expect(announced).toBeGreaterThan(0);
    await send(bytes, { key: 'event', fields: LIMITED });
    expect(await deliveries()).toBe(announced);
    await withDatabase(service, (db) => db.as('job').write((queries) => queries.deleteFrom('webhooks').where('name', '=', name).execute()));
  });

  it.each([
    ['other bytes', { bytes: newJpeg, fields: LIMITED }],
    ['another expiry', { fields: { ...LIMITED, expires_in: '60' } }],
    ['another password', { fields: { ...LIMITED, access_password: 'barley' } }],
    ['no password', { fields: { ...LIMITED, access_password: '' } }],
    ['no options', { fields: {} }],
  ])('refuses %s, and stores nothing', async (what, { bytes, fields }: { bytes?: typeof newJpeg; fields: object }) => {
    const first = await newJpeg();
    const key = `taken: ${what}`;
    await send(first, { key, fields: LIMITED });
    const before = await stored();
    expect(await send((await bytes?.()) ?? first, { key, fields: fields as Record<string, string> })).toMatchObject({
      status: 409,
      data: { code: 'idempotency_conflict', retry: 'new_key' },
      message: expect.stringMatching(/new key/),
    });
    expect(await stored()).toBe(before);
  });

  it('returns the picture for an empty option, too', async () => {
    const bytes = await newJpeg();
    const first = await send(bytes, { key: 'empty', fields: LIMITED });
    expect(await send(bytes, { key: 'empty', fields: { ...LIMITED, album_id: '' } })).toMatchObject({ data: { key: first.data.key } });
  });

  it('is refused once the picture has another file, and valid again with the first one', async () => {
    const [bytes, others] = [await newJpeg(), await newJpeg()];
    const { data } = await send(bytes, { key: 'replaced' });
    const put = (file: Buffer) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(file)]), 'photo.jpg');
      return owner.fetch(`/api/v1/images/${data.key}/file`, { method: 'PUT', body: form });
    };
    expect((await put(others)).status).toBe(200);
    const before = await stored();
    expect(await send(bytes, { key: 'replaced' })).toMatchObject({ status: 409, data: { code: 'replaced', retry: 'new_key' } });
    expect(await send(others, { key: 'replaced' })).toMatchObject({ status: 409, data: { code: 'idempotency_conflict' } });
    expect(await stored()).toBe(before);
    expect((await put(bytes)).status).toBe(200);
    expect(await send(bytes, { key: 'replaced' })).toMatchObject({ status: 200, data: { key: data.key, sha256: data.sha256 } });
  });

  it('belongs to its account', async () => {
    const grace = await addUser(service, 'grace');
    const as = await grace.token('full');
    const bytes = await newJpeg();
    const first = await send(bytes, { key: 'shared' });
    const other = await send(bytes, { key: 'shared', as });
    expect(other).toMatchObject({ status: 200, data: { reused: false } });
    expect(other.data.key).not.toBe(first.data.key);
    expect((await send(bytes, { key: 'shared', as })).data.key).toBe(other.data.key);
  });

  it('makes one picture of simultaneous requests', async () => {
    const bytes = await newJpeg();
    const before = await stored();
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(bytes, { key: 'at-once', fields: LIMITED })));
    expect(sent.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(sent.map(({ data }) => data.key)).size).toBe(1);
    expect(sent.filter(({ data }) => !data.reused)).toHaveLength(1);
    expect(await stored()).toBe(before + 1);
  });

  it('finds the picture whose response was lost', async () => {
    await using proxy = await startFaultyProxy({ target: service.url, seed: 1, faults: { lostResponse: 1 } });
    const bytes = await newJpeg();
    const before = await stored();
    await expect(send(bytes, { key: 'lost', fields: LIMITED, to: proxy.url })).rejects.toThrow('fetch failed');
    expect(proxy.counts.lostResponse).toBe(1);
    expect(await stored()).toBe(before + 1);
    expect(await send(bytes, { key: 'lost', fields: LIMITED })).toMatchObject({ status: 200, data: { reused: true, max_views: 5 } });
    expect(await stored()).toBe(before + 1);
  });

  it('survives a restart', async () => {
    const bytes = await newJpeg();
    const first = await send(bytes, { key: 'durable', fields: LIMITED });
    await service.restart();
    expect(await send(bytes, { key: 'durable', fields: LIMITED })).toMatchObject({ data: { key: first.data.key, reused: true } });
  });

  it('reports that the picture has been deleted instead of storing it again', async () => {
    const bytes = await newJpeg();
    const { data: image } = await send(bytes, { key: 'deleted' });
    const before = await stored();
    const change = (action: 'trash' | 'restore' | 'purge') => owner.client.call(batchImages, { body: { action, keys: [image.key] } });
    const gone = { status: 410, data: { code: 'deleted', retry: 'new_key' }, message: expect.stringMatching(/new Idempotency-Key/) };
    await change('trash');
    expect(await send(bytes, { key: 'deleted' })).toMatchObject(gone);
    await change('restore');
    expect(await send(bytes, { key: 'deleted' })).toMatchObject({ status: 200, data: { key: image.key } });
    await change('purge');
    expect(await send(bytes, { key: 'deleted' })).toMatchObject(gone);
    expect(await stored()).toBe(before - 1);
    expect(await send(bytes, { key: 'undeleted' })).toMatchObject({ status: 200, data: { reused: false } });
  });

  it('is free again after a refusal', async () => {
    const bytes = await newJpeg();
    expect(await send(Buffer.from('no picture'), { key: 'failed' })).toMatchObject({ status: 415 });
    expect(await send(bytes, { key: 'failed', fields: { album_id: 'abcdefghij' } })).toMatchObject({ data: { code: 'album_not_found' } });
    expect(await send(bytes, { key: 'failed' })).toMatchObject({ status: 200, data: { reused: false } });
  });

  it('remembers a picture that was found by its content, which an upload token learns nothing about', async () => {
    const bytes = await newJpeg();
    const { data: image } = await send(bytes);
    expect(await send(bytes, { key: 'found' })).toMatchObject({ status: 200, data: { key: image.key, reused: true } });
    await owner.client.call(updateImage, { params: { key: image.key }, body: { visibility: 'private' } });
    const again = await send(bytes, { key: 'found' });
    expect(again).toMatchObject({ status: 200, data: { key: image.key, reused: true } });
    expect(again.data).not.toHaveProperty('visibility');
    expect(again.data.links.delete_url).toBeUndefined();
    const { data } = await send(bytes, { key: 'found', as: await owner.token('full') });
    expect(data).toMatchObject({ visibility: 'private', links: { delete_url: expect.any(String) } });
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(201)],
    ['with a tab', 'two\twords'],
    ['not ASCII', 'schlüssel'],
  ])('is refused if it is %s', async (_name, key) => {
    const before = await stored();
    expect(await send(await newJpeg(), { key })).toMatchObject({
      status: 400,
      data: { code: 'invalid_request', field: 'idempotency-key' },
      message: expect.stringContaining('1 to 200 printable ASCII characters'),
    });
    expect(await stored()).toBe(before);
  });

  it('can have 200 characters', async () => {
    const bytes = await newJpeg();
    const key = `~! "${'k'.repeat(196)}`;
    const { data } = await send(bytes, { key, fields: LIMITED });
    expect((await send(bytes, { key, fields: LIMITED })).data.key).toBe(data.key);
  });

  it('works for guests of the same address', async () => {
    await owner.client.call(changeAdminSettings, { body: { guest_upload_enabled: true } });
    await owner.client.call(changeGroup, { params: { id: '3' }, body: { uploads_per_minute: 0, uploads_per_hour: 0, uploads_per_day: 0 } });
    const bytes = await newJpeg();
    const first = await send(bytes, { key: 'guest', as: '' });
    expect(first).toMatchObject({ status: 200, data: { reused: false, visibility: 'public' } });
    expect(await send(bytes, { key: 'guest', as: '' })).toEqual({ ...first, data: { ...first.data, reused: true } });
    expect((await send(bytes, { key: 'another', as: '' })).data.key).not.toBe(first.data.key);
    expect(await send(await newJpeg(), { key: 'guest', as: '' })).toMatchObject({ status: 409 });
    const member = await send(bytes, { key: 'guest' });
    expect(member).toMatchObject({ status: 200, data: { reused: false } });
    await withDatabase(service, (db) =>
      db
        .as('job')
        .write((queries) => queries.updateTable('upload_keys').set({ network: '198.51.100.7' }).where('user_id', '=', 0).execute()),
    );
    expect((await send(bytes, { key: 'guest', as: '' })).data.key).not.toBe(first.data.key);
  });
});

describe('a key of an upload by URL', () => {
  it('fetches the picture once, and refuses another address', async () => {
    await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } });
    const bytes = await newJpeg();
    await using web = await startWebServer((_request, response) => void response.end(bytes));
    const fetchUrl = async (path: string, options = {}) =>
      read(
        await fetch(`${service.url}/api/v1/upload/url`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', [IDEMPOTENCY_HEADER]: 'from-the-web' },
          body: JSON.stringify({ url: `${web.url}${path}`, max_views: 3, ...options }),
        }),
      );
    const both = await Promise.all([fetchUrl('/a.jpg'), fetchUrl('/a.jpg')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0]?.data.key).toBe(both[1]?.data.key);
    expect(web.requests).toHaveLength(1);
    expect(await fetchUrl('/b.jpg')).toMatchObject({ status: 409, data: { code: 'idempotency_conflict' } });
    expect(await fetchUrl('/a.jpg', { max_views: 4 })).toMatchObject({ status: 409 });
    expect(web.requests).toHaveLength(1);
  });
});

it('describes the header in the OpenAPI document', async () => {
  const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
  for (const path of ['/api/v1/upload', '/api/v1/upload/url'])
    expect(document.paths[path].post.parameters).toContainEqual(
      expect.objectContaining({ name: 'Idempotency-Key', in: 'header', required: false }),
    );
});
