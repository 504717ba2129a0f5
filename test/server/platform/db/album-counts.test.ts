import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { groupOfKind } from '#server/core/accounts/groups.ts';
import { insertUser } from '#server/core/accounts/users.ts';
import { ALBUM_COUNTS, isMiscounted, recountAlbums } from '#server/platform/db/album-counts.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
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
  const owner_id = await db.write(async (queries) => {
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

/** The counts that the rows of images give. */
function countsOf(images: readonly ImageRow[], album: string) {
  const live = images.filter((image) => image.album_id === album && image.deleted_at === null);
  const shown = live.filter((image) => image.emptied_at === null);
  const forAll = shown.filter(({ visibility, password_hash }) => visibility === 'public' && password_hash === null);
  return {
    image_count: live.length,
    open_count: forAll.filter((image) => image.max_views === 0).length,
    trusted_count: shown.filter((image) => image.max_views === 0).length,
    limited_open_count: forAll.filter((image) => image.limited_views < image.max_views).length,
    limited_count: shown.filter((image) => image.max_views > 0).length,
  };
}

async function expectRight({ read }: Database) {
  const images = await read.selectFrom('images').selectAll().execute();
  for (const album of await read.selectFrom('albums').selectAll().execute()) expect(album).toMatchObject(countsOf(images, album.id));
}

it('keeps album counts correct through every change to an image', async () => {
  const db = await open();
  await expectRight(db);
  const ids = (await db.read.selectFrom('images').select('id').execute()).map(({ id }) => id);
  for (const step of [1, 6, 48, 101])
    await db.write(async (queries) => {
      for (const [index, id] of ids.entries())
        await queries
          .updateTable('images')
          .set({ ...STATES[(index + step) % STATES.length] })
          .where('id', '=', id)
          .execute();
    });
  await expectRight(db);
  for (const id of ids.slice(0, 1)) {
    for (const state of STATES) await db.write((queries) => queries.updateTable('images').set(state).where('id', '=', id).execute());
    await expectRight(db);
  }
  await db.write((queries) => queries.deleteFrom('images').where('id', 'in', ids.slice(0, 100)).execute());
  await expectRight(db);
  await db.write((queries) => queries.deleteFrom('albums').where('id', '=', 'AAAAAAAAAA').execute());
  await expectRight(db);
});

it('finds albums with a wrong count, and counts their images again', async () => {
  const db = await open();
  const miscounted = async () => (await db.read.selectFrom('albums').select('id').where(isMiscounted()).execute()).map(({ id }) => id);
  expect(await miscounted()).toEqual([]);
  for (const name of ALBUM_COUNTS) {
    await db.write((queries) => sql`update albums set ${sql.ref(name)} = 1000 where id = 'BBBBBBBBBB'`.execute(queries));
    expect(await miscounted()).toEqual(['BBBBBBBBBB']);
    await db.write((queries) => recountAlbums().execute(queries));
    await expectRight(db);
  }
});
