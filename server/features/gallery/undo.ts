import { DAY_MS } from '#api/durations.ts';
import { tellAlbums } from '#server/core/albums/events.ts';
import type { ImageIndex } from '#server/core/images/image-index.ts';
import { isExpired, ownImages } from '#server/core/images/images.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { BatchUndoValuesTable, ImageRow } from '#server/platform/db/schema/library.ts';

/** How long a batch can be undone, and how many of a user's are remembered. */
const UNDO_PERIOD_MS = DAY_MS;
const MAX_BATCHES = 20;
/** Rows per commit, so that other writes run in between. */
const CHUNK = 200;
const REMOVAL_CHUNK = 2_000;

type Field = BatchUndoValuesTable['field'];
type Values = Pick<ImageRow, Field>;

const toText = (value: string | number | null) => (value === null ? null : String(value));

/** Notes what a batch is about to replace, in the unit of writing that replaces it. Unchanged images aren't part of it. */
export async function noteReplaced<F extends Field>(
  queries: Queries,
  { ownerId, token, now }: { ownerId: number; token: string; now: number },
  field: F,
  changes: readonly { row: ImageRow; after: Values[F] }[],
): Promise<void> {
  const changed = changes.filter(({ row, after }) => row[field] !== after);
  if (changed.length === 0) return;
  await queries
    .insertInto('batch_undos')
    .values({ token, owner_id: ownerId, created_at: now })
    .onConflict((conflict) => conflict.column('token').doNothing())
    .execute();
  const { id } = await queries.selectFrom('batch_undos').select('id').where('token', '=', token).executeTakeFirstOrThrow();
  await queries
    .insertInto('batch_undo_values')
    .values(changed.map(({ row, after }) => ({ batch_id: id, image_id: row.id, field, before: toText(row[field]), after: toText(after) })))
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
  { db, imageIndex }: { db: Database; imageIndex: ImageIndex },
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
    const { undone, failed } = await db.write((queries) => undoChunk(queries, ownerId, batch.id, Date.now()));
    for (const { key } of undone) imageIndex.forget(key);
    total.processed += undone.length;
    total.failed += failed;
    if (undone.length + failed === 0) break;
  }
  await db.write((queries) => queries.deleteFrom('batch_undos').where('id', '=', batch.id).execute());
  return total;
}

async function undoChunk(queries: Queries, ownerId: number, batchId: number, now: number): Promise<{ undone: ImageRow[]; failed: number }> {
  const values = await queries.selectFrom('batch_undo_values').selectAll().where('batch_id', '=', batchId).limit(CHUNK).execute();
  if (values.length === 0) return { undone: [], failed: 0 };
  const ids = values.map(({ image_id }) => image_id);
  const rows = await ownImages(queries, ownerId, 'id', ids).execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const albums = await ownAlbums(queries, ownerId, values);
  const undone: ImageRow[] = [];
  const told: (string | null)[] = [];
  for (const value of values) {
    const row = known.get(value.image_id);
    if (!row || row.deleted_at !== null || row.emptied_at !== null || toText(row[value.field]) !== value.after) continue;
    const columns = columnsOf(value, albums);
    // Neither brings back an expired image nor ends one.
    if (value.field === 'expires_at' && (isExpired(row, now) || isExpired({ ...row, ...columns }, now))) continue;
    await queries
      .updateTable('images')
      .set({ ...columns, updated_at: now })
      .where('id', '=', row.id)
      .execute();
    if (value.field === 'album_id') told.push(row.album_id, columns.album_id ?? null);
    undone.push(row);
  }
  await queries.deleteFrom('batch_undo_values').where('batch_id', '=', batchId).where('image_id', 'in', ids).execute();
  tellImages(queries, 'image.changed', undone);
  await tellAlbums(queries, told);
  return { undone, failed: values.length - undone.length };
}

/** The albums to put images back into that still exist. */
async function ownAlbums(queries: Queries, ownerId: number, values: readonly { field: Field; before: string | null }[]) {
  const ids = new Set(values.flatMap(({ field, before }) => (field === 'album_id' && before !== null ? [before] : [])));
  if (ids.size === 0) return ids;
  const rows = await queries
    .selectFrom('albums')
    .select('id')
    .where('id', 'in', [...ids])
    .where('owner_id', '=', ownerId)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function columnsOf({ field, before }: { field: Field; before: string | null }, albums: ReadonlySet<string>): Partial<Values> {
  switch (field) {
    case 'album_id':
      return { album_id: before !== null && albums.has(before) ? before : null };
    case 'expires_at':
      return { expires_at: before === null ? null : Number(before) };
    case 'visibility':
      return { visibility: before === 'private' ? 'private' : 'public' };
    case 'favourite':
      return { favourite: before === '1' ? 1 : 0 };
    case 'tags':
      return { tags: before ?? '[]' };
  }
}

/** Forgets a user's batches beyond the latest ones, so that what is remembered stays bounded. */
export async function forgetEarlier(db: Database, ownerId: number): Promise<void> {
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
export async function forgetUndos(db: Database, now: number): Promise<number> {
  const old = await db.read
    .selectFrom('batch_undos')
    .select('id')
    .where('created_at', '<', now - UNDO_PERIOD_MS)
    .executeTakeFirst();
  return old ? forgetSome(db, old.id) : 0;
}

/** Removes some values of a batch, or finally the batch. Returns 0 once there is nothing left of it. */
function forgetSome(db: Database, id: number): Promise<number> {
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
