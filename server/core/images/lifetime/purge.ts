import { tellImages } from '#server/core/journal/changes.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { releaseBlobs } from '#server/platform/storage/blob-rows.ts';

type Freed = Pick<ImageRow, 'id' | 'key' | 'owner_id' | 'policy_id' | 'sha256' | 'size' | 'emptied_at'>;

/**
 * Deletes images permanently in a unit of writing: rows and counters now, the bytes in the sweep once nothing uses them.
 * The caller must forget their keys in the image index afterwards.
 */
export async function purgeImages(queries: Queries, rows: readonly Freed[], now: number): Promise<void> {
  if (rows.length === 0) return;
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

/** Releases the storage of images: their blobs and their owners' quota. Emptied images have released theirs already. */
export async function freeBytes(queries: Queries, rows: readonly Freed[], now: number): Promise<void> {
  const full = rows.filter((row) => row.emptied_at === null);
  const refs = full.map(({ policy_id, sha256 }) => ({ policyId: policy_id, sha256 }));
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
