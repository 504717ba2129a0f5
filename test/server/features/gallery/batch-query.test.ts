import { pino } from 'pino';
import { expect, it } from 'vitest';
import { batchImages } from '#api/images/changes.ts';
import { countImages, listImages } from '#api/images/images.ts';
import { emptyTrash, listTrash } from '#api/images/trash.ts';
import { runBatch } from '#server/features/gallery/batch-targets.ts';
import { createOpaque } from '#server/platform/config/opaque.ts';
import { loadSecrets } from '#server/platform/config/secrets.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import type { SignedIn } from '#test/helpers/service/service.ts';

const log = pino({ level: 'silent' });
const ALBUM = 'AAAAAAAAA1';
const { service, owner } = await startFileService();
const other = await addUser(service, 'bert');
const opaque = createOpaque(await loadSecrets(service.dataDir));
/** More than two chunks of writing. */
const MANY = 450;
const [odd, even] = ['odd', 'even'].map((tag) => JSON.stringify([tag])) as [string, string];
const keys = await withDatabase(service, async (db) => {
  await db.as('job').write(async (queries) => {
    const rest = { description: '', visibility: 'private' as const, password_hash: null, cover_key: null, position: 0 };
    await queries
      .insertInto('albums')
      .values({ id: ALBUM, owner_id: other.id, name: 'album', created_at: 1, updated_at: 1, ...rest })
      .execute();
  });
  return addImageRows(db, other.id, MANY, (index) => ({
    tags: index % 2 ? odd : even,
    created_at: 1_000_000 + index,
    name: index < 5 ? `special ${index}.jpg` : `picture ${index}.jpg`,
  }));
});
const [theirs] = (await withDatabase(service, (db) => addImageRows(db, 1, 1, () => ({ tags: odd })))) as [string];

const batch = (body: object, who: SignedIn = other) => who.client.call(batchImages, { body: body as never });
const count = async (query: object = {}, who: SignedIn = other) => (await who.client.call(countImages, { query: query as never })).count;
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.code,
  );

it('counts what a list with the same filters has', async () => {
  expect(await count()).toBe(MANY);
  expect(await count({ tag: 'odd' })).toBe(MANY / 2);
  expect(await count({ q: 'special' })).toBe(5);
  expect(await count({ q: keys[7] })).toBe(1);
  expect(await count({ album_id: 'AAAAAAAAA9' })).toBe(0);
  expect(await count({ from: '1970-01-02' })).toBe(0);
});

it('changes everything that a query matches except some, and nothing of others', async () => {
  expect(await batch({ action: 'visibility', visibility: 'private', query: { tag: 'odd' }, except_keys: [keys[1]] })).toEqual({
    results: [],
    processed: MANY / 2 - 1,
    failed: 0,
    undo: expect.any(String),
  });
  expect(await count({ visibility: 'private' })).toBe(MANY / 2 - 1);
  expect(await count({ visibility: 'private' }, owner)).toBe(0);
  // The change itself takes pictures out of the query, and none is skipped.
  expect(await batch({ action: 'tag', mode: 'remove', tags: ['odd'], query: { tag: 'odd' } })).toMatchObject({ processed: MANY / 2 });
  expect(await count({ tag: 'odd' })).toBe(0);
  expect(await batch({ action: 'move', album_id: ALBUM, query: { q: 'special' } })).toMatchObject({ processed: 5 });
  expect(await batch({ action: 'tag', tags: ['found'], query: { album_id: ALBUM } })).toMatchObject({ processed: 5 });
  expect(await count({ tag: 'found', album_id: ALBUM })).toBe(5);
});

it('leaves out pictures uploaded after the count', async () => {
  const { as_of } = await other.client.call(countImages, { query: {} });
  const late = await withDatabase(service, (db) => addImageRows(db, other.id, 1, () => ({ name: 'late.jpg', created_at: 5 })));
  expect(await batch({ action: 'tag', tags: ['early'], query: { as_of } })).toMatchObject({ processed: MANY });
  expect(await count({ tag: 'early', q: 'late' })).toBe(0);
  await batch({ action: 'purge', keys: late });
});

it('restores exactly what one request moved to the trash', async () => {
  const [first, second] = keys as [string, string];
  await batch({ action: 'trash', keys: [first] });
  const all = await batch({ action: 'trash', query: {} });
  expect(all).toMatchObject({ results: [], processed: MANY - 1, failed: 0 });
  expect(await count()).toBe(0);
  expect(await code(batch({ action: 'restore', undo: all.undo }, owner))).toBe('not_found');
  // Restored, and deleted again by another request: undoing the first one leaves it there.
  await batch({ action: 'restore', keys: [second] });
  const again = await batch({ action: 'trash', keys: [second] });
  expect(await batch({ action: 'restore', undo: all.undo })).toMatchObject({ processed: MANY - 2, failed: 0 });
  const { items } = await other.client.call(listTrash, { query: {} });
  expect(items.map(({ key }) => key).sort()).toEqual([first, second].sort());
  expect(await code(batch({ action: 'restore', undo: all.undo }))).toBe('not_found');
  expect(await batch({ action: 'restore', undo: again.undo })).toMatchObject({ processed: 1 });
  await other.client.call(emptyTrash, {});
  expect((await owner.client.call(listImages, { query: {} })).items.map(({ key }) => key)).toEqual([theirs]);
});

it('sets and removes the expiry of many, within what the group allows', async () => {
  expect(await batch({ action: 'expiry', expires_in: 3600, query: { tag: 'found' } })).toMatchObject({ failed: 0 });
  const { items } = await other.client.call(listImages, { query: { tag: 'found' } });
  expect(items.every(({ expires_at }) => Date.parse(expires_at ?? '') > Date.now() + 3_500_000)).toBe(true);
  expect(items.length).toBeGreaterThan(2);
  await batch({ action: 'expiry', expires_in: 0, query: { tag: 'found' } });
  expect((await other.client.call(listImages, { query: { tag: 'found' } })).items.every(({ expires_at }) => expires_at === null)).toBe(
    true,
  );
  await withDatabase(service, (db) =>
    db.as('job').write((queries) => queries.updateTable('groups').set({ max_expires_in: 60 }).where('kind', '=', 'default').execute()),
  );
  expect(await code(batch({ action: 'expiry', expires_in: 61, query: {} }))).toBe('expires_over_group');
});

it.each(['writing', 'reading'])('can be undone when %s fails half-way', async (part) => {
  const before = await count();
  const error = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  /** Fails `part` after the first chunk. */
  const failing = (db: WritableDatabase): WritableDatabase => {
    let writes = 0;
    return {
      ...db,
      get read() {
        if (part === 'reading' && writes > 0) throw error;
        return db.read;
      },
      write: (work) => (writes++ > 0 ? Promise.reject(error) : db.as('job').write(work)),
    };
  };
  const { undo, ...outcome } = await withDatabase(service, (db) =>
    runBatch({ db: failing(db.as('job')), log, opaque }, other.id, { action: 'trash', query: {} } as never),
  );
  expect(outcome).toEqual({ results: [], processed: 200, failed: part === 'writing' ? before - 200 : 1 });
  expect(await count()).toBe(before - 200);
  expect(await code(batch({ action: 'restore', undo }, owner))).toBe('not_found');
  expect(await batch({ action: 'restore', undo })).toMatchObject({ processed: 200, failed: 0 });
  expect(await count()).toBe(before);
});

it('reports an error before the first change as an error', async () => {
  const broken = (db: WritableDatabase): WritableDatabase => ({ ...db, write: () => Promise.reject(new Error('the disk is full')) });
  const run = withDatabase(service, (db) =>
    runBatch({ db: broken(db.as('job')), log, opaque }, other.id, { action: 'trash', query: {} } as never),
  );
  await expect(run).rejects.toThrow('the disk is full');
});

it('writes in chunks, between which other writes run', async () => {
  const writes = await withDatabase(service, async (opened) => {
    const db = opened.as('job');
    let units = 0;
    const counting = { ...db, write: (work: Parameters<typeof db.write>[0]) => db.write(work).finally(() => units++) } as typeof db;
    await runBatch({ db: counting, log, opaque }, other.id, {
      action: 'tag',
      tags: ['all'],
      mode: 'add',
      query: {},
    });
    return units;
  });
  expect(await count({ tag: 'all' })).toBe(await count());
  expect(writes).toBe(Math.ceil((await count()) / 200));
});

it.each([
  { action: 'trash' },
  { action: 'trash', keys: ['AAAAAAAAAAAA'], query: {} },
  { action: 'trash', query: { tagg: 'odd' } },
  { action: 'trash', query: { as_of: '../' } },
  { action: 'restore' },
  { action: 'restore', undo: 'x' },
  { action: 'expiry', query: {} },
])('refuses a batch without a clear target: %j', async (body) => {
  const before = await count();
  expect(await code(batch(body))).toBe('invalid_request');
  expect(await count()).toBe(before);
});

it('requires signing in, or a token with full access', async () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${service.url}/api/v1/images/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ action: 'trash', query: {} }),
    });
  expect((await send({})).status).toBe(401);
  expect((await fetch(`${service.url}/api/v1/images/count`)).status).toBe(401);
  const upload = { authorization: `Bearer ${await other.token('upload')}` };
  expect((await send(upload)).status).toBe(403);
  expect((await fetch(`${service.url}/api/v1/images/count`, { headers: upload })).status).toBe(403);
  expect((await send({ cookie: other.cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
  expect(await count()).toBeGreaterThan(0);
});
