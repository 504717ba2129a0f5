import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changeUser } from '#api/admin/users.ts';
import type { TokenScope } from '#api/auth/tokens.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

/** The value of a sample, such as `name{label="x"}`; undefined when there is none. */
function sample(text: string, name: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

// A bucket that is down doesn't count: another service couldn't reach it either.
it.skipIf(onPostgres)('is ready while its database and storage work', async () => {
  await using service = await startTestService();
  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, await ready.json(), ready.headers.get('cache-control')]).toEqual([
    200,
    { status: true, message: 'ok', data: {} },
    'no-store',
  ]);
  await rename(join(service.dataDir, 'blobs'), join(service.dataDir, 'gone'));
  const broken = await fetch(`${service.url}/readyz`);
  expect([broken.status, (await broken.json()).data.code]).toEqual([503, 'unavailable']);
  await rename(join(service.dataDir, 'gone'), join(service.dataDir, 'blobs'));
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});

it('responds to requests while it stops, until load balancers know', async () => {
  const service = await startTestService({ drainSeconds: 2 });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const began = performance.now();
  const stopped = service.stop();
  const ready = await fetch(`${service.url}/readyz`);
  expect(ready.status).toBe(503);
  const others = await Promise.all(['/healthz', '/api/v1/config'].map((path) => fetch(service.url + path)));
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  await stopped;
  expect(performance.now() - began).toBeGreaterThan(1_900);
  await expect(fetch(`${service.url}/healthz`)).rejects.toThrow('fetch failed');
});

it('counts requests, uploads, views and jobs for Prometheus', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const { links } = await uploadImage(service, await owner.token('upload'), tinyPng(1));
  for (const _from of ['disk', 'memory']) await (await fetch(links.url)).bytes();
  await fetch(`${service.url}/i/nothing.png`, { method: 'HEAD' });
  await fetch(`${service.url}/api/v1/images`);
  const response = await owner.fetch('/metrics');
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  expect(sample(text, 'pixdock_uploads_total')).toBe(1);
  expect(sample(text, 'pixdock_upload_bytes_total')).toBeGreaterThan(50);
  expect(sample(text, 'pixdock_views_total')).toBe(2);
  const requests = (labels: string) => sample(text, `pixdock_http_request_duration_seconds_count{${labels}}`);
  expect(requests('method="GET",route="/i/:key.:ext",status="2xx"')).toBe(2);
  expect(requests('method="HEAD",route="/i/:key.:ext",status="4xx"')).toBe(1);
  expect(requests('method="GET",route="/api/v1/images",status="4xx"')).toBe(1);
  expect(sample(text, 'pixdock_decoding{state="waiting"}')).toBe(0);
  expect(sample(text, 'pixdock_write_queue')).toBe(0);
  expect(sample(text, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  const { key } = /\/i\/(?<key>\w+)\./.exec(links.url)?.groups ?? {};
  expect(text).not.toContain(key);
  await expect.poll(async () => (await owner.fetch('/metrics')).text(), { timeout: 10_000 }).toMatch(/pixdock_job_runs_total\{job="/);
});

it('shows metrics to admins and their tokens only', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const second = await addUser(service, 'second');
  const status = async (headers: HeadersInit, path = '/metrics') => (await fetch(service.url + path, { headers })).status;
  const bearer = async (user: typeof owner, scope: TokenScope) => ({ authorization: `Bearer ${await user.token(scope)}` });
  for (const path of ['/metrics', '/api/v1/admin/metrics']) {
    expect(await status(await bearer(owner, 'full'), path)).toBe(200);
    expect(await status(await bearer(owner, 'metrics'), path)).toBe(200);
    expect(await status({ cookie: owner.cookie }, path)).toBe(200);
    expect(await status({}, path)).toBe(401);
    expect(await status(await bearer(owner, 'upload'), path)).toBe(403);
    expect(await status(await bearer(second, 'full'), path)).toBe(403);
    expect(await status({ cookie: second.cookie }, path)).toBe(403);
  }
  expect(await status(await bearer(owner, 'full'), '/api/v1/admin/system')).toBe(403);
});

it('lets a token for metrics do nothing else', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const token = await owner.token('metrics');
  const image = await uploadImage(service, await owner.token('upload'), tinyPng(2), { visibility: 'private' });
  await expect(uploadImage(service, token, tinyPng(3))).rejects.toMatchObject({ status: 403, code: 'forbidden' });
  const status = async (path: string, method = 'GET') =>
    (await fetch(service.url + path, { method, headers: { authorization: `Bearer ${token}` } })).status;
  for (const path of ['user/limits', 'user', 'images', 'user/tokens', 'admin/system', 'admin/users'])
    expect([path, await status(`/api/v1/${path}`)]).toEqual([path, 403]);
  expect(await status('/api/v1/upload/url', 'POST')).toBe(403);
  expect(await status(new URL(image.links.url).pathname)).toBe(404);
  expect(await status('/api/v1/config')).toBe(200);
});

it('gives tokens for metrics to admins only, and ends their access with the role', async () => {
  await using service = await startTestService();
  const owner = await setUp(service);
  const second = await addUser(service, 'second', 'admin');
  const token = await second.token('metrics');
  const read = async () => (await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await read()).toBe(200);
  await owner.client.call(changeUser, { params: { id: String(second.id) }, body: { role: 'user' } });
  expect(await read()).toBe(403);
  await expect(second.token('metrics')).rejects.toMatchObject({ status: 403, code: 'forbidden' });
});
