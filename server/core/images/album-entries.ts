import { sql } from 'kysely';
import { entryOf, POSITIONS_PER_MS } from '#server/platform/db/album-entries.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';

type Placed = Pick<ImageRow, 'id' | 'album_id'>;
type Album = Pick<AlbumRow, 'id' | 'is_sorted'>;

/** An image's place in an album. */
export interface Entry {
  id: string;
  position: number;
}

/** The albums of images by the ids of the images, each image's first album first. Images without albums are left out. */
export async function entriesOf(queries: Queries, images: readonly Placed[]): Promise<Map<number, Entry[]>> {
  const first = new Map(images.flatMap(({ id, album_id }) => (album_id === null ? [] : [[id, album_id]])));
  const entries = new Map<number, Entry[]>();
  if (first.size === 0) return entries;
  const rows = await queries
    .selectFrom('album_images')
    .select(['image_id', 'album_id', 'position'])
    .where('image_id', 'in', [...first.keys()])
    .orderBy('added_at')
    .orderBy('album_id')
    .execute();
  for (const [id, some] of Map.groupBy(rows, (row) => row.image_id)) {
    const isFirst = (row: { album_id: string }) => row.album_id === first.get(id);
    const sorted = [...some.filter(isFirst), ...some.filter((row) => !isFirst(row))];
    entries.set(
      id,
      sorted.map(({ album_id, position }) => ({ id: album_id, position })),
    );
  }
  return entries;
}

/** Adds images to an album, in a unit of writing. An album that has been sorted shows them before its others. */
export async function addToAlbum(queries: Queries, album: Album, imageIds: readonly number[], now: number): Promise<void> {
  const absent = await absentFrom(queries, album.id, imageIds);
  if (absent.length === 0) return;
  await sql`${entryOf('images', sql`${album.id}`, sql`cast(${now} as bigint)`)} from images where images.id in (${sql.join(absent)})`.execute(
    queries,
  );
  await showFirst(queries, album, absent, now);
}

/** Replaces the first album of images, or puts those without albums into one, in a unit of writing. */
export async function moveToAlbum(queries: Queries, album: Album, imageIds: readonly number[], now: number): Promise<void> {
  if (imageIds.length === 0) return;
  const absent = await absentFrom(queries, album.id, imageIds);
  // A trigger replaces the entries.
  await queries.updateTable('images').set({ album_id: album.id }).where('id', 'in', imageIds).execute();
  await showFirst(queries, album, absent, now);
}

/** Removes images from the albums that the entries name, in a unit of writing. */
export async function removeEntries(queries: Queries, entries: readonly { image_id: number; album_id: string }[]): Promise<void> {
  for (const [albumId, some] of Map.groupBy(entries, ({ album_id }) => album_id)) {
    const imageIds = some.map(({ image_id }) => image_id);
    await removeFromAlbums(queries, imageIds, albumId);
  }
}

/** Removes images from one album, or from all, in a unit of writing. */
export async function removeFromAlbums(queries: Queries, imageIds: readonly number[], albumId?: string): Promise<void> {
  if (imageIds.length === 0) return;
  await queries
    .deleteFrom('album_images')
    .where('image_id', 'in', imageIds)
    .$if(albumId !== undefined, (query) => query.where('album_id', '=', albumId as string))
    .execute();
}

/**
 * Puts an image into exactly these albums, in a unit of writing; the first one becomes its `album_id`. Albums that aren't among `albums` are
 * left out.
 * @param wanted with the positions to put back, if any
 */
export async function setAlbums(
  queries: Queries,
  imageId: number,
  wanted: readonly (Pick<Entry, 'id'> & Partial<Entry>)[],
  albums: ReadonlyMap<string, Album>,
  now: number,
): Promise<void> {
  const kept = wanted.filter(({ id }) => albums.has(id));
  const [first, ...others] = kept.flatMap(({ id }) => albums.get(id) ?? []);
  if (!first) return await removeFromAlbums(queries, [imageId]);
  await moveToAlbum(queries, first, [imageId], now);
  for (const album of others) await addToAlbum(queries, album, [imageId], now);
  const ids = kept.map(({ id }) => id);
  await queries.deleteFrom('album_images').where('image_id', '=', imageId).where('album_id', 'not in', ids).execute();
  for (const { id, position } of kept) if (position !== undefined) await placeInAlbum(queries, id, imageId, position);
}

/** Whether an image is in exactly these albums, with the same first one. */
export function isSameList(entries: readonly Entry[], albumIds: readonly string[]): boolean {
  const ids = new Set(albumIds);
  return entries.length === ids.size && entries[0]?.id === albumIds[0] && entries.every(({ id }) => ids.has(id));
}

/** The albums that an image leaves or gets into. */
export function changedAlbums(entries: readonly Entry[], albumIds: readonly string[]): string[] {
  const [before, after] = [new Set(entries.map(({ id }) => id)), new Set(albumIds)];
  return [...before, ...after].filter((id) => before.has(id) !== after.has(id));
}

/** Records that images were changed. */
export async function touchImages(queries: Queries, imageIds: readonly number[], now: number): Promise<void> {
  if (imageIds.length > 0) await queries.updateTable('images').set({ updated_at: now }).where('id', 'in', imageIds).execute();
}

/**
 * Gives an image in an album another position.
 * @param from where it must be
 * @returns whether it is in the album, and there
 */
export async function placeInAlbum(queries: Queries, albumId: string, imageId: number, position: number, from?: number): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('album_images')
    .set({ position })
    .where('album_id', '=', albumId)
    .where('image_id', '=', imageId)
    .$if(from !== undefined, (query) => query.where('position', '=', from as number))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0;
}

/** Records of an album whose images all have the places of their upload again that it isn't sorted. */
export async function noteIfUnsorted(queries: Queries, albumId: string, now: number): Promise<void> {
  const moved = queries
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', albumId)
    .where('position', '<>', sql<number>`uploaded_at * ${sql.raw(String(POSITIONS_PER_MS))}`);
  await queries
    .updateTable('albums')
    .set({ is_sorted: 0, updated_at: now })
    .where('id', '=', albumId)
    .where(({ exists, not }) => not(exists(moved)))
    .execute();
}

async function absentFrom(queries: Queries, albumId: string, imageIds: readonly number[]): Promise<number[]> {
  if (imageIds.length === 0) return [];
  const present = await queries
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', albumId)
    .where('image_id', 'in', imageIds)
    .execute();
  const known = new Set(present.map(({ image_id }) => image_id));
  return imageIds.filter((id) => !known.has(id));
}

/** In a sorted album, images that were added at `now` come first, the latest uploads before others. */
async function showFirst(queries: Queries, { id, is_sorted }: Album, added: readonly number[], now: number) {
  if (is_sorted === 0 || added.length === 0) return;
  const rows = await queries
    .selectFrom('album_images')
    .select('image_id')
    .where('album_id', '=', id)
    .where('image_id', 'in', added)
    .orderBy('uploaded_at')
    .orderBy('image_key')
    .execute();
  for (const [index, { image_id }] of rows.entries()) await placeInAlbum(queries, id, image_id, now * POSITIONS_PER_MS + index);
}
