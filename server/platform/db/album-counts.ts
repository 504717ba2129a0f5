import { type RawBuilder, sql } from 'kysely';

type Row = 'old' | 'new' | 'images';
/** Names a column of that row. */
type Column = (name: string) => RawBuilder<unknown>;

/**
 * What `albums` counts of its pictures, as 1 or 0 for one row of `images`; triggers keep the sums. Those that expired a moment ago
 * still count until the job has moved them to the trash.
 */
const COUNTED: Record<string, (column: Column) => RawBuilder<number>> = {
  image_count: (column) => one(sql`${column('deleted_at')} is null`),
  open_count: (column) => one(sql`${shown(column)} and ${column('max_views')} = 0 and ${forAll(column)}`),
  trusted_count: (column) => one(sql`${shown(column)} and ${column('max_views')} = 0`),
  limited_open_count: (column) =>
    one(sql`${shown(column)} and ${column('max_views')} > 0 and ${forAll(column)} and ${column('limited_views')} < ${column('max_views')}`),
  limited_count: (column) => one(sql`${shown(column)} and ${column('max_views')} > 0`),
};

const one = (condition: RawBuilder<unknown>) => sql<number>`case when ${condition} then 1 else 0 end`;
const shown = (column: Column) => sql`${column('deleted_at')} is null and ${column('emptied_at')} is null`;
const forAll = (column: Column) => sql`${column('visibility')} = 'public' and ${column('password_hash')} is null`;

export const ALBUM_COUNTS = Object.keys(COUNTED);

/** The columns of `images` that the counts depend on. */
export const COUNTED_COLUMNS = ['album_id', 'deleted_at', 'emptied_at', 'visibility', 'password_hash', 'max_views', 'limited_views'];

/** 1 if a row counts, otherwise 0. */
export const counts = (name: string, row: Row): RawBuilder<number> =>
  (COUNTED[name] as (typeof COUNTED)[string])((column) => sql.ref(`${row}.${column}`));

const countedAnew = (name: string) =>
  sql`coalesce((select sum(${counts(name, 'images')}) from images where images.album_id = albums.id), 0)`;

/** Counts the images of all albums again; a `where` may follow. */
export const recountAlbums = (): RawBuilder<unknown> =>
  sql`update albums set ${sql.join(ALBUM_COUNTS.map((name) => sql`${sql.ref(name)} = ${countedAnew(name)}`))}`;

/** The condition that a count of an album is wrong. */
export const isMiscounted = (): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    ALBUM_COUNTS.map((name) => sql`${sql.ref(`albums.${name}`)} <> ${countedAnew(name)}`),
    sql` or `,
  )})`;

/** Adds a row to the counts of its album, or takes it away. */
export function recount(row: 'old' | 'new', sign: '+' | '-'): RawBuilder<unknown> {
  const sums = ALBUM_COUNTS.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} ${sql.raw(sign)} ${counts(name, row)}`);
  return sql`update albums set ${sql.join(sums)} where id = ${sql.ref(`${row}.album_id`)}`;
}

/** The condition that an update of a row of `images` changes a count. */
export const changesCounts = (): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    [sql`old.album_id is distinct from new.album_id`, ...ALBUM_COUNTS.map((name) => sql`${counts(name, 'old')} <> ${counts(name, 'new')}`)],
    sql` or `,
  )})`;
