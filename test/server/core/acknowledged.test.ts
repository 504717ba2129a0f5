import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { changeAdminSettings } from '#api/admin/settings.ts';
import type { Uploaded } from '#api/images/upload.ts';
import { createWebhook } from '#api/webhooks.ts';
import { onChange } from '#server/core/journal/changes.ts';
import { webhookJobs } from '#server/features/webhooks/jobs.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { eio, fileHandles } from '#test/helpers/programs/file-handles.ts';
import { openTestContext, type TestContext } from '#test/helpers/service/data/context.ts';
import { onPostgres } from '#test/helpers/service/data/database.ts';
import { type SignedIn, setUp } from '#test/helpers/service/service.ts';

// What a power cut would take back isn't acknowledged: neither what a request has written, nor what it has only found (decision 159).

// PostgreSQL shows a commit only once it is flushed.
const skip = onPostgres;
let opened: TestContext;
let owner: SignedIn;

beforeEach(async () => {
  opened = await openTestContext();
  owner = await setUp({ url: opened.url, setupCode: opened.context.setupCode });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await opened.close();
  });
});

const send = (bytes: Uint8Array, headers: Record<string, string> = {}) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'picture.png');
  // Not with a token: noting its use would be the first commit.
  return fetch(`${opened.url}/api/v1/upload`, { method: 'POST', body: form, headers: { cookie: owner.cookie, ...headers } });
};
const images = async () => (await opened.context.db.read.selectFrom('images').select('id').execute()).length;

/** Holds back the next flush of the log. */
function holdFlush() {
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.spyOn(fileHandles(), 'datasync').mockReturnValueOnce(promise);
  return resolve;
}

it.skipIf(skip).each([
  ['the same bytes', {}],
  ['the same key', { 'idempotency-key': 'one' }],
])('is a repeat with %s only once the first commit is flushed', async (_what, headers) => {
  const endFlush = holdFlush();
  const first = send(tinyPng(1), headers);
  await expect.poll(images).toBe(1);
  const answered = vi.fn();
  const second = send(tinyPng(1), headers).then((response) => {
    answered();
    return response;
  });
  // Another request that has been answered since shows that the service has had the time.
  await owner.fetch('/api/v1/images');
  await owner.fetch('/api/v1/images');
  expect(answered).not.toHaveBeenCalled();
  endFlush();
  const [one, two] = await Promise.all([first, second]);
  expect([one.status, two.status, (await two.json()).data.reused]).toEqual([200, 200, true]);
});

it.skipIf(skip)('is a repeat after a failed flush only once that has been made up for', async () => {
  const { promise: isFlushed, resolve: endFlush } = Promise.withResolvers<void>();
  // Of the commit, and of the upload that looks whether it is in effect.
  const flush = vi
    .spyOn(fileHandles(), 'datasync')
    .mockRejectedValueOnce(eio())
    .mockRejectedValueOnce(eio())
    .mockReturnValueOnce(isFlushed);
  const failed = await send(tinyPng(2), { 'idempotency-key': 'two' });
  expect([failed.status, await images()]).toEqual([500, 1]);
  const answered = vi.fn();
  const again = send(tinyPng(2), { 'idempotency-key': 'two' }).finally(answered);
  await expect.poll(() => flush.mock.calls.length).toBe(3);
  await owner.fetch('/api/v1/images');
  expect(answered).not.toHaveBeenCalled();
  endFlush();
  expect((await again).status).toBe(200);
});

it.skipIf(skip)('isn’t what an earlier process has left in the log unflushed', async () => {
  const { dataDir } = opened.context.config;
  expect((await send(tinyPng(3))).status).toBe(200);
  await opened.close();
  // Stays open, as nothing that a killed process had open is closed in order.
  const earlier = new Sqlite(join(dataDir, 'pixdock.db'));
  onTestFinished(() => void earlier.close());
  earlier.pragma('synchronous = off');
  earlier.exec("insert into settings (name, value) values ('site_name', '\"Harbour\"')");
  vi.spyOn(fileHandles(), 'datasync').mockRejectedValueOnce(eio());
  await expect(openTestContext(dataDir)).rejects.toThrow('i/o error');
  opened = await openTestContext(dataDir);
  const repeat = await send(tinyPng(3));
  expect([repeat.status, (await repeat.json()).data.reused]).toEqual([200, true]);
});

it.skipIf(skip)('shows to nobody what was made private, even if that couldn’t be flushed', async () => {
  const { key, links } = (await (await send(tinyPng(4))).json()).data as Uploaded;
  expect((await fetch(links.url)).status).toBe(200);
  vi.spyOn(fileHandles(), 'datasync').mockRejectedValueOnce(eio());
  const changed = await owner.fetch(`/api/v1/images/${key}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ visibility: 'private' }),
  });
  expect([changed.status, (await fetch(links.url)).status]).toEqual([500, 404]);
});

it.skipIf(skip)('follows settings and policies as soon as they are committed, whatever becomes of the flush', async () => {
  const { context } = opened;
  const [policy] = await context.db.read.selectFrom('policies').select('id').execute();
  const id = policy?.id as number;
  const driver = await context.blobs.driverOf(id);
  expect((await context.policies.find(id)).name).not.toBe('Renamed');
  const first = Promise.withResolvers<void>();
  const flush = vi.spyOn(fileHandles(), 'datasync').mockReturnValueOnce(first.promise);
  const renamed = context.policies.write('start', (queries) => queries.updateTable('policies').set({ name: 'Renamed' }).execute());
  await expect.poll(async () => (await context.policies.find(id)).name).toBe('Renamed');
  expect(await context.blobs.driverOf(id)).not.toBe(driver);
  first.reject(eio());
  await expect(renamed).rejects.toThrow('i/o error');
  await context.db.as('job').write(async () => undefined); // makes up for it
  const second = Promise.withResolvers<void>();
  flush.mockReturnValueOnce(second.promise);
  const changed = owner.client.call(changeAdminSettings, { body: { site_name: 'Harbour' } });
  const shown = async () => (await (await fetch(`${opened.url}/api/v1/config`)).json()).data.site_name;
  await expect.poll(shown).toBe('Harbour');
  second.reject(eio());
  await expect(changed).rejects.toMatchObject({ status: 500 });
  expect(await shown()).toBe('Harbour');
});

it.skipIf(skip)('tells clients and webhooks of a commit only once it is flushed, if need be with a later one', async () => {
  const { context } = opened;
  await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } });
  await owner.client.call(createWebhook, { body: { name: 'hook', url: 'http://127.0.0.1:1/', events: ['image.created'] } });
  const [deliver] = webhookJobs({ ...context, db: context.db.as('job') }, () => Date.now());
  const told = vi.fn();
  onChange(context.db, told);
  vi.spyOn(fileHandles(), 'datasync').mockRejectedValue(eio());
  expect((await send(tinyPng(5))).status).toBe(500);
  expect(told).not.toHaveBeenCalled();
  const attempts = async () =>
    (await context.db.read.selectFrom('webhook_deliveries').select('attempts').executeTakeFirstOrThrow()).attempts;
  // What makes up for the failed flush fails, too.
  await expect(deliver?.run(new AbortController().signal)).rejects.toThrow('i/o error');
  expect(await attempts()).toBe(0);
  vi.restoreAllMocks();
  await deliver?.run(new AbortController().signal);
  expect([await attempts(), told.mock.calls.flat().map((change) => change?.kind)]).toEqual([1, ['image.created']]);
});
