import { keepSlugs } from '#server/core/images/slugs.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { blobsOf, releaseBlobs } from '#server/platform/storage/blob-rows.ts';

type Freed = Pick<
  ImageRow,
  | 'id'
  | 'key'
  | 'owner_id'
  | 'policy_id'
  | 'sha256'
  | 'poster_policy_id'
  | 'poster_sha256'
  | 'size'
  | 'emptied_at'
  | 'trash_reason'
  | 'slug'
  | 'deleted_at'
>;

/**
 * Deletes images permanently in a unit of writing: rows and counters now, the bytes in the sweep once nothing uses them.
 * The caller must forget their keys in the image index afterwards.
 */
export async function purgeImages(queries: Queries, rows: readonly Freed[], now: number): Promise<void> {
  if (rows.length === 0) return;
  await freePlaces(queries, rows);
  await keepSlugs(queries, rows, now);
  await queries
    .deleteFrom('images')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
  tellImages(queries, 'image.deleted', rows);
  await freeBytes(queries, rows, now);
}

/** Request links have room again for the pictures that their senders removed. Those that their owner has deleted keep counting (decision 141). */
async function freePlaces(queries: Queries, rows: readonly Pick<Freed, 'id' | 'trash_reason'>[]): Promise<void> {
  const removed = rows.filter(({ trash_reason }) => trash_reason === 'removed').map(({ id }) => id);
  if (removed.length === 0) return;
  const places = await queries
    .selectFrom('request_files')
    .innerJoin('request_batches', 'request_batches.id', 'request_files.batch_id')
    .select((row) => ['request_id', row.fn.countAll<number>().as('count'), row.fn.sum<number>('size').as('bytes')])
    .where('image_id', 'in', removed)
    .groupBy('request_id')
    .execute();
  for (const { request_id, count, bytes } of places)
    await queries
      .updateTable('request_links')
      .set((row) => ({ file_count: row('file_count', '-', Number(count)), byte_count: row('byte_count', '-', Number(bytes)) }))
      .where('id', '=', request_id)
      .execute();
}

/** Releases the storage of images: their blobs and their owners' quota. Emptied images have released theirs already. */
export async function freeBytes(queries: Queries, rows: readonly Freed[], now: number): Promise<void> {
  const full = rows.filter((row) => row.emptied_at === null);
  const refs = full.flatMap(blobsOf);
  await releaseBlobs(queries, refs, now);
  for (const [ownerId, { bytes, images }] of sumByOwner(full)) {
    await queries
      .updateTable('users')
      .set((row) => ({ storage_used_bytes: row('storage_used_bytes', '-', bytes), image_count: row('image_count', '-', images) }))
      .where('id', '=', ownerId)
      .execute();
  }
}

function sumByOwner(rows: readonly Freed[]): Map<number, { bytes: number; images: number }> {
  const sums = new Map<number, { bytes: number; images: number }>();
  for (const { owner_id, size } of rows) {
    if (owner_id === null) continue; // guests have no quota
    const { bytes, images } = sums.get(owner_id) ?? { bytes: 0, images: 0 };
    sums.set(owner_id, { bytes: bytes + size, images: images + 1 });
  }
  return sums;
}
