import { type RawBuilder, sql } from 'kysely';
import { ENTRY_STATE, stateOfImage } from './album-entries.ts';

const { open, closed, limited_open, limited_closed } = ENTRY_STATE;

/**
 * What `albums` counts of its entries: those in one of these states. Triggers keep the numbers. Pictures that expired a moment ago still
 * count until the job has moved them to the trash.
 */
const COUNTED: Record<string, readonly number[]> = {
  image_count: [open, closed, limited_open, limited_closed],
  open_count: [open],
  trusted_count: [open, closed],
  limited_open_count: [limited_open],
  limited_count: [limited_open, limited_closed],
};

export const ALBUM_COUNTS = Object.keys(COUNTED);

/** 1 if an entry counts, otherwise 0. */
const counts = (name: string, state: RawBuilder<unknown>) =>
  sql<number>`case when ${state} in (${sql.raw((COUNTED[name] as readonly number[]).join(', '))}) then 1 else 0 end`;

const REAL_STATE = stateOfImage('images');
const countedAnew = (name: string) =>
  sql`coalesce((select sum(${counts(name, REAL_STATE)}) from album_images
    join images on images.id = album_images.image_id where album_images.album_id = albums.id), 0)`;

/** Counts the images of all albums again; a `where` may follow. */
export const recountAlbums = (): RawBuilder<unknown> =>
  sql`update albums set ${sql.join(ALBUM_COUNTS.map((name) => sql`${sql.ref(name)} = ${countedAnew(name)}`))}`;

/** The condition that a count of an album is wrong. */
export const isMiscounted = (): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    ALBUM_COUNTS.map((name) => sql`${sql.ref(`albums.${name}`)} <> ${countedAnew(name)}`),
    sql` or `,
  )})`;

/** Adds a row of `album_images` to the counts of its album, or takes it away. */
export function recount(row: 'old' | 'new', sign: '+' | '-'): RawBuilder<unknown> {
  const state = sql.ref(`${row}.state`);
  const sums = ALBUM_COUNTS.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} ${sql.raw(sign)} ${counts(name, state)}`);
  return sql`update albums set ${sql.join(sums)} where id = ${sql.ref(`${row}.album_id`)}`;
}

/** The sums of what rows of `album_images` count, by album; with `-` to take them away. */
export const countsOf = (rows: string, sign: '' | '-' = ''): RawBuilder<unknown> =>
  sql`select album_id, ${sql.join(
    ALBUM_COUNTS.map((name) => sql`${sql.raw(sign)} sum(${counts(name, sql.ref(`${rows}.state`))}) as ${sql.ref(name)}`),
  )} from ${sql.ref(rows)} group by album_id`;

/** Adds sums to the counts of all albums that they are of. */
export const recountBy = (sums: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`update albums set ${sql.join(ALBUM_COUNTS.map((name) => sql`${sql.ref(name)} = albums.${sql.ref(name)} + sums.${sql.ref(name)}`))}
    from (${sums}) as sums where albums.id = sums.album_id`;
