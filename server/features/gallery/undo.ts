import { DAY_MS } from '#api/durations.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { findJoinedAlbums, isAtLeast } from '#server/core/albums/members.ts';
import {
  changedAlbums,
  type Entry,
  entriesOf,
  isSameList,
  noteIfUnsorted,
  placeInAlbum,
  setAlbums,
  touchImages,
} from '#server/core/images/album-entries.ts';
import { isExpired, ownImages } from '#server/core/images/images.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { readList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

/** How long a batch can be undone, and how many of a user's are remembered. */
const UNDO_PERIOD_MS = DAY_MS;
const MAX_BATCHES = 20;
/** Rows per commit, so that other writes run in between. */
const CHUNK = 200;
const REMOVAL_CHUNK = 2_000;
/** Rows per statement, whose parameters have a limit. */
const NOTED_AT_ONCE = 2_000;

type Field = Exclude<Tables['batch_undo_values']['field'], 'albums' | 'place' | 'covers'>;
type Values = Pick<ImageRow, Field>;
type Note = Pick<Tables['batch_undo_values'], 'image_id' | 'field' | 'before' | 'after'>;

const toText = (value: string | number | null) => (value === null ? null : String(value));

/** Notes what a batch is about to replace, in the unit of writing that replaces it. Unchanged images aren't part of it. */
export async function noteReplaced<F extends Field>(
  queries: Queries,
  unit: NotedUnit,
  field: F,
  changes: readonly { row: ImageRow; after: Values[F] }[],
): Promise<void> {
  const changed = changes.filter(({ row, after }) => row[field] !== after);
  const notes = changed.map(({ row, after }) => ({ image_id: row.id, field, before: toText(row[field]), after: toText(after) }));
  await note(queries, unit, notes);
}

/** Notes which albums a batch is about to take images out of, with their places there, and put them into. */
export async function noteAlbums(
  queries: Queries,
  unit: NotedUnit,
  changes: readonly { row: ImageRow; before: readonly Entry[]; after: readonly string[] }[],
): Promise<void> {
  const notes = changes.map(({ row, before, after }) => ({
    image_id: row.id,
    field: 'albums' as const,
    before: JSON.stringify(before),
    after: JSON.stringify(after.map((id) => ({ id }))),
  }));
  await note(queries, unit, notes);
}

/** Notes which places in an album images are about to leave. */
export async function notePlaces(
  queries: Queries,
  unit: NotedUnit,
  albumId: string,
  moves: readonly { image_id: number; from: number; to: number }[],
): Promise<void> {
  const place = (position: number) => JSON.stringify({ id: albumId, position } satisfies Entry);
  const notes = moves.map(({ image_id, from, to }) => ({ image_id, field: 'place' as const, before: place(from), after: place(to) }));
  await note(queries, unit, notes);
}

/** Notes which albums are about to get another cover instead of an image. */
export async function noteCovers(
  queries: Queries,
  unit: NotedUnit,
  { row, kept, albums }: { row: ImageRow; kept: ImageRow; albums: readonly string[] },
): Promise<void> {
  const covers = (key: string) => JSON.stringify({ key, albums });
  await note(queries, unit, [{ image_id: row.id, field: 'covers', before: covers(row.key), after: covers(kept.key) }]);
}

interface NotedUnit {
  ownerId: number;
  token: string;
  now: number;
}

async function note(queries: Queries, { ownerId, token, now }: NotedUnit, notes: readonly Note[]): Promise<void> {
  if (notes.length === 0) return;
  await queries
    .insertInto('batch_undos')
    .values({ token, owner_id: ownerId, created_at: now })
    .onConflict((conflict) => conflict.column('token').doNothing())
    .execute();
  const { id } = await queries.selectFrom('batch_undos').select('id').where('token', '=', token).executeTakeFirstOrThrow();
  for (let from = 0; from < notes.length; from += NOTED_AT_ONCE)
    await queries
      .insertInto('batch_undo_values')
      .values(notes.slice(from, from + NOTED_AT_ONCE).map((one) => ({ batch_id: id, ...one })))
      .execute();
}

/** Whether a batch replaced anything. */
export async function isNoted({ read }: Database, token: string): Promise<boolean> {
  return (await read.selectFrom('batch_undos').select('id').where('token', '=', token).executeTakeFirst()) !== undefined;
}

/**
 * Puts back what a batch replaced, and forgets it. Images that have since been changed in the same respect, deleted or given an expiry in the
 * past stay as they are and count as failed.
 * @returns undefined for a batch that this user doesn't have
 */
export async function undoBatch(
  db: WritableDatabase,
  ownerId: number,
  token: string,
): Promise<{ processed: number; failed: number } | undefined> {
  const batch = await db.read
    .selectFrom('batch_undos')
    .select('id')
    .where('token', '=', token)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  if (!batch) return undefined;
  const total = { processed: 0, failed: 0 };
  for (;;) {
    const { undone, placed, failed } = await db.write((queries) => undoChunk(queries, ownerId, batch.id, Date.now()));
    total.processed += undone.length + placed;
    total.failed += failed;
    if (undone.length + placed + failed === 0) break;
  }
  await db.write((queries) => queries.deleteFrom('batch_undos').where('id', '=', batch.id).execute());
  return total;
}

async function undoChunk(queries: Queries, ownerId: number, batchId: number, now: number) {
  const values = await queries.selectFrom('batch_undo_values').selectAll().where('batch_id', '=', batchId).limit(CHUNK).execute();
  if (values.length === 0) return { undone: [], placed: 0, failed: 0 };
  const ids = values.map(({ image_id }) => image_id);
  const undone = await undoValues(queries, ownerId, values, now);
  const placed = (await undoPlaces(queries, ownerId, values, now)) + (await undoCovers(queries, ownerId, values, now));
  await queries.deleteFrom('batch_undo_values').where('batch_id', '=', batchId).where('image_id', 'in', ids).execute();
  return { undone, placed, failed: values.length - undone.length - placed };
}

/** Puts images back to their former places in albums, and returns how many. */
async function undoPlaces(queries: Queries, ownerId: number, values: readonly Note[], now: number): Promise<number> {
  const notes = values.filter(({ field }) => field === 'place');
  const moves = notes.map(({ image_id, before, after }) => ({ image_id, before: readPlace(before), after: readPlace(after) }));
  const joined = await findJoinedAlbums(
    queries,
    ownerId,
    moves.map(({ before }) => before.id),
  );
  const albums = new Map([...joined].filter(([, { role }]) => isAtLeast(role, 'manager')));
  let placed = 0;
  for (const { image_id, before, after } of moves)
    if (albums.has(before.id) && (await placeInAlbum(queries, before.id, image_id, before.position, after.position))) placed++;
  for (const id of albums.keys()) await noteIfUnsorted(queries, id, now);
  await enqueueAlbumUpdates(queries, albums.keys());
  return placed;
}

/** Gives albums their former covers, and returns how many notes were about covers: one that was changed again stays, which is no failure. */
async function undoCovers(queries: Queries, ownerId: number, values: readonly Note[], now: number): Promise<number> {
  const notes = values.filter(({ field }) => field === 'covers');
  for (const { before, after } of notes) {
    const [former, present] = [readCovers(before), readCovers(after)];
    const joined = await findJoinedAlbums(queries, ownerId, former.albums);
    const managed = former.albums.filter((id) => isAtLeast(joined.get(id)?.role ?? 'viewer', 'manager'));
    if (managed.length === 0) continue;
    await queries
      .updateTable('albums')
      .set({ cover_key: former.key, updated_at: now })
      .where('id', 'in', managed)
      .where('cover_key', '=', present.key)
      .execute();
    await enqueueAlbumUpdates(queries, managed);
  }
  return notes.length;
}

const readCovers = (noted: string | null) => JSON.parse(noted ?? '') as { key: string; albums: string[] };

const readPlace = (noted: string | null) => JSON.parse(noted ?? '') as Entry;

/** Puts back what images had besides their places in albums, and returns those. */
async function undoValues(queries: Queries, ownerId: number, all: readonly Note[], now: number): Promise<ImageRow[]> {
  const values = all.flatMap(({ field, ...rest }) => (field === 'place' || field === 'covers' ? [] : [{ field, ...rest }]));
  if (values.length === 0) return [];
  const ids = values.map(({ image_id }) => image_id);
  const rows = await ownImages(queries, ownerId, 'id', ids).execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const entries = await entriesOf(queries, rows);
  const albums = await findJoinedAlbums(
    queries,
    ownerId,
    values.filter(({ field }) => field === 'albums').flatMap(({ before }) => readAlbums(before).map(({ id }) => id)),
  );
  const undone: ImageRow[] = [];
  const told: string[] = [];
  for (const { field, before, after, image_id } of values) {
    const row = known.get(image_id);
    if (!row || row.deleted_at !== null || row.emptied_at !== null) continue;
    if (field === 'albums') {
      const current = entries.get(row.id) ?? [];
      const wanted = readAlbums(before);
      if (
        !isSameList(
          current,
          readAlbums(after).map(({ id }) => id),
        )
      )
        continue;
      const stays = new Set(current.map(({ id }) => id));
      const usable = [...albums].filter(([id, { role }]) => stays.has(id) || isAtLeast(role, 'contributor'));
      await setAlbums(queries, row.id, wanted, new Map(usable), now);
      await touchImages(queries, [row.id], now);
      told.push(
        ...changedAlbums(
          current,
          wanted.map(({ id }) => id),
        ),
      );
      undone.push(row);
      continue;
    }
    if (toText(row[field]) !== after) continue;
    const columns = columnsOf({ field, before });
    // Neither brings back an expired image nor ends one.
    if (field === 'expires_at' && (isExpired(row, now) || isExpired({ ...row, ...columns }, now))) continue;
    await queries
      .updateTable('images')
      .set({ ...columns, updated_at: now })
      .where('id', '=', row.id)
      .execute();
    undone.push(row);
  }
  tellImages(queries, 'image.changed', undone);
  await enqueueAlbumUpdates(queries, told);
  return undone;
}

/** The albums of a note, with the places there before the batch. */
const readAlbums = (noted: string | null) => readList<{ id: string; position?: number }>(noted ?? '[]');

function columnsOf({ field, before }: { field: Field; before: string | null }): Partial<Values> {
  switch (field) {
    case 'expires_at':
      return { expires_at: before === null ? null : Number(before) };
    case 'visibility':
      return { visibility: before === 'private' ? 'private' : 'public' };
    case 'favourite':
      return { favourite: before === '1' ? 1 : 0 };
    case 'tags':
      return { tags: before ?? '[]' };
    case 'taken_at':
      return { taken_at: Number(before) };
  }
}

/** Forgets a user's batches beyond the latest ones, so that what is remembered stays bounded. */
export async function forgetEarlier(db: WritableDatabase, ownerId: number): Promise<void> {
  const earlier = await db.read
    .selectFrom('batch_undos')
    .select('id')
    .where('owner_id', '=', ownerId)
    .orderBy('id', 'desc')
    .limit(Number.MAX_SAFE_INTEGER)
    .offset(MAX_BATCHES - 1)
    .execute();
  for (const { id } of earlier) while ((await forgetSome(db, id)) > 0);
}

/** Forgets a part of what can no longer be undone, and returns how much. */
export async function forgetUndos(db: WritableDatabase, now: number): Promise<number> {
  const old = await db.read
    .selectFrom('batch_undos')
    .select('id')
    .where('created_at', '<', now - UNDO_PERIOD_MS)
    .executeTakeFirst();
  return old ? forgetSome(db, old.id) : 0;
}

/** Removes some values of a batch, or finally the batch. Returns 0 once there is nothing left of it. */
function forgetSome(db: WritableDatabase, id: number): Promise<number> {
  return db.write(async (queries) => {
    const some = queries.selectFrom('batch_undo_values').select('image_id').where('batch_id', '=', id).limit(REMOVAL_CHUNK);
    const values = await queries
      .deleteFrom('batch_undo_values')
      .where('batch_id', '=', id)
      .where('image_id', 'in', some)
      .executeTakeFirst();
    if (values.numDeletedRows > 0) return Number(values.numDeletedRows);
    const { numDeletedRows } = await queries.deleteFrom('batch_undos').where('id', '=', id).executeTakeFirst();
    return Number(numDeletedRows);
  });
}
