import type { RouteParsed } from '#api/contract.ts';
import type { BatchResult, batchImages } from '#api/images/changes.ts';
import { canBeTaken, MIN_TAKEN_YEAR } from '#api/images/taken-at.ts';
import { groupOfUser } from '#server/core/accounts/groups.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { requireAddableAlbum, requireRole } from '#server/core/albums/members.ts';
import { isDeleted } from '#server/core/images/access.ts';
import {
  addToAlbum,
  changedAlbums,
  entriesOf,
  isSameList,
  moveToAlbum,
  removeFromAlbums,
  touchImages,
} from '#server/core/images/album-entries.ts';
import { expiryOf, requireExpiryWithin } from '#server/core/images/asked-expiry.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { isExpired, ownImages } from '#server/core/images/images.ts';
import { expireDue } from '#server/core/images/lifetime/expiry.ts';
import { purgeImages } from '#server/core/images/lifetime/purge.ts';
import { changeTags } from '#server/core/images/text/tags.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { enqueueEvents } from '#server/core/journal/events.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { type OwnRows, restoreImages } from './restore.ts';
import { noteAlbums, noteReplaced } from './undo.ts';

/** What a request says about the images that it changes. */
type Target = 'keys' | 'query' | 'except_keys' | 'undo' | 'continues';
type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/**
 * An action on several images. `trashedOnly` restricts a purge to images in the trash; `batch` is what undoes a change later;
 * `expiredStay` leaves expired images in the trash.
 */
export type BatchChange = (Without<Exclude<RouteParsed<typeof batchImages, 'body'>, { action: 'undo' }>, Target> | AlbumChange) & {
  trashedOnly?: boolean;
  batch?: string;
  expiredStay?: boolean;
};
/** Adds images to an album, or removes them from it. */
type AlbumChange =
  | { action: 'album_add'; album_id: string }
  /** `alsoOthers`: the user manages the album, and may remove the pictures of other members. */
  | { action: 'album_remove'; album_id: string; alsoOthers: boolean };
type Of<A extends BatchChange['action']> = Extract<BatchChange, { action: A }>;
/** Why an image is left unchanged; undefined when it was changed. */
type Refusal = BatchResult['code'];

/** Applies one action to several of a user's images in one commit. Another user's images count as unknown. */
export async function changeOwnImages(
  db: WritableDatabase,
  ownerId: number,
  keys: readonly string[],
  change: BatchChange,
): Promise<BatchResult[]> {
  const unique = [...new Set(keys)];
  if (change.action === 'restore' || change.action === 'purge') await expireDue(db, Date.now());
  const refusals = await db.write(async (queries) => {
    if (change.action === 'expiry') requireExpiryWithin(await groupOfUser(queries, ownerId), change, Date.now());
    const rows = await ownImages(queries, ownerId, 'key', unique).execute();
    if (change.action === 'album_remove' && change.alsoOthers) rows.push(...(await othersIn(queries, change.album_id, ownerId, unique)));
    return applyChange(queries, { ownerId, rows, now: Date.now() }, change);
  });
  return unique.map((key) => {
    const code = refusals.has(key) ? refusals.get(key) : 'not_found';
    return code ? { key, ok: false, code } : { key, ok: true };
  });
}

/** Those images in an album that aren't this user's. */
async function othersIn(queries: Queries, albumId: string, ownerId: number, keys: readonly string[]): Promise<ImageRow[]> {
  await requireRole(queries, ownerId, albumId, 'manager');
  return queries
    .selectFrom('album_images')
    .innerJoin('images', 'images.id', 'album_images.image_id')
    .selectAll('images')
    .where('images.key', 'in', keys)
    .where('album_images.album_id', '=', albumId)
    .where('owner_id', '<>', ownerId)
    .execute();
}

/** Returns the result for every row; rows that are missing from it don't exist for this action. */
export async function applyChange(queries: Queries, { ownerId, rows, now }: OwnRows, change: BatchChange): Promise<Map<string, Refusal>> {
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
  if (change.action === 'date') return dateAll(queries, { ownerId, rows: targets, now }, change);
  // An expiry can't bring an expired image back.
  const tooLate = (row: ImageRow) => change.action === 'expiry' && isExpired(row, now);
  const refusals = new Map<string, Refusal>(targets.map((row) => [row.key, tooLate(row) ? 'expired' : undefined]));
  const changed = targets.filter(({ key }) => refusals.get(key) === undefined);
  if (changed.length === 0) return refusals;
  if (isAlbumChange(change)) {
    await changeAlbums(queries, { ownerId, rows: changed, now }, change);
    return refusals;
  }
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
  return refusals;
}

const isAlbumChange = (change: BatchChange): change is (Of<'move'> | AlbumChange) & BatchChange =>
  change.action === 'move' || change.action === 'album_add' || change.action === 'album_remove';

/** Changes the albums of images. Those that aren't affected stay untouched. */
async function changeAlbums(
  queries: Queries,
  { ownerId, rows, now }: OwnRows,
  { action, album_id, batch }: (Of<'move'> | AlbumChange) & Pick<BatchChange, 'batch'>,
): Promise<void> {
  const album =
    album_id === null
      ? undefined
      : action === 'album_remove'
        ? await requireRole(queries, ownerId, album_id, 'viewer')
        : await requireAddableAlbum(queries, ownerId, album_id);
  const before = await entriesOf(queries, rows);
  const changes = rows.map((row) => {
    const entries = before.get(row.id) ?? [];
    const ids = entries.map(({ id }) => id);
    return { row, before: entries, after: albumsAfter(ids, action, album_id) };
  });
  const changed = changes.filter(({ before: entries, after }) => !isSameList(entries, after));
  const ids = changed.map(({ row }) => row.id);
  // Only a picture's owner puts it into an album, so only they can undo its removal.
  const own = changed.filter(({ row }) => row.owner_id === ownerId);
  if (batch) await noteAlbums(queries, { ownerId, token: batch, now }, own);
  if (!album) await removeFromAlbums(queries, ids);
  else if (action === 'move') await moveToAlbum(queries, album, ids, now);
  else if (action === 'album_add') await addToAlbum(queries, album, ids, now);
  else await removeFromAlbums(queries, ids, album.id);
  await touchImages(queries, ids, now);
  const moved = changed.map(({ row }) => row);
  tellImages(queries, 'image.changed', moved);
  await enqueueAlbumUpdates(
    queries,
    changed.flatMap(({ before: entries, after }) => changedAlbums(entries, after)),
  );
}

function albumsAfter([first, ...others]: string[], action: 'move' | AlbumChange['action'], albumId: string | null): string[] {
  if (albumId === null) return [];
  const rest = others.filter((id) => id !== albumId);
  if (action === 'move') return [albumId, ...rest];
  const all = first === undefined || first === albumId ? rest : [first, ...rest];
  if (action === 'album_remove') return all;
  return first === albumId ? [albumId, ...rest] : others.includes(albumId) ? [first as string, ...others] : [...all, albumId];
}

function columnsOf(change: Of<'trash' | 'visibility' | 'favourite' | 'expiry'>, now: number) {
  switch (change.action) {
    case 'trash':
      return { deleted_at: now, trash_reason: null, trash_batch: change.batch ?? null };
    case 'visibility':
      return { visibility: change.visibility };
    case 'favourite':
      return { favourite: change.favourite ? (1 as const) : (0 as const) };
    case 'expiry':
      return { expires_at: expiryOf(change, now) };
  }
}

/** What was moved to the trash is marked there, and needs no note. */
async function noteFor(
  queries: Queries,
  unit: Parameters<typeof noteReplaced>[1],
  rows: readonly ImageRow[],
  columns: ReturnType<typeof columnsOf>,
) {
  const { visibility, favourite, expires_at } = columns;
  const changes = <T>(after: T) => rows.map((row) => ({ row, after }));
  if (visibility !== undefined) await noteReplaced(queries, unit, 'visibility', changes(visibility));
  if (favourite !== undefined) await noteReplaced(queries, unit, 'favourite', changes(favourite));
  if (expires_at !== undefined) await noteReplaced(queries, unit, 'expires_at', changes(expires_at));
}

/** @throws InvalidRequestError, without any change, if one of the pictures would have a date that no picture has */
async function dateAll(
  queries: Queries,
  { ownerId, rows, now }: OwnRows,
  { taken_at, shift_seconds = 0, batch }: Of<'date'>,
): Promise<Map<string, Refusal>> {
  const shift = shift_seconds * 1000;
  const time = taken_at === undefined ? undefined : Date.parse(taken_at);
  const changes = rows.map((row) => ({ row, after: time ?? row.taken_at + shift })).filter(({ row, after }) => row.taken_at !== after);
  requireDates(changes.map(({ after }) => after));
  const changed = changes.map(({ row }) => row);
  if (batch) await noteReplaced(queries, { ownerId, token: batch, now }, 'taken_at', changes);
  if (changed.length > 0)
    await queries
      .updateTable('images')
      .set((row) => ({ taken_at: time ?? row('taken_at', '+', shift), updated_at: now }))
      .where(
        'id',
        'in',
        changed.map(({ id }) => id),
      )
      .execute();
  tellImages(queries, 'image.changed', changed);
  return new Map(rows.map(({ key }) => [key, undefined]));
}

/** @throws InvalidRequestError */
export function requireDates(times: readonly number[]): void {
  if (times.every((time) => canBeTaken(time))) return;
  const message = `That would date some pictures before ${MIN_TAKEN_YEAR} or after next year. Nothing has been changed.`;
  throw new InvalidRequestError(message, { field: 'shift_seconds' });
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
