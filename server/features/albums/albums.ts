import type { ExpressionBuilder, Insertable } from 'kysely';
import type { changeAlbum as changeRoute, createAlbum as createRoute } from '#api/albums/albums.ts';
import { MAX_ALBUMS } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { albumUpdated } from '#server/core/albums/events.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { InvalidRequestError, RequestError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { keysetPage, type Order, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { AlbumRow, AlbumsTable } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

/** An album with what its owner sees of its pictures. */
export interface AlbumWithImages extends AlbumRow {
  /** The chosen cover while it can be shown, else the newest picture; null in an empty album. */
  shown_cover: string | null;
}

/** A user's own album with what its owner sees of its pictures. */
export async function describeOwnAlbum(queries: Queries, ownerId: number, id: string): Promise<AlbumWithImages | undefined> {
  return describedAlbums(queries, ownerId).where('id', '=', id).executeTakeFirst();
}

const OWN_ORDER: Order = { direction: 'asc', columns: { position: 'number', id: 'string' } };

/** A user's albums in their own order. */
export function listOwnAlbums(queries: Queries, ownerId: number, page: PageRequest): Promise<Page<AlbumWithImages>> {
  return keysetPage(describedAlbums(queries, ownerId), OWN_ORDER, page);
}

function describedAlbums(queries: Queries, ownerId: number) {
  const now = Date.now();
  return queries
    .selectFrom('albums')
    .selectAll()
    .select((row) => [
      row.fn
        .coalesce(
          showable(row, now).whereRef('key', '=', 'cover_key').select('key').$asScalar(),
          showable(row, now).select('key').orderBy('images.created_at', 'desc').limit(1).$asScalar(),
        )
        .as('shown_cover'),
    ])
    .where('owner_id', '=', ownerId);
}

const images = (row: ExpressionBuilder<Tables, 'albums'>) =>
  row.selectFrom('images').whereRef('album_id', '=', 'albums.id').where('deleted_at', 'is', null);

const showable = (row: ExpressionBuilder<Tables, 'albums'>, now: number) =>
  images(row)
    .where('emptied_at', 'is', null)
    .where((image) => image.or([image('expires_at', 'is', null), image('expires_at', '>', now)]));

type NewAlbum = RouteParsed<typeof createRoute, 'body'>;

/** Creates an album before the user's others and returns its id. @throws RequestError `conflict` when there are too many */
export async function createAlbum(db: Database, ownerId: number, album: NewAlbum): Promise<string> {
  const { name, description = '', visibility, access_password, allow_download } = album;
  // Hashing is slow on purpose, so it happens before the unit of writing, which blocks all others.
  const password_hash = access_password ? await hashPassword(access_password) : null;
  const now = Date.now();
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
    const row: Insertable<AlbumsTable> = {
      id: randomKey(10),
      owner_id: ownerId,
      name,
      description,
      visibility,
      password_hash,
      cover_key: null,
      allow_download: allow_download ? 1 : 0,
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

/**
 * Changes a user's own album; false when there is none with that id.
 * @throws InvalidRequestError for a cover that is not in the album
 */
export async function changeAlbum(db: Database, ownerId: number, id: string, changes: Changes): Promise<boolean> {
  const { access_password, allow_download: allowed, ...columns } = changes;
  const allow_download = allowed === undefined ? undefined : allowed ? 1 : 0;
  const password_hash = access_password ? await hashPassword(access_password) : access_password;
  return db.write(async (queries) => {
    if (columns.cover_key) await requireInAlbum(queries, id, ownerId, columns.cover_key);
    const row = await queries
      .updateTable('albums')
      .set({ ...columns, password_hash, allow_download, updated_at: Date.now() })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .returningAll()
      .executeTakeFirst();
    if (row) await enqueueEvent(queries, albumUpdated(row));
    return row !== undefined;
  });
}

async function requireInAlbum(queries: Queries, albumId: string, ownerId: number, key: string) {
  const found = await queries
    .selectFrom('images')
    .select('id')
    .where('key', '=', key)
    .where('album_id', '=', albumId)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!found)
    throw new InvalidRequestError('The cover must be a picture from this album.', { field: 'cover_key', problem: 'not_available' });
}
