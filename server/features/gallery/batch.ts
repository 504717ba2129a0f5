import type { RouteParsed } from '#api/contract.ts';
import type { BatchResult, batchImages } from '#api/image-changes.ts';
import { requireOwnAlbum } from '#server/core/albums/albums.ts';
import { tellAlbums } from '#server/core/albums/events.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import type { ImageIndex } from '#server/core/images/image-index.ts';
import { isExpired } from '#server/core/images/images.ts';
import { purgeImages } from '#server/core/images/purge.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { changeTags } from './tags.ts';

/** An action on several images. `trashedOnly` restricts a purge to images in the trash. */
export type Batch = RouteParsed<typeof batchImages, 'body'> & { trashedOnly?: boolean };
type Of<A extends Batch['action']> = Extract<Batch, { action: A }>;
/** Why an image is left unchanged; undefined when it was changed. */
type Refusal = BatchResult['code'];

/** Applies one action to several of a user's images in one commit. Another user's images count as unknown. */
export async function changeOwnImages(
  { db, imageIndex }: { db: Database; imageIndex: ImageIndex },
  ownerId: number,
  batch: Batch,
): Promise<BatchResult[]> {
  const keys = [...new Set(batch.keys)];
  const refusals = await db.write(async (queries) => {
    if (batch.action === 'move' && batch.album_id) await requireOwnAlbum(queries, ownerId, batch.album_id);
    const rows = await queries.selectFrom('images').selectAll().where('key', 'in', keys).where('owner_id', '=', ownerId).execute();
    return apply(queries, rows, batch, Date.now());
  });
  for (const key of keys) imageIndex.forget(key);
  return keys.map((key) => {
    const code = refusals.has(key) ? refusals.get(key) : 'not_found';
    return code ? { key, ok: false, code } : { key, ok: true };
  });
}

/** Returns the result for every row; rows that are missing from it don't exist for this action. */
async function apply(queries: Queries, rows: ImageRow[], batch: Batch, now: number): Promise<Map<string, Refusal>> {
  if (batch.action === 'purge') {
    const purged = batch.trashedOnly ? rows.filter((row) => row.deleted_at !== null) : rows;
    await enqueueEvents(queries, purged.filter(({ deleted_at }) => deleted_at === null).map(imageDeleted));
    await purgeImages(queries, purged, now);
    return new Map(purged.map(({ key }) => [key, undefined]));
  }
  const trashed = batch.action === 'restore';
  const targets = rows.filter((row) => (row.deleted_at !== null) === trashed);
  if (batch.action === 'tag') return tagAll(queries, targets, batch, now);
  const refusals = new Map<string, Refusal>(targets.map((row) => [row.key, trashed && isExpired(row, now) ? 'expired' : undefined]));
  const changed = targets.filter(({ key }) => refusals.get(key) === undefined);
  if (changed.length === 0) return refusals;
  await queries
    .updateTable('images')
    .set({ ...columnsOf(batch, now), updated_at: now })
    .where(
      'id',
      'in',
      changed.map(({ id }) => id),
    )
    .execute();
  if (batch.action === 'trash') await enqueueEvents(queries, changed.map(imageDeleted));
  if (batch.action === 'move') await tellAlbums(queries, [batch.album_id, ...changed.map(({ album_id }) => album_id)]);
  return refusals;
}

function columnsOf(batch: Exclude<Batch, Of<'purge' | 'tag'>>, now: number) {
  switch (batch.action) {
    case 'trash':
      return { deleted_at: now };
    case 'restore':
      return { deleted_at: null };
    case 'move':
      return { album_id: batch.album_id };
    case 'visibility':
      return { visibility: batch.visibility };
  }
}

async function tagAll(queries: Queries, rows: ImageRow[], { tags, mode }: Of<'tag'>, now: number): Promise<Map<string, Refusal>> {
  const refusals = new Map<string, Refusal>();
  for (const { id, key, tags: current } of rows) {
    const changed = changeTags(readList(current), mode, tags);
    refusals.set(key, changed ? undefined : 'invalid_request');
    if (!changed) continue;
    await queries
      .updateTable('images')
      .set({ tags: storeList(changed), updated_at: now })
      .where('id', '=', id)
      .execute();
  }
  return refusals;
}
