import type { RouteData, RouteParsed } from '#api/contract.ts';
import type { keepDuplicate as keepDuplicateRoute } from '#api/images/duplicates.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { findAddableAlbums, isAtLeast } from '#server/core/albums/members.ts';
import { addToAlbum, type Entry, entriesOf, placeInAlbum, touchImages } from '#server/core/images/album-entries.ts';
import { ownImages } from '#server/core/images/images.ts';
import { newUndo } from '#server/core/images/lifetime/trash.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { applyChange } from './batch.ts';
import type { OwnRows } from './restore.ts';
import { forgetEarlier, noteAlbums, noteCovers } from './undo.ts';

/**
 * Keeps one of several duplicates and moves the others to the trash, in one commit. The kept one takes their places in albums if that is
 * asked for. One undo takes back both.
 * @throws NotFoundError when one of them doesn't exist for this user
 */
export async function keepDuplicate(
  db: WritableDatabase,
  ownerId: number,
  { key, delete: keys, take_places }: RouteParsed<typeof keepDuplicateRoute, 'body'>,
): Promise<RouteData<typeof keepDuplicateRoute>> {
  const dropped = [...new Set(keys)].filter((other) => other !== key);
  const undo = newUndo();
  await db.write(async (queries) => {
    const now = Date.now();
    const all = (await ownImages(queries, ownerId, 'key', [key, ...dropped]).execute()).filter(({ deleted_at }) => deleted_at === null);
    const kept = all.find((row) => row.key === key);
    if (!kept || dropped.length === 0 || all.length <= dropped.length)
      throw new NotFoundError('One of these pictures no longer exists. Reload the list and try again.');
    const rows = dropped.flatMap((one) => all.find((row) => row.key === one) ?? []);
    if (take_places) await takePlaces(queries, { ownerId, rows, now }, kept, undo);
    await applyChange(queries, { ownerId, rows, now }, { action: 'trash', batch: undo });
  });
  await forgetEarlier(db, ownerId);
  return { results: dropped.map((one) => ({ key: one, ok: true })), processed: dropped.length, failed: 0, undo };
}

/** Puts an image into the albums of others, at their places and as the cover where one of them is. Albums into which the user may no longer add are left alone. */
async function takePlaces(queries: Queries, { ownerId, rows, now }: OwnRows, kept: ImageRow, token: string): Promise<void> {
  const entries = await entriesOf(queries, [kept, ...rows]);
  const before = entries.get(kept.id) ?? [];
  const own = new Set(before.map(({ id }) => id));
  const places = new Map<string, Entry>();
  for (const { id } of rows)
    for (const entry of entries.get(id) ?? []) if (!own.has(entry.id) && !places.has(entry.id)) places.set(entry.id, entry);
  const addable = await findAddableAlbums(queries, ownerId, [...own, ...places.keys()]);
  const taken = [...places.values()].filter(({ id }) => addable.has(id));
  const after = [...before.map(({ id }) => id), ...taken.map(({ id }) => id)];
  if (taken.length > 0) await noteAlbums(queries, { ownerId, token, now }, [{ row: kept, before, after }]);
  for (const { id, position } of taken) {
    const album = addable.get(id);
    if (!album) continue;
    await addToAlbum(queries, album, [kept.id], now);
    if (album.is_sorted === 1) await placeInAlbum(queries, id, kept.id, position);
  }
  const managed = [...addable.values()].filter(({ role }) => isAtLeast(role, 'manager'));
  for (const row of rows) {
    const albums = managed.filter(({ cover_key }) => cover_key === row.key).map(({ id }) => id);
    if (albums.length === 0) continue;
    await noteCovers(queries, { ownerId, token, now }, { row, kept, albums });
    await queries.updateTable('albums').set({ cover_key: kept.key, updated_at: now }).where('id', 'in', albums).execute();
  }
  if (taken.length === 0) return;
  await touchImages(queries, [kept.id], now);
  tellImages(queries, 'image.changed', [kept]);
  await enqueueAlbumUpdates(
    queries,
    taken.map(({ id }) => id),
  );
}
