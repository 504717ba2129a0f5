import type { RouteParsed } from '#api/contract.ts';
import type { BatchResult, batchImages } from '#api/images/changes.ts';
import { requireOwnAlbum } from '#server/core/albums/albums.ts';
import { tellAlbums } from '#server/core/albums/events.ts';
import { isDeleted } from '#server/core/images/access.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import type { ImageIndex } from '#server/core/images/image-index.ts';
import { isExpired, ownImages } from '#server/core/images/images.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { purgeImages } from '#server/core/images/lifetime/purge.ts';
import { changeTags } from '#server/core/images/text/tags.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { type OwnRows, restoreImages } from './restore.ts';
import { noteReplaced } from './undo.ts';

/** What a request says about the images that it changes. */
type Target = 'keys' | 'query' | 'except_keys' | 'undo' | 'continues';
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/**
 * An action on several images. `trashedOnly` restricts a purge to images in the trash; `batch` is what undoes a change later;
 * `expiredStay` leaves expired images in the trash.
 */
export type Change = Without<Exclude<RouteParsed<typeof batchImages, 'body'>, { action: 'undo' }>, Target> & {
  trashedOnly?: boolean;
  batch?: string;
  expiredStay?: boolean;
};
type Of<A extends Change['action']> = Extract<Change, { action: A }>;
/** Why an image is left unchanged; undefined when it was changed. */
type Refusal = BatchResult['code'];

/** Applies one action to several of a user's images in one commit. Another user's images count as unknown. */
export async function changeOwnImages(
  { db, imageIndex }: { db: Database; imageIndex: ImageIndex },
  ownerId: number,
  keys: readonly string[],
  change: Change,
): Promise<BatchResult[]> {
  const unique = [...new Set(keys)];
  if (change.action === 'restore' || change.action === 'purge') await expireDue({ db, imageIndex }, Date.now());
  const refusals = await db.write(async (queries) => {
    if (change.action === 'move' && change.album_id) await requireOwnAlbum(queries, ownerId, change.album_id);
    const rows = await ownImages(queries, ownerId, 'key', unique).execute();
    return apply(queries, { ownerId, rows, now: Date.now() }, change);
  });
  for (const key of unique) imageIndex.forget(key);
  return unique.map((key) => {
    const code = refusals.has(key) ? refusals.get(key) : 'not_found';
    return code ? { key, ok: false, code } : { key, ok: true };
  });
}

/** Returns the result for every row; rows that are missing from it don't exist for this action. */
async function apply(queries: Queries, { ownerId, rows, now }: OwnRows, change: Change): Promise<Map<string, Refusal>> {
  if (change.action === 'purge') {
    const purged = change.trashedOnly ? rows.filter((row) => row.deleted_at !== null) : rows;
    await enqueueEvents(queries, purged.filter(({ deleted_at }) => deleted_at === null).map(imageDeleted));
    await purgeImages(queries, purged, now);
    return new Map(purged.map(({ key }) => [key, undefined]));
  }
  if (change.action === 'restore') return restoreImages(queries, { ownerId, rows, now }, change);
  // Deleting an expired image again is what its owner could do before it expired.
  const targets = rows.filter((row) => row.deleted_at === null || (change.action === 'trash' && !isDeleted(row)));
  if (change.action === 'tag') return tagAll(queries, { ownerId, rows: targets, now }, change);
  // An expiry can't bring an expired image back.
  const tooLate = (row: ImageRow) => change.action === 'expiry' && isExpired(row, now);
  const refusals = new Map<string, Refusal>(targets.map((row) => [row.key, tooLate(row) ? 'expired' : undefined]));
  const changed = targets.filter(({ key }) => refusals.get(key) === undefined);
  if (changed.length === 0) return refusals;
  const columns = columnsOf(change, now);
  if (change.batch) await noteFor(queries, { ownerId, token: change.batch, now }, changed, columns);
  await queries
    .updateTable('images')
    .set({ ...columns, updated_at: now })
    .where(
      'id',
      'in',
      changed.map(({ id }) => id),
    )
    .execute();
  if (change.action === 'trash') await enqueueEvents(queries, changed.map(imageDeleted));
  else tellImages(queries, 'image.changed', changed);
  if (change.action === 'move') await tellAlbums(queries, [change.album_id, ...changed.map(({ album_id }) => album_id)]);
  return refusals;
}

function columnsOf(change: Exclude<Change, Of<'purge' | 'tag' | 'restore'>>, now: number) {
  switch (change.action) {
    case 'trash':
      return { deleted_at: now, trash_reason: null, trash_batch: change.batch ?? null };
    case 'move':
      return { album_id: change.album_id };
    case 'visibility':
      return { visibility: change.visibility };
    case 'favourite':
      return { favourite: change.favourite ? (1 as const) : (0 as const) };
    case 'expiry':
      return { expires_at: change.expires_in === 0 ? null : now + change.expires_in * 1000 };
  }
}

/** What was moved to the trash is marked there, and needs no note. */
async function noteFor(
  queries: Queries,
  unit: Parameters<typeof noteReplaced>[1],
  rows: readonly ImageRow[],
  columns: ReturnType<typeof columnsOf>,
) {
  const { album_id, visibility, favourite, expires_at } = columns;
  const changes = <T>(after: T) => rows.map((row) => ({ row, after }));
  if (album_id !== undefined) await noteReplaced(queries, unit, 'album_id', changes(album_id));
  if (visibility !== undefined) await noteReplaced(queries, unit, 'visibility', changes(visibility));
  if (favourite !== undefined) await noteReplaced(queries, unit, 'favourite', changes(favourite));
  if (expires_at !== undefined) await noteReplaced(queries, unit, 'expires_at', changes(expires_at));
}

async function tagAll(queries: Queries, { ownerId, rows, now }: OwnRows, { tags, mode, batch }: Of<'tag'>): Promise<Map<string, Refusal>> {
  const refusals = new Map<string, Refusal>();
  const replaced: { row: ImageRow; after: string }[] = [];
  for (const row of rows) {
    const { id, key, tags: current } = row;
    const changed = changeTags(readList(current), mode, tags);
    refusals.set(key, changed ? undefined : 'invalid_request');
    if (!changed) continue;
    replaced.push({ row, after: storeList(changed) });
    await queries
      .updateTable('images')
      .set({ tags: storeList(changed), updated_at: now })
      .where('id', '=', id)
      .execute();
  }
  tellImages(
    queries,
    'image.changed',
    replaced.map(({ row }) => row),
  );
  if (batch) await noteReplaced(queries, { ownerId, token: batch, now }, 'tags', replaced);
  return refusals;
}
