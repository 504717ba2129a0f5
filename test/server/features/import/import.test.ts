import { afterEach, describe, expect, it } from 'vitest';
import { listAudit } from '#api/admin/audit.ts';
import { continueImport, getImport, type ImportState, pauseImport, startImport, stopImport } from '#api/admin/imports.ts';
import { changeAdminSettings } from '#api/admin/settings.ts';
import { expectedOf, told } from '#test/cli/import/told.ts';
import { type Conduct, type Entry, madeUpLibrary, PRODUCTS, type Product, startFakeSource } from '#test/helpers/network/fake-sources.ts';
import { addUser } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';

const { service, owner } = await startFileService();
const TOKEN = 'user:secret';
let first = 61_000_000;

async function prepared(name: 'zipline' | 'slink' | 'lsky', count: number, conduct: Partial<Conduct> = {}) {
  first += 10_000;
  const admin = await addUser(service, `a${first}`, 'admin');
  const library = madeUpLibrary(count, first);
  const product = PRODUCTS[name] as Product;
  const source = await startFakeSource(product, library, { token: TOKEN, ...conduct });
  const start = (token = TOKEN) => admin.client.call(startImport, { body: { product: name, url: source.url, token } });
  return { admin, library, product, source, start, [Symbol.asyncDispose]: () => source[Symbol.asyncDispose]() };
}

const state = async () => (await owner.client.call(getImport, {})).import;
const until = async (wanted: NonNullable<ImportState>['state']) => {
  await expect.poll(async () => (await state())?.state, { timeout: 20_000, interval: 20 }).toBe(wanted);
  return state();
};
const stop = () => owner.client.call(stopImport, {});
afterEach(stop);

describe('an import by the service', () => {
  it.each(['zipline', 'slink'] as const)('brings along what %s tells, each picture once, also when it runs again', async (name) => {
    await using scene = await prepared(name, 30, { faults: 0.05 });
    const { admin, library, product, source, start } = scene;
    await start(` ${TOKEN}\n`);
    const brought = await until('done');
    expect(brought).toMatchObject({ found: 30, listed: true, imported: 30, present: 0, failed: 0, fault: null, needs_token: false });
    expect(brought?.never_brought).not.toEqual([]);
    expect(await told(admin.client)).toEqual(expectedOf(library, product));
    await admin.client.call(continueImport, { body: {} });
    expect(await until('done')).toMatchObject({ found: 30, imported: 30, present: 0 });
    await stop();
    await start();
    expect(await until('done')).toMatchObject({ found: 30, imported: 0, present: 30 });
    expect(await told(admin.client)).toHaveLength(30);
    const { items } = await owner.client.call(listAudit, { query: { limit: 3 } });
    expect(items[0]).toMatchObject({ action: 'import.started', target: expect.stringContaining(source.url) });
    expect(JSON.stringify([items, await state()])).not.toContain('secret');
  });

  it('continues after a pause, and after a restart once it has the token again', async () => {
    await using scene = await prepared('zipline', 150);
    const { admin, library, product, source, start } = scene;
    const fetched = () => source.seen.filter(({ path }) => path.endsWith('/raw')).length;
    const more = (count: number) => expect.poll(fetched, { timeout: 20_000, interval: 2 }).toBeGreaterThan(count);
    await start();
    await more(10);
    await admin.client.call(pauseImport, {});
    const paused = await state();
    expect(paused).toMatchObject({ state: 'paused', needs_token: false });
    expect(paused?.imported).toBeLessThan(150);
    expect(await told(admin.client)).toHaveLength(paused?.imported ?? 0);
    await expect(start()).rejects.toMatchObject({ code: 'conflict', details: { problem: 'import_running' } });
    await admin.client.call(continueImport, { body: {} });
    await more(fetched() + 10);
    await service.restart();
    expect(await state()).toMatchObject({ state: 'paused', needs_token: true });
    const again = (body: { token?: string }) => admin.client.call(continueImport, { body });
    await expect(again({})).rejects.toMatchObject({ code: 'conflict', details: { problem: 'token_needed' } });
    await again({ token: TOKEN });
    await expect(again({ token: TOKEN })).rejects.toMatchObject({ code: 'conflict', details: { problem: 'import_running' } });
    expect(await until('done')).toMatchObject({ found: 150, imported: 150, present: 0, failed: 0 });
    expect(await told(admin.client)).toEqual(expectedOf(library, product));
  });

  it('fails with the reason and asks for the token when it is refused, and is replaced by the next', async () => {
    await using scene = await prepared('zipline', 3, { token: 'other' });
    await scene.start();
    expect(await until('failed')).toMatchObject({
      imported: 0,
      needs_token: true,
      fault: expect.stringContaining('doesn’t accept this token'),
    });
    await scene.start('other');
    expect(await until('done')).toMatchObject({ imported: 3 });
  });

  it('lists what failed, and brings it with the next run', async () => {
    const vanished = new Set<string>();
    await using scene = await prepared('zipline', 4, { vanished });
    const { admin, library, start } = scene;
    const [damaged, gone] = library as [Entry, Entry];
    const { content } = damaged;
    damaged.content = Buffer.from('no picture');
    vanished.add(gone.id);
    await start();
    expect(await until('done')).toMatchObject({
      imported: 2,
      failed: 1,
      gone: 1,
      faults: [{ name: expect.any(String), reason: expect.any(String) }],
    });
    damaged.content = content;
    vanished.clear();
    await admin.client.call(continueImport, { body: {} });
    expect(await until('done')).toMatchObject({ imported: 4, failed: 0, gone: 0, faults: [] });
  });

  it('fetches files of other hosts only where the server may, and without the token', async () => {
    await using bucket = await startFakeSource(PRODUCTS.lsky as Product, madeUpLibrary(2, first + 10_000), { token: '' });
    await using scene = await prepared('lsky', 2, { bucket: bucket.url });
    await scene.start();
    expect(await until('done')).toMatchObject({
      failed: 2,
      faults: [{ reason: expect.stringContaining('isn’t on the public internet') }, {}],
    });
    expect(bucket.seen).toEqual([]);
    await owner.client.call(changeAdminSettings, { body: { fetch_allowed_hosts: ['127.0.0.1'] } });
    await scene.admin.client.call(continueImport, { body: {} });
    await until('done');
    expect(bucket.seen.length).toBeGreaterThan(0);
    expect(bucket.seen.every(({ secrets }) => secrets === '')).toBe(true);
  });

  it.each([
    ['ftp://old.example.org', 'url'],
    ['https://ada:secret@old.example.org', 'url'],
  ])('refuses the address %s', async (url, field) => {
    const refused = owner.client.call(startImport, { body: { product: 'immich', url, token: TOKEN } });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: { field } });
    expect(await state()).toBeNull();
  });
});
