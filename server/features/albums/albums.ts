import { type Insertable, sql } from 'kysely';
import type { changeAlbum as changeRoute, createAlbum as createRoute } from '#api/albums/albums.ts';
import { MAX_ALBUMS } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { albumUpdated } from '#server/core/albums/events.ts';
import { requireRole } from '#server/core/albums/members.ts';
import { openImages } from '#server/core/albums/open-images.ts';
import { expiryOf, requireExpiry } from '#server/core/images/asked-expiry.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import { POSITIONS_PER_MS } from '#server/platform/db/album-entries.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

type NewAlbum = RouteParsed<typeof createRoute, 'body'>;

/** Creates an album before the user's others and returns its id. @throws RequestError `conflict` when there are too many */
export async function createAlbum(db: WritableDatabase, ownerId: number, album: NewAlbum): Promise<string> {
  const { name, description = '', visibility, access_password, allow_download } = album;
  const now = Date.now();
  requireExpiry(album, now);
  // Hashing is slow on purpose, so it happens before the unit of writing, which blocks all others.
  const password_hash = access_password ? await hashPassword(access_password) : null;
  return db.write(async (queries) => {
    const { count, first } = await queries
      .selectFrom('albums')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('position').as('first')])
      .where('owner_id', '=', ownerId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_ALBUMS)
      throw new RequestError('conflict', `An account can have at most ${MAX_ALBUMS.toLocaleString('en')} albums. Delete one first.`, {
        problem: 'too_many_albums',
        limit: MAX_ALBUMS,
      });
    const row: Insertable<Tables['albums']> = {
      id: randomKey(10),
      owner_id: ownerId,
      name,
      description,
      visibility,
      password_hash,
      cover_key: null,
      allow_download: allow_download ? 1 : 0,
      expires_at: expiryOf(album, now) ?? null,
      position: (first ?? 0) - 1,
      created_at: now,
      updated_at: now,
    };
    await queries.insertInto('albums').values(row).execute();
    await enqueueEvent(queries, albumUpdated(row));
    return row.id;
  });
}

type Changes = RouteParsed<typeof changeRoute, 'body'>;

/** What managers may change; the rest is up to the owner. */
const OF_MANAGERS = new Set(['name', 'description', 'cover_key', 'sorted'] satisfies (keyof Changes)[] as string[]);

/**
 * Changes an album that a user owns or manages; false when it has just been deleted.
 * @throws NotFoundError, ForbiddenError for what a member may not change, InvalidRequestError for a cover that is not in the album, or an
 * expiry that isn't in the future
 */
export async function changeAlbum(db: WritableDatabase, userId: number, id: string, changes: Changes): Promise<boolean> {
  const least = Object.keys(changes).every((name) => OF_MANAGERS.has(name)) ? 'manager' : 'owner';
  await requireRole(db.read, userId, id, least);
  const { access_password, allow_download: allowed, expires_in, expires_at, sorted, ...columns } = changes;
  const now = Date.now();
  const asked = { expires_in, expires_at };
  requireExpiry(asked, now);
  if (sorted === false) await sortByUpload(db, id);
  const allow_download = allowed === undefined ? undefined : allowed ? 1 : 0;
  const password_hash = access_password ? await hashPassword(access_password) : access_password;
  return db.write(async (queries) => {
    await requireRole(queries, userId, id, least);
    if (columns.cover_key) await requireInAlbum(queries, id, userId, columns.cover_key);
    const row = await queries
      .updateTable('albums')
      .set({ ...columns, password_hash, allow_download, expires_at: expiryOf(asked, now), updated_at: now })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (row) await enqueueEvent(queries, albumUpdated(row));
    return row !== undefined;
  });
}

/** Positions per commit, so that other writes run in between. */
const BATCH = 2_000;

/** Has an album show the latest uploads first again. */
async function sortByUpload(db: WritableDatabase, id: string): Promise<void> {
  const byUpload = sql<number>`uploaded_at * ${sql.raw(String(POSITIONS_PER_MS))}`;
  for (;;) {
    const moved = await db.write(async (queries) => {
      const album = await queries
        .updateTable('albums')
        .set({ is_sorted: 0, updated_at: Date.now() })
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!album) return 0;
      const some = queries.selectFrom('album_images').select('image_id').where('album_id', '=', id).where('position', '<>', byUpload);
      const { numUpdatedRows } = await queries
        .updateTable('album_images')
        .set({ position: byUpload })
        .where('album_id', '=', id)
        .where('image_id', 'in', some.limit(BATCH))
        .executeTakeFirst();
      return Number(numUpdatedRows);
    });
    if (moved === 0) return;
  }
}

async function requireInAlbum(queries: Queries, albumId: string, userId: number, key: string) {
  const visitor = { trusted: false, memberId: userId, unlocked: [] };
  const shown = await openImages(queries, albumId, visitor).select('images.id').where('images.key', '=', key).executeTakeFirst();
  const own = await queries
    .selectFrom('images')
    .innerJoin('album_images', 'album_images.image_id', 'images.id')
    .select('id')
    .where('images.key', '=', key)
    .where('album_images.album_id', '=', albumId)
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!shown && !own)
    throw new InvalidRequestError('The cover must be a picture from this album.', { field: 'cover_key', problem: 'not_available' });
}
