import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { addToAlbum, removeFromAlbums, setAlbums } from '#server/core/images/album-entries.ts';
import { ALBUM_COUNTS, isMiscounted, recountAlbums } from '#server/platform/db/album-counts.ts';
import { type Database, openDatabase, type Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { addImageRows } from '#test/helpers/service/data/library.ts';

const ALBUMS = ['AAAAAAAAAA', 'BBBBBBBBBB'];

/** All combinations of what decides whether an image counts. */
const STATES = [null, ...ALBUMS].flatMap((album_id) =>
  [null, 1].flatMap((deleted_at) =>
    [null, 1].flatMap((emptied_at) =>
      (['public', 'private'] as const).flatMap((visibility) =>
        [null, 'hash'].flatMap((password_hash) =>
          [
            { max_views: 0, limited_views: 0 },
            { max_views: 2, limited_views: 1 },
            { max_views: 2, limited_views: 2 },
          ].map((views) => ({ album_id, deleted_at, emptied_at, visibility, password_hash, ...views })),
        ),
      ),
    ),
  ),
);

async function open(): Promise<Database> {
  const db = await openDatabase(join(temporaryFolder(), 'pixdock.db'));
  onTestFinished(() => db.close());
  const owner_id = await db.as('job').write(async (queries) => {
    const { id: groupId } = await groupOfKind(queries, 'default');
    const rest = { email: null, emailSource: 'admin' as const, passwordHash: null, role: 'user' as const, isOwner: false, groupId };
    const { id } = await insertUser(queries, { username: 'ann', ...rest }, 1);
    for (const album of ALBUMS)
      await queries
        .insertInto('albums')
        .values({ id: album, owner_id: id, name: album, description: '', visibility: 'public', position: 0, created_at: 1, updated_at: 1 })
        .execute();
    return id;
  });
  await addImageRows(db, owner_id, STATES.length, (index) => ({ ...STATES[index] }));
  return db;
}

/** The counts that the rows of images in an album give. */
function countsOf(images: readonly ImageRow[]) {
  const shown = images.filter((image) => image.deleted_at === null && image.emptied_at === null);
  const forAll = shown.filter(({ visibility, password_hash }) => visibility === 'public' && password_hash === null);
  return {
    image_count: shown.length,
    open_count: forAll.filter((image) => image.max_views === 0).length,
    trusted_count: shown.filter((image) => image.max_views === 0).length,
    limited_open_count: forAll.filter((image) => image.limited_views < image.max_views).length,
    limited_count: shown.filter((image) => image.max_views > 0).length,
  };
}

async function expectRight({ read }: Database) {
  const images = await read.selectFrom('images').selectAll().execute();
  const entries = await read.selectFrom('album_images').selectAll().execute();
  for (const album of await read.selectFrom('albums').selectAll().execute()) {
    const ids = new Set(entries.filter(({ album_id }) => album_id === album.id).map(({ image_id }) => image_id));
    expect(album).toMatchObject(countsOf(images.filter(({ id }) => ids.has(id))));
  }
  // The first album is one of an image's albums, and an image with albums has a first one.
  for (const { id, album_id } of images) {
    const albums = entries.filter(({ image_id }) => image_id === id).map((entry) => entry.album_id);
    expect(albums.includes(album_id ?? '')).toBe(albums.length > 0);
  }
}

const ids = async ({ read }: Database) => (await read.selectFrom('images').select('id').orderBy('id').execute()).map(({ id }) => id);

it('keeps album counts correct through every change to an image', async () => {
  const db = await open();
  await expectRight(db);
  const all = await ids(db);
  for (const step of [1, 6, 48, 101])
    await db.as('job').write(async (queries) => {
      for (const [index, id] of all.entries())
        await queries
          .updateTable('images')
          .set({ ...STATES[(index + step) % STATES.length] })
          .where('id', '=', id)
          .execute();
    });
  await expectRight(db);
  for (const id of all.slice(0, 1)) {
    for (const state of STATES)
      await db.as('job').write((queries) => queries.updateTable('images').set(state).where('id', '=', id).execute());
    await expectRight(db);
  }
  await db.as('job').write((queries) => queries.deleteFrom('images').where('id', 'in', all.slice(0, 100)).execute());
  await expectRight(db);
  await db.as('job').write((queries) => queries.deleteFrom('albums').where('id', '=', 'AAAAAAAAAA').execute());
  await expectRight(db);
});

it('keeps them correct for pictures in several albums', async () => {
  const db = await open();
  const all = await ids(db);
  const albums = new Map(ALBUMS.map((id) => [id, { id, is_sorted: 0 as const }]));
  const lists = [[], ['BBBBBBBBBB'], ['AAAAAAAAAA', 'BBBBBBBBBB'], ['AAAAAAAAAA'], ['BBBBBBBBBB', 'AAAAAAAAAA']];
  for (const step of [0, 1, 3])
    await db.as('job').write(async (queries) => {
      for (const [index, id] of all.entries()) {
        const wanted = (lists[(index + step) % lists.length] ?? []).map((album) => ({ id: album }));
        await setAlbums(queries, id, wanted, albums, Date.now());
      }
    });
  await expectRight(db);
  await db.as('job').write((queries) => addToAlbum(queries, { id: 'AAAAAAAAAA', is_sorted: 0 }, all, Date.now()));
  await expectRight(db);
  const change = { deleted_at: 1, trash_reason: 'expired' as const, max_views: 0 };
  await db.as('job').write((queries) => queries.updateTable('images').set(change).where('id', 'in', all.slice(0, 90)).execute());
  await expectRight(db);
  await db.as('job').write((queries) => removeFromAlbums(queries, all.slice(50, 120), 'AAAAAAAAAA'));
  await expectRight(db);
  // Without the steps that the service takes first: whatever the order of the database's own actions, the other album remains.
  await db.as('job').write((queries) => queries.deleteFrom('albums').where('id', '=', 'AAAAAAAAAA').execute());
  await expectRight(db);
});

it('takes the queue of the search index and the version of the library along', async () => {
  const db = await open();
  const [id = 0] = await ids(db);
  const queued = () => db.read.selectFrom('image_search_queue').select('image_id').execute();
  const version = async () => (await db.read.selectFrom('users').select('library_version').executeTakeFirstOrThrow()).library_version;
  const changes: ((queries: Queries) => Promise<unknown>)[] = [
    (queries) => addToAlbum(queries, { id: 'AAAAAAAAAA', is_sorted: 0 }, [id], 5),
    (queries) => addToAlbum(queries, { id: 'BBBBBBBBBB', is_sorted: 0 }, [id], 6),
    (queries) => removeFromAlbums(queries, [id], 'BBBBBBBBBB'),
    (queries) => removeFromAlbums(queries, [id]),
  ];
  for (const change of changes) {
    await db.as('job').write((queries) => queries.deleteFrom('image_search_queue').execute());
    const before = await version();
    await db.as('job').write(change);
    expect([await queued(), (await version()) > before]).toEqual([[{ image_id: id }], true]);
  }
});

it('finds albums with a wrong count, and counts their images again', async () => {
  const db = await open();
  const miscounted = async () => (await db.read.selectFrom('albums').select('id').where(isMiscounted()).execute()).map(({ id }) => id);
  expect(await miscounted()).toEqual([]);
  for (const name of ALBUM_COUNTS) {
    await db.as('job').write((queries) => sql`update albums set ${sql.ref(name)} = 1000 where id = 'BBBBBBBBBB'`.execute(queries));
    expect(await miscounted()).toEqual(['BBBBBBBBBB']);
    await db.as('job').write((queries) => recountAlbums().execute(queries));
    await expectRight(db);
  }
});
