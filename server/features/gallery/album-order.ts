import type { orderAlbumImages } from '#api/albums/pictures.ts';
import type { RouteParsed } from '#api/contract.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { requireRole } from '#server/core/albums/members.ts';
import { placeInAlbum } from '#server/core/images/album-entries.ts';
import { newUndo } from '#server/core/images/lifetime/trash.ts';
import { InvalidRequestError, NotFoundError } from '#server/platform/base/errors.ts';
import { POSITIONS_PER_MS } from '#server/platform/db/album-entries.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { forgetEarlier, notePlaces } from './undo.ts';

/** Entries that are read at once in search of space between two positions. */
const PAGE = 500;

interface Entry {
  image_id: number;
  image_key: string;
  position: number;
}

/**
 * Moves images within an album that a user manages, in this order, before another one or to the end.
 * @returns what undoes it; undefined where it moved none
 * @throws NotFoundError when the user isn't a member, or one of the images isn't in the album; ForbiddenError for other members
 */
export async function orderImages(
  db: WritableDatabase,
  { userId, id }: { userId: number; id: string },
  { keys, before }: RouteParsed<typeof orderAlbumImages, 'body'>,
): Promise<string | undefined> {
  const moved = new Set(keys);
  await forgetEarlier(db, userId);
  return db.write(async (queries) => {
    await requireRole(queries, userId, id, 'manager');
    if (moved.size < keys.length) throw new InvalidRequestError('List each picture only once.', { field: 'keys' });
    if (before !== null && moved.has(before))
      throw new InvalidRequestError('A picture can’t be moved before itself. Choose another one.', { field: 'before' });
    const entries = await entriesOfKeys(queries, id, before === null ? keys : [...keys, before]);
    const wanted = keys.map((key) => entries.get(key) as Entry);
    const next = before === null ? undefined : entries.get(before);
    const moves = await placeAbove(queries, { id, moved, wanted, next });
    const [token, now] = [newUndo(), Date.now()];
    await notePlaces(queries, { ownerId: userId, token, now }, id, moves);
    await queries.updateTable('albums').set({ is_sorted: 1, updated_at: now }).where('id', '=', id).execute();
    await enqueueAlbumUpdates(queries, [id]);
    return moves.length > 0 ? token : undefined;
  });
}

/** @throws NotFoundError when one of them isn't in the album */
async function entriesOfKeys(queries: Queries, albumId: string, keys: readonly string[]): Promise<Map<string, Entry>> {
  const rows = await queries
    .selectFrom('images')
    .innerJoin('album_images', 'album_images.image_id', 'images.id')
    .select(['image_id', 'image_key', 'position'])
    .where('images.key', 'in', keys)
    .where('album_images.album_id', '=', albumId)
    .execute();
  const entries = new Map(rows.map((row) => [row.image_key, row]));
  if (keys.some((key) => !entries.has(key)))
    throw new NotFoundError('One of these pictures is no longer in the album. Reload it and try again.');
  return entries;
}

interface Move {
  id: string;
  moved: ReadonlySet<string>;
  wanted: readonly Entry[];
  /** What comes after the moved images; undefined: nothing. */
  next: Entry | undefined;
}

/** An entry with its former and its new position. */
interface Moved {
  image_id: number;
  from: number;
  to: number;
}

/** Positions between `next` and the entry before it; where there is too little space, some entries before it get new ones as well. */
async function placeAbove(queries: Queries, { id, moved, wanted, next }: Move): Promise<Moved[]> {
  if (!next) {
    const last = await lowest(queries, id);
    return spread(queries, id, wanted, { below: last, above: last - wanted.length * POSITIONS_PER_MS * 2 });
  }
  const shifted: Entry[] = [];
  for await (const entry of entriesBefore(queries, id, next)) {
    if (moved.has(entry.image_key)) continue;
    // At least one free position beside each, for the next move.
    if (entry.position - next.position > 2 * (wanted.length + shifted.length + 1))
      return spread(queries, id, [...shifted.reverse(), ...wanted], { below: entry.position, above: next.position });
    shifted.push(entry);
  }
  const all = [...shifted.reverse(), ...wanted];
  const top = Math.max(Date.now() * POSITIONS_PER_MS, next.position + (all.length + 1) * POSITIONS_PER_MS);
  return spread(queries, id, all, { below: top, above: next.position });
}

/** Distributes entries evenly between two positions, the first one highest. */
async function spread(
  queries: Queries,
  albumId: string,
  entries: readonly Entry[],
  { below, above }: { below: number; above: number },
): Promise<Moved[]> {
  const step = Math.floor((below - above) / (entries.length + 1));
  const moves = entries
    .map(({ image_id, position }, index) => ({ image_id, from: position, to: above + step * (entries.length - index) }))
    .filter(({ from, to }) => from !== to);
  for (const { image_id, to } of moves) await placeInAlbum(queries, albumId, image_id, to);
  return moves;
}

async function lowest(queries: Queries, albumId: string): Promise<number> {
  const row = await queries
    .selectFrom('album_images')
    .select('position')
    .where('album_id', '=', albumId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row?.position ?? 0;
}

/** What an album shows before an entry, from the nearest one on. */
async function* entriesBefore(queries: Queries, albumId: string, entry: Entry): AsyncGenerator<Entry> {
  let { position, image_key } = entry;
  for (;;) {
    const rows = await queries
      .selectFrom('album_images')
      .select(['image_id', 'image_key', 'position'])
      .where('album_id', '=', albumId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('position', 'image_key'), '>', tuple(position, image_key)))
      .orderBy('position')
      .orderBy('image_key')
      .limit(PAGE)
      .execute();
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    ({ position, image_key } = last);
  }
}
