import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Sqlite from 'better-sqlite3';
import { extract } from 'tar-stream';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { changeGroup } from '#api/admin/groups.ts';
import * as api from '#api/admin/policies.ts';
import { runCleanUp } from '#api/admin/system.ts';
import { MASKED_SECRET } from '#api/constants.ts';
import { batchImages } from '#api/images/changes.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { ageUnusedFiles } from '#test/helpers/service/data/unused-files.ts';
import { withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { startObjectStore } from '#test/helpers/service/stores/object-store.ts';

const store = await startObjectStore(afterAll);
const { service, owner } = await startFileService();
const token = await owner.token('full');
afterEach(() => store.intercept(undefined));

const { access } = store;
/** The same server under another name. */
const sameStore = access.endpoint.replace('127.0.0.1', 'localhost');
const create = (changes: Partial<typeof access> = {}, name = 'Bucket') =>
  owner.client.call(api.createPolicy, { body: { name, driver: 's3', config: { ...access, ...changes } } });
const policy = await create();
await owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids: [1, policy.id] } });

const MIB = 1024 * 1024;
let seed = 700;
const upload = async (fields: Record<string, string> = {}, bytes?: Buffer) =>
  uploadImage(service, token, bytes ?? (await photoJpeg({ seed: seed++, width: 300, height: 200 })), {
    policy_id: String(policy.id),
    ...fields,
  });
const keyOf = (sha256: string) => `pixdock/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
const inStore = (sha256: string) => fetch(`${access.endpoint}/${access.bucket}/${keyOf(sha256)}`);
const filesBelow = (path: string) => readdirSync(path, { recursive: true, encoding: 'utf8' });
const copies = () => readdirSync(join(service.dataDir, 'cache'));
const forgetCopies = async () => {
  await service.restart();
  for (const name of copies()) expect(name).toMatch(/^\d+-[0-9a-f]{64}$/);
};
const send = (path: string, init?: RequestInit) =>
  fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` }, ...init });

describe('a storage policy with a bucket', () => {
  it('shows how the bucket is reached, but never its secret, which is stored encrypted', async () => {
    expect(policy).toMatchObject({ driver: 's3', folder: null, config: { ...access, secret_access_key: MASKED_SECRET } });
    await create({ prefix: 'sealed', secret_access_key: 'S3RVER' }, 'Sealed');
    const audit = await owner.fetch('/api/v1/admin/audit');
    expect(await audit.text()).not.toContain('secret_access_key');
    const database = await withDatabase(service, async ({ read }) =>
      JSON.stringify([
        await read.selectFrom('policies').selectAll().execute(),
        await read.selectFrom('audit').selectAll().execute(),
        await read.selectFrom('settings').selectAll().execute(),
      ]),
    );
    expect(database).toContain('sealed_secret');
    expect(database).not.toContain('secret_access_key');
  });

  it('stores uploads in the bucket with their media type, and serves them with ranges and conditions', async () => {
    const image = await upload();
    const object = await inStore(image.sha256);
    expect([object.status, object.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const bytes = Buffer.from(await object.arrayBuffer());
    const path = new URL(image.links.url).pathname;
    const whole = await send(path);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await send(path, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
    expect((await send(path, { headers: { 'if-none-match': `"${image.sha256}"` } })).status).toBe(304);
    expect((await send(path, { method: 'HEAD' })).headers.get('content-length')).toBe(String(bytes.length));
    expect((await fetch(image.links.thumbnail_url)).headers.get('content-type')).toBe('image/jpeg');
  });

  it('stores SVG so that it is downloaded from the bucket, not displayed', async () => {
    await owner.client.call(changeGroup, { params: { id: '1' }, body: { allowed_exts: ['jpg', 'svg'] } });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>');
    const { headers } = await inStore((await upload({}, svg)).sha256);
    expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual(['application/octet-stream', 'attachment']);
  });

  it('checks access before it asks the bucket', async () => {
    const hidden = await upload({ visibility: 'private' });
    const locked = await upload({ access_password: 'open sesame' });
    const once = await upload({ max_views: '1' });
    await forgetCopies();
    expect((await fetch(hidden.links.url)).status).toBe(404);
    expect((await fetch(locked.links.url)).status).toBe(401);
    expect((await fetch(locked.links.url, { headers: { 'x-image-password': 'open sesame' } })).status).toBe(200);
    const url = `${service.url}/i/${once.key}.${once.ext}`;
    const first = await fetch(url, { headers: { range: 'bytes=0-9' } });
    expect([first.status, (await first.arrayBuffer()).byteLength]).toEqual([200, once.size]);
    expect((await fetch(url)).status).toBe(410);
  });

  it('keeps a replaced file until its version is deleted, and deletes objects with their pictures', async () => {
    const image = await upload();
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await photoJpeg({ seed: seed++ }))]), 'new.jpg');
    const replaced = await (await send(`/api/v1/images/${image.key}/file`, { method: 'PUT', body: form })).json();
    const { sha256 } = replaced.data;
    expect(sha256).not.toBe(image.sha256);
    expect((await (await fetch(image.links.url)).arrayBuffer()).byteLength).toBe(replaced.data.size);
    expect((await inStore(image.sha256)).status).toBe(200);
    await owner.client.call(batchImages, { body: { action: 'trash', keys: [image.key] } });
    expect((await fetch(image.links.url)).status).toBe(404);
    expect((await inStore(sha256)).status).toBe(200);
    await owner.client.call(runCleanUp, { body: { what: 'trash' } });
    await ageUnusedFiles(service);
    await owner.client.call(runCleanUp, { body: { what: 'unused' } });
    expect([(await inStore(image.sha256)).status, (await inStore(sha256)).status]).toEqual([404, 404]);
  });

  it('puts the pictures into backups, read from the bucket', async () => {
    const image = await upload();
    const archive = await owner.fetch('/api/v1/admin/backup/stream');
    const names: string[] = [];
    for await (const entry of Readable.fromWeb(archive.body as never).pipe(extract())) {
      names.push(entry.header.name);
      entry.resume();
    }
    expect(names).toContain(`blobs/${policy.id}/${image.sha256}`);
  });
});

describe('while the object store is down', () => {
  it('refuses uploads and pictures that it has no copy of for a while, leaves nothing behind, and stays healthy', async () => {
    const image = await upload();
    const before = [readdirSync(join(service.dataDir, 'tmp')), copies().length];
    store.fail(503, 'SlowDown');
    await expect(upload()).rejects.toMatchObject({ code: 'unavailable', details: { retry_after: 30 } });
    expect([readdirSync(join(service.dataDir, 'tmp')), copies().length]).toEqual(before);
    expect((await fetch(image.links.url)).status).toBe(200); // from its copy
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const system = await owner.fetch('/api/v1/admin/system');
    const { disks } = (await system.json()).data;
    expect(disks.map(({ policy: name, healthy }: { policy: string; healthy: boolean }) => [name, healthy])).toContainEqual([
      'Bucket',
      false,
    ]);
  });

  it.skipIf(onPostgres)('asks it once per clean-up, and deletes other storage policies', async () => {
    const images = [await upload(), await upload(), await upload()];
    const folder = join(service.dataDir, '..', `other-${policy.id}-${seed}`);
    const local = await owner.client.call(api.createPolicy, { body: { name: 'Local', folder } });
    await owner.client.call(batchImages, { body: { action: 'trash', keys: images.map(({ key }) => key) } });
    store.fail(503, 'SlowDown');
    store.requests.length = 0;
    await expect(owner.client.call(runCleanUp, { body: { what: 'trash' } })).rejects.toMatchObject({ code: 'unavailable' });
    expect(store.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
    await owner.client.call(api.deletePolicy, { params: { id: String(local.id) }, query: {} });
    store.intercept(undefined);
    await owner.client.call(runCleanUp, { body: { what: 'unused' } });
  });

  it('deletes a storage policy only if its unused files may stay there', async () => {
    const gone = await create({ prefix: 'gone' }, 'Gone');
    const params = { id: String(gone.id) };
    const allow = (...policy_ids: number[]) => owner.client.call(changeGroup, { params: { id: '1' }, body: { policy_ids } });
    await allow(1, policy.id, gone.id);
    const images = [await upload({ policy_id: params.id }), await upload({ policy_id: params.id })];
    const [first] = images as [Awaited<ReturnType<typeof upload>>];
    expect((await fetch(first.links.thumbnail_url)).status).toBe(200);
    const forget = () => owner.client.call(api.deletePolicy, { params, query: { forget_files: 'true' } });
    store.fail(503, 'SlowDown');
    await expect(forget()).rejects.toMatchObject({
      code: 'conflict',
      details: { problem: 'policy_in_use', subject: expect.stringMatching(/./) },
    });
    await allow(1, policy.id);
    await expect(forget()).rejects.toMatchObject({ code: 'conflict', details: { problem: 'policy_not_empty' } });
    await owner.client.call(batchImages, { body: { action: 'trash', keys: images.map(({ key }) => key) } });
    const cleaning = owner.client.call(runCleanUp, { body: { what: 'trash' } });
    if (onPostgres) expect(await cleaning).toMatchObject({ freed_bytes: 0 });
    else await expect(cleaning).rejects.toMatchObject({ code: 'unavailable' });
    const { items } = await owner.client.call(api.listPolicies, { query: {} });
    const bytes = images.reduce((sum, { size }) => sum + size, 0);
    expect(items.find(({ id }) => id === gone.id)?.unused).toEqual({ files: 2, bytes });
    await expect(owner.client.call(api.deletePolicy, { params, query: {} })).rejects.toMatchObject({ code: 'unavailable' });
    const derived = () => [...copies(), ...filesBelow(join(service.dataDir, 'thumbs'))].filter((name) => name.includes(`${gone.id}-`));
    expect(derived()).not.toEqual([]);
    await forget();
    expect(derived()).toEqual([]);
    store.intercept(undefined);
    for (const { sha256 } of images)
      expect((await fetch(`${access.endpoint}/${access.bucket}/${keyOf(sha256).replace('pixdock', 'gone')}`)).status).toBe(200);
    const audit = await (await owner.fetch('/api/v1/admin/audit?action=policy.deleted')).json();
    expect(audit.data.items[0]).toMatchObject({ target: 'Gone', details: { forgotten_files: 2, forgotten_bytes: bytes } });
    // What stays is marked: a new policy must not take it for its own.
    await expect(create({ prefix: 'gone' })).rejects.toMatchObject({ details: { problem: 'storage_not_empty' } });
    await owner.client.call(runCleanUp, { body: { what: 'unused' } });
  });

  it('removes later what an upload without a known outcome has left', async () => {
    let sent = '';
    store.intercept((request, response) => {
      if (request.method !== 'PUT') {
        response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
        return true;
      }
      sent = decodeURIComponent(new URL(request.url ?? '', 'http://store').pathname);
      // The object is stored, but the client never learns that.
      response.end = () => response.destroy();
      return false;
    });
    await expect(upload()).rejects.toMatchObject({ code: 'unavailable' });
    store.intercept(undefined);
    expect((await fetch(access.endpoint + sent)).status).toBe(200);
    await ageUnusedFiles(service);
    await owner.client.call(runCleanUp, { body: { what: 'unused' } });
    expect((await fetch(access.endpoint + sent)).status).toBe(404);
  });
});

describe('testing a connection', () => {
  const test = (changes: Partial<typeof access> = {}, policy_id?: number) =>
    owner.client.call(api.testPolicy, { body: { config: { ...access, prefix: 'new', ...changes }, ...(policy_id && { policy_id }) } });

  it('stores, reads and deletes an object', async () => {
    store.requests.length = 0;
    await test();
    expect(store.requests.filter((request) => /pixdock-test/.test(request)).map((request) => request.split(' ')[0])).toEqual([
      'PUT',
      'GET',
      'GET',
      'HEAD',
      'DELETE',
      'GET', // unfinished uploads of it
    ]);
  });

  it('uses the stored secret of a policy whose secret was not entered again', async () => {
    await test({ secret_access_key: MASKED_SECRET }, policy.id);
    await expect(test({ secret_access_key: MASKED_SECRET })).rejects.toMatchObject({ details: { field: 'config.secret_access_key' } });
  });

  it.each([
    [{ endpoint: 'http://127.0.0.1:1' }, 'storage_connection', 'endpoint'],
    [{ endpoint: 'http://no-such-host.invalid' }, 'storage_name', 'endpoint'],
    [{ endpoint: access.endpoint.replace('http:', 'https:') }, 'storage_certificate', 'endpoint'],
    [{ bucket: 'no-such-bucket' }, 'storage_bucket', 'bucket'],
    [{ access_key_id: 'unknown' }, 'storage_access_key', 'access_key_id'],
    [{ prefix: 'pixdock' }, 'storage_not_empty', 'prefix'],
  ])('names what is wrong with %j', async (changes, problem, field) => {
    const refused = { code: 'storage_unreachable', details: { problem, field: `config.${field}` } };
    await upload();
    await expect(test(changes)).rejects.toMatchObject(refused);
  });

  it.each([
    [403, 'AccessDenied', 'storage_denied_list'],
    [403, 'SignatureDoesNotMatch', 'storage_secret_key'],
    [400, 'AuthorizationHeaderMalformed', 'storage_region'],
    [403, 'RequestTimeTooSkewed', 'storage_clock'],
    [500, 'InternalError', 'storage_failed'],
    [404, '', 'storage_not_s3'],
  ])('names what an object store means by %i %s', async (status, code, problem) => {
    store.fail(status, code);
    await expect(test()).rejects.toMatchObject({ code: 'storage_unreachable', details: { problem } });
  });

  it.each([
    ['a web page', 200, '<!doctype html><title>Console</title>'],
    ['JSON', 200, '{"status":"ok"}'],
    ['nothing', 204, ''],
    ['a page instead of a code', 400, `<Error><Code>${'page '.repeat(100)}</Code></Error>`],
    ['a refusal as a page', 403, '<html><h1>Forbidden</h1></html>'],
    ['a list that never ends', 200, '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'],
  ])('reports that %s is not S3, in the test and for a new policy', async (_, status, body) => {
    store.intercept((request, response) => {
      request.resume();
      response.writeHead(status).end(body);
      return true;
    });
    const refused = { status: 400, code: 'storage_unreachable', details: { problem: 'storage_not_s3', field: 'config.endpoint' } };
    await expect(test()).rejects.toMatchObject(refused);
    await expect(create({ prefix: 'new' })).rejects.toMatchObject(refused);
  });

  it.each([200, 404])('reads only the start of a large page with the status %i', async (status) => {
    let sent = 0;
    const closed = new Promise<void>((resolve) =>
      store.intercept((_request, response) => {
        response.once('close', resolve).writeHead(status);
        Readable.from(
          (function* () {
            for (; sent < 60 * MIB; sent += MIB) yield Buffer.alloc(MIB, 'page ');
          })(),
        ).pipe(response);
        return true;
      }),
    );
    await expect(test()).rejects.toMatchObject({ details: { problem: 'storage_not_s3' } });
    await closed;
    expect(sent).toBeLessThan(20 * MIB); // what the connection's buffers hold
  });

  it('names the permission that an access key lacks', async () => {
    store.intercept((request, response) => {
      if (request.method !== 'PUT') return false;
      request.resume();
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return true;
    });
    await expect(test()).rejects.toMatchObject({ details: { problem: 'storage_denied_write' } });
  });
});

describe('the settings of a bucket', () => {
  it('are checked before they are stored, and the secret stays unless another is entered', async () => {
    const change = (config: object) => owner.client.call(api.changePolicy, { params: { id: String(policy.id) }, body: { config } });
    await expect(change({ access_key_id: 'unknown' })).rejects.toMatchObject({ code: 'storage_unreachable' });
    await change({ region: 'eu-central-1', secret_access_key: MASKED_SECRET });
    expect((await upload()).reused).toBe(false);
  });

  it('must name a place that no other policy uses', async () => {
    for (const prefix of ['pixdock', 'pixdock/inside', ''])
      await expect(create({ prefix })).rejects.toMatchObject({ details: { field: 'config.prefix', problem: 'storage_taken' } });
  });

  it('must lead to the place that the policy has, by whatever address', async () => {
    const other = await startObjectStore();
    const change = (id: number, endpoint: string) =>
      owner.client.call(api.changePolicy, { params: { id: String(id) }, body: { config: { endpoint } } });
    await expect(change(policy.id, other.access.endpoint)).rejects.toMatchObject({ details: { problem: 'storage_other' } });
    const second = await owner.client.call(api.createPolicy, {
      body: { name: 'Elsewhere', driver: 's3', config: { ...other.access, prefix: access.prefix } },
    });
    await expect(change(second.id, access.endpoint)).rejects.toMatchObject({ details: { problem: 'storage_taken' } });
    await expect(change(second.id, sameStore)).rejects.toMatchObject({ details: { problem: 'storage_other' } });
    await expect(create({ endpoint: sameStore, prefix: 'pixdock/inside' })).rejects.toMatchObject({
      details: { problem: 'storage_not_empty' },
    });
    await change(second.id, other.access.endpoint);
    await owner.client.call(api.deletePolicy, { params: { id: String(second.id) }, query: {} });
    await owner.client.call(api.createPolicy, { body: { name: 'Free again', driver: 's3', config: other.access } });
  });

  it.skipIf(onPostgres)('can be created again after another policy has been changed meanwhile', async () => {
    store.intercept(({ method, url }) => {
      if (method !== 'PUT' || !url?.includes('/meanwhile/.pixdock')) return false;
      store.intercept(undefined);
      const database = new Sqlite(join(service.dataDir, 'pixdock.db'));
      database.prepare(`update policies set config = json_set(config, '$.region', 'changed-meanwhile') where id = ?`).run(policy.id);
      database.close();
      return false;
    });
    await expect(create({ prefix: 'meanwhile' }, 'Meanwhile')).rejects.toMatchObject({ code: 'conflict' });
    await create({ prefix: 'meanwhile' }, 'Meanwhile');
  });

  it('keep both of two simultaneous changes', async () => {
    const change = (config: object) => owner.client.call(api.changePolicy, { params: { id: String(policy.id) }, body: { config } });
    const config = { region: 'eu-west-1', public_url: 'https://cdn.example.org' };
    await Promise.all([change({ region: config.region }), change({ public_url: config.public_url })]);
    expect(await change({})).toMatchObject({ config });
    await change({ region: 'us-east-1', public_url: null });
  });

  it.each([
    ['endpoint', 'ftp://example.org'],
    ['endpoint', 'https://name:word@example.org'],
    ['bucket', '../other'],
    ['prefix', '../other'],
    ['prefix', '/slash'],
    ['public_url', 'javascript:alert(1)'],
    ['public_url', `${service.url}/bucket`],
  ])('refuse an invalid %s: %s', async (field, value) => {
    await expect(create({ [field]: value })).rejects.toMatchObject({ code: 'invalid_request', details: { field: `config.${field}` } });
  });

  it('are refused where a policy has a folder', async () => {
    const folder = join(service.dataDir, '..', `folder-${policy.id}-${seed}`);
    const { id } = await owner.client.call(api.createPolicy, { body: { name: 'Folder', folder } });
    const change = owner.client.call(api.changePolicy, { params: { id: String(id) }, body: { config: { region: 'x' } } });
    await expect(change).rejects.toMatchObject({ details: { field: 'config' } });
  });
});

it('redirects public pictures to the address of a CDN, and no others', async () => {
  const shown = await upload();
  const hidden = await upload({ visibility: 'private' });
  const passing = await upload({ expires_in: '3600' });
  await owner.client.call(api.changePolicy, {
    params: { id: String(policy.id) },
    body: { config: { public_url: 'https://cdn.example.org/x/' } },
  });
  const get = (url: string, headers = {}) => fetch(url, { redirect: 'manual', headers });
  const redirect = await get(shown.links.url);
  expect([redirect.status, redirect.headers.get('location')]).toEqual([
    302,
    `https://cdn.example.org/x/${keyOf(shown.sha256).slice('pixdock/'.length)}`,
  ]);
  expect(redirect.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  expect((await get(`${shown.links.url}?download=1`)).status).toBe(200);
  expect((await get(passing.links.url)).status).toBe(200);
  expect((await get(hidden.links.url, { authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await get(hidden.links.url)).status).toBe(404);
});
