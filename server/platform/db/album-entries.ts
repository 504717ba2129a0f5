import { type RawBuilder, sql } from 'kysely';

/**
 * What an album shows of a picture, in `album_images.state`, which triggers keep: pages of an album read an index of the entries that
 * a visitor sees, however many others there are.
 */
export const ENTRY_STATE = {
  /** In its owner's trash since it expired. */
  expired: -1,
  /** In its owner's trash. */
  trashed: 0,
  /** Open to every visitor of the album. */
  open: 1,
  /** Open to its owner and admins only: private, or protected by a password of its own. */
  closed: 2,
  /** With a view limit that isn't used up, for every visitor: shown by none of the album's lists. */
  limited_open: 3,
  /** With a view limit otherwise. */
  limited_closed: 4,
} as const;

/** The columns of `images` that an entry's state depends on. */
export const STATE_COLUMNS = ['deleted_at', 'trash_reason', 'emptied_at', 'visibility', 'password_hash', 'max_views', 'limited_views'];

type Row = 'old' | 'new' | 'images';

/** The state of an image's entries, of a row of `images`. */
export function stateOfImage(row: Row): RawBuilder<number> {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  const state = (name: keyof typeof ENTRY_STATE) => sql.raw(String(ENTRY_STATE[name]));
  return sql<number>`(case
    when ${column('deleted_at')} is not null and ${column('trash_reason')} = 'expired' then ${state('expired')}
    when ${column('deleted_at')} is not null or ${column('emptied_at')} is not null then ${state('trashed')}
    when ${column('visibility')} = 'public' and ${column('password_hash')} is null then case
      when ${column('max_views')} = 0 then ${state('open')}
      when ${column('limited_views')} < ${column('max_views')} then ${state('limited_open')}
      else ${state('limited_closed')} end
    when ${column('max_views')} = 0 then ${state('closed')}
    else ${state('limited_closed')} end)`;
}

/**
 * Positions per millisecond: an album shows the highest position first, and until it is sorted, a picture's position is its time of upload.
 * The space in between is for pictures that are moved there.
 */
export const POSITIONS_PER_MS = 1_000;

/** The position of an image that hasn't been moved. */
export const positionOfImage = (row: Row): RawBuilder<number> =>
  sql<number>`${sql.ref(`${row}.created_at`)} * ${sql.raw(String(POSITIONS_PER_MS))}`;

const COLUMNS = ['album_id', 'image_id', 'image_key', 'position', 'state', 'uploaded_at', 'added_at', 'added_by'];

/** Selects the entry that puts rows of `images` into an album; `from` and `where` may follow. */
export function entryOf(row: Row, albumId: RawBuilder<unknown>, addedAt: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${row}.${name}`);
  const values = [
    albumId,
    ...[column('id'), column('key'), positionOfImage(row), stateOfImage(row), column('created_at')],
    ...[addedAt, column('owner_id')],
  ];
  return sql`insert into album_images (${sql.join(COLUMNS.map((name) => sql.ref(name)))}) select ${sql.join(values)}`;
}

const isOutdated = sql<boolean>`(state <> ${stateOfImage('images')} or uploaded_at <> images.created_at or image_key <> images.key)`;

/** The condition that an album has entries that differ from their images. */
export const hasOutdatedEntries = (): RawBuilder<boolean> => sql<boolean>`exists (select 1 from album_images
  join images on images.id = album_images.image_id where album_images.album_id = albums.id and ${isOutdated})`;

/** Copies what the entries of an album have of their images again. */
export const refreshEntries = (albumId: string): RawBuilder<unknown> => sql`update album_images
  set state = ${stateOfImage('images')}, uploaded_at = images.created_at, image_key = images.key
  from images where images.id = album_images.image_id and album_images.album_id = ${albumId} and ${isOutdated}`;

/** The album that an image is in for the longest time. */
export const nextAlbum = (imageId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select album_id from album_images where image_id = ${imageId} order by added_at, album_id limit 1)`;
