import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DAY_MS } from '#api/durations.ts';
import { serviceJobs } from '#server/boot/jobs.ts';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import type { Context } from '#server/core/context.ts';
import { startDeletion } from '#server/core/deletion/start.ts';
import { continueDeletions, deletionAttempts } from '#server/core/deletion/steps.ts';
import type { Database, WritableDatabase } from '#server/platform/db/database.ts';
import { createScheduler } from '#server/platform/jobs/scheduler.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { addImageRows, countedStorage } from '#test/helpers/service/data/library.ts';

const BOB = 1;
const EVE = 2;
const IMAGES = 450;
const asJob = ({ db, log }: Pick<Context, 'db' | 'log'>) => ({ db: db.as('job'), log });
const ORIGIN = { actorId: null, actorName: '', address: '127.0.0.1', userAgent: 'test' };

/** Two accounts; the first has many images in two albums, some of them in the trash, and a batch that can be undone. */
async function fill(db: Database) {
  await db.as('job').write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    for (const username of ['bob', 'eve']) {
      const more = { emailSource: 'admin', passwordHash: null, role: 'user', isOwner: false, groupId } as const;
      await insertUser(queries, { username, email: `${username}@example.org`, ...more }, Date.now());
    }
    for (const [position, id] of ['AAAAAAAAAA', 'BBBBBBBBBB'].entries()) {
      const times = { created_at: 1, updated_at: 1 };
      const album = { name: id, description: '', visibility: 'public', password_hash: null, cover_key: null, position, ...times } as const;
      await queries
        .insertInto('albums')
        .values({ id, owner_id: BOB, ...album })
        .execute();
    }
    await queries.insertInto('batch_undos').values({ token: 'undo', owner_id: BOB, created_at: Date.now() }).execute();
  });
  await addImageRows(db, BOB, IMAGES, (index) => ({
    album_id: index % 2 ? 'AAAAAAAAAA' : 'BBBBBBBBBB',
    tags: '["sea"]',
    deleted_at: index < 5 ? Date.now() : null,
  }));
  await db.as('job').write(async (queries) => {
    await queries
      .updateTable('users')
      .set({ image_count: IMAGES, storage_used_bytes: IMAGES * 1000 })
      .where('id', '=', BOB)
      .execute();
    const ids = await queries.selectFrom('images').select('id').execute();
    const value = { batch_id: 1, field: 'tags', before: '[]', after: '["sea"]' } as const;
    await queries
      .insertInto('batch_undo_values')
      .values(ids.map(({ id }) => ({ ...value, image_id: id })))
      .execute();
  });
}

async function open(folder = temporaryFolder()) {
  await writeEmptyDatabase(folder);
  const opened = await openTestContext(folder);
  await fill(opened.context.db);
  return { folder, opened };
}

async function start(db: Database, recipient: number | null) {
  const bob = await db.read.selectFrom('users').selectAll().where('id', '=', BOB).executeTakeFirstOrThrow();
  await db.as('job').write((queries) => startDeletion(queries, bob, recipient, ORIGIN));
}

const accounts = async (db: Database) => (await db.read.selectFrom('users').select('id').execute()).map(({ id }) => id);

/** What must hold at any moment: every image has one of the two owners and its album, and the counters are right. */
async function expectNothingLost(db: Database) {
  const rows = await db.read.selectFrom('images').select(['id', 'owner_id', 'album_id', 'deletion_nonce']).orderBy('id').execute();
  expect(rows).toHaveLength(IMAGES);
  expect(rows.every(({ id, album_id }) => album_id === (id % 2 ? 'BBBBBBBBBB' : 'AAAAAAAAAA'))).toBe(true);
  expect(rows.every(({ owner_id, deletion_nonce }) => deletion_nonce === (owner_id === EVE ? 1 : 0))).toBe(true);
  for (const id of await accounts(db)) {
    const { booked, real } = await countedStorage(db, id);
    expect([id, booked]).toEqual([id, real]);
  }
  return rows.filter(({ owner_id }) => owner_id === EVE).length;
}

async function expectAllMoved(db: Database) {
  expect(await expectNothingLost(db)).toBe(IMAGES);
  expect(await accounts(db)).toEqual([EVE]);
  const albums = await db.read.selectFrom('albums').select(['id', 'owner_id', 'visibility']).orderBy('position').execute();
  expect(albums).toEqual(['AAAAAAAAAA', 'BBBBBBBBBB'].map((id) => ({ id, owner_id: EVE, visibility: 'public' })));
  const tags = await db.read.selectFrom('image_tags').select('owner_id').distinct().execute();
  expect(tags).toEqual([{ owner_id: EVE }]);
  expect(await db.read.selectFrom('images').select('id').where('deleted_at', 'is not', null).execute()).toHaveLength(5);
  for (const table of ['account_deletions', 'batch_undos', 'batch_undo_values'] as const)
    expect(await db.read.selectFrom(table).selectAll().execute()).toEqual([]);
}

it('moves a large library in bounded steps, and continues after a restart between any two of them', async () => {
  const { folder, opened } = await open();
  await start(opened.context.db, EVE);
  await opened.close();
  const seen: number[] = [];
  for (let changed = 1; changed > 0; ) {
    const { context, close } = await openTestContext(folder);
    changed = await continueDeletions(asJob(context), Date.now());
    expect(changed).toBeLessThanOrEqual(200);
    seen.push(await expectNothingLost(context.db));
    if (changed === 0) await expectAllMoved(context.db);
    await close();
  }
  expect(seen).toEqual(expect.arrayContaining([0, 200, 400, 450]));
});

it('writes nothing while the images wait in the trash, and an account that fails holds up no other', async () => {
  const { opened } = await open();
  const { db, log } = asJob(opened.context);
  await start(db, null);
  while (await continueDeletions({ db, log }, Date.now()));
  let writes = 0;
  const failing: WritableDatabase['write'] = async () => {
    writes++;
    throw new Error('a failure of the test');
  };
  expect(await continueDeletions({ db: { ...db, write: failing }, log }, Date.now())).toBe(0);
  expect(writes).toBe(0);
  const eve = await db.read.selectFrom('users').selectAll().where('id', '=', EVE).executeTakeFirstOrThrow();
  await db.as('job').write((queries) => startDeletion(queries, eve, null, ORIGIN));
  await db.as('job').write((queries) => queries.deleteFrom('images').where('owner_id', '=', BOB).execute());
  const firstFails: WritableDatabase['write'] = (work) => (writes++ === 0 ? failing(work) : db.write(work));
  await continueDeletions({ db: { ...db, write: firstFails }, log }, Date.now());
  expect(await accounts(db)).toEqual([BOB]);
  await opened.close();
});

it('tries an account that fails again after longer and longer pauses', async () => {
  const { opened } = await open();
  const { db, log } = asJob(opened.context);
  await start(db, EVE);
  const tried: number[] = [];
  let now = 0;
  const failing: WritableDatabase['write'] = async () => {
    tried.push(now);
    throw new Error('a failure of the test');
  };
  const attempts = deletionAttempts(log, () => now);
  for (; now < 100_000; now += 1_000) await continueDeletions({ db: { ...db, write: failing }, log }, now, attempts);
  expect(tried).toEqual([0, 10_000, 30_000, 70_000]);
  now = 150_000;
  expect(await continueDeletions({ db, log }, now, attempts)).toBeGreaterThan(0);
  await opened.close();
});

it.each([0, 1, 2, 4])('loses nothing when it is killed after %i steps', async (steps) => {
  const { folder, opened } = await open();
  await start(opened.context.db, EVE);
  await opened.close();
  const signal = await new Promise((resolve) => {
    const child = execFile(process.execPath, [join(import.meta.dirname, 'killed-deletion.ts'), join(folder, 'pixdock.db'), String(steps)]);
    child.once('exit', (_code, by) => resolve(by));
  });
  expect(signal).toBe('SIGKILL');
  const { context, close } = await openTestContext(folder);
  expect(await expectNothingLost(context.db)).toBe(Math.min(IMAGES, Math.max(0, steps - 1) * 200));
  await createScheduler(serviceJobs(context), context.log).run('delete accounts');
  await expectAllMoved(context.db);
  await close();
});

it('keeps the account until its trash period is over, and the links of expired pictures beyond that', async () => {
  const { opened } = await open();
  const { context, close } = opened;
  const { db } = context;
  const run = async (ahead: number, ...names: string[]) => {
    const scheduler = createScheduler(
      serviceJobs(context, () => Date.now() + ahead),
      context.log,
    );
    for (const name of names) await scheduler.run(name);
  };
  const emptied = { expires_at: 1, emptied_at: Date.now() + 10 * DAY_MS };
  const [expired = ''] = await addImageRows(db, BOB, 1, () => emptied);
  await start(db, null);
  await run(0, 'delete accounts');
  expect(await db.read.selectFrom('images').select('id').where('deleted_at', 'is', null).where('emptied_at', 'is', null).execute()).toEqual(
    [],
  );
  expect((await countedStorage(db, BOB)).booked.image_count).toBe(IMAGES);
  const albums = () => db.read.selectFrom('albums').select('visibility').execute();
  expect(await albums()).toEqual([{ visibility: 'private' }, { visibility: 'private' }]);

  await run(29 * DAY_MS, 'empty the trash', 'delete accounts');
  expect(await accounts(db)).toEqual([BOB, EVE]);
  await run(31 * DAY_MS, 'empty the trash', 'delete accounts');
  expect(await accounts(db)).toEqual([EVE]);
  expect(await albums()).toEqual([]);
  expect(await db.read.selectFrom('images').select(['key', 'owner_id']).execute()).toEqual([{ key: expired, owner_id: null }]);
  expect((await fetch(`${opened.url}/i/${expired}.jpg`)).status).toBe(410);
  await close();
});
