import { setImmediate } from 'node:timers/promises';
import { ownImages } from '#server/core/images/images.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { recentCache } from '#server/platform/base/recent-cache.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { decodeCursor, encodeCursor, NEWEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { groupAlike, type Likeness } from './alike.ts';
import { libraryVersion } from './timeline.ts';

/** Rows that are read at once, in about 2 ms. */
const SLICE = 1_000;
/** Users whose groups are kept, each with up to a megabyte for 100,000 pictures. */
const MAX_KEPT = 10;
const REVIEW_LENGTH = 22;

interface Found extends Page<ImageRow[]> {
  /** The number of groups. */
  count: number;
  /** The number of images that haven't been compared yet. */
  waiting: number;
}

/** All groups of a user's images, reviewed ones too. */
interface Grouped {
  groups: readonly (readonly number[])[];
  waiting: number;
  /** When the first of the images expires. */
  until: number;
}

/** Finds duplicates, and keeps the groups of the latest users until their libraries change: pages of them would each cost as much as all. */
export function createDuplicates(db: Database) {
  const kept = recentCache<{ version: string; found: Promise<Grouped> }>(MAX_KEPT);
  const findGroups = async (ownerId: number, now: number): Promise<Grouped> => {
    // A library's version doesn't count hashes.
    const version = `${await libraryVersion(db, ownerId)}-${await waitingImages(db)}`;
    const before = kept.get(String(ownerId));
    if (before?.version === version) {
      const found = await before.found;
      if (now < found.until) return found;
    }
    const found = group(db, ownerId, now);
    kept.set(String(ownerId), { version, found });
    found.catch(() => kept.delete(String(ownerId)));
    return found;
  };
  return {
    /**
     * The groups of a user's images that are stored twice or look alike, the one with the latest upload first. Groups that the user has found
     * different are left out.
     */
    list: async (ownerId: number, page: PageRequest, now: number): Promise<Found> =>
      readPage(db, ownerId, page, await findGroups(ownerId, now)),
  };
}

const latest = (group: readonly number[]) => group.at(-1) as number;

async function group(db: Database, ownerId: number, now: number): Promise<Grouped> {
  const images = await readLikenesses(db, ownerId, now);
  const waiting = images.filter(({ phash }) => phash === null).length;
  return {
    groups: (await groupAlike(images)).sort((a, b) => latest(b) - latest(a)),
    waiting,
    until: images.reduce((first, { expires_at }) => Math.min(first, expires_at ?? first), Number.POSITIVE_INFINITY),
  };
}

/** Which images have no hash yet, of all users: the index of these images doesn't know their owners. */
async function waitingImages({ read }: Database): Promise<string> {
  const { count, ids } = await read
    .selectFrom('images')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('id').as('ids')])
    .where('phash', 'is', null)
    .where('emptied_at', 'is', null)
    .executeTakeFirstOrThrow();
  return `${count}-${ids ?? 0}`;
}

async function readPage(db: Database, ownerId: number, { cursor, limit }: PageRequest, all: Grouped): Promise<Found> {
  const after = decodeCursor(NEWEST_FIRST, cursor);
  const isReviewed = await readReviews(db, ownerId);
  const groups = all.groups.filter((group) => !isReviewed(group));
  const rest = after ? groups.filter((group) => latest(group) < (after[0] as number)) : groups;
  const shown = rest.slice(0, limit);
  const rows = shown.length > 0 ? await ownImages(db.read, ownerId, 'id', shown.flat()).execute() : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    items: shown.map((group) => group.flatMap((id) => byId.get(id) ?? [])),
    next_cursor: rest.length > shown.length ? encodeCursor([latest(shown.at(-1) as number[])]) : null,
    count: groups.length,
    waiting: all.waiting,
  };
}

type Stored = Likeness & { expires_at: number | null };

/** In the order of upload. */
async function readLikenesses({ read }: Database, ownerId: number, now: number): Promise<Stored[]> {
  const images: Stored[] = [];
  for (let last = FIRST; ; await setImmediate()) {
    const rows = await likenessesAfter(read, ownerId, now, last).limit(SLICE).execute();
    images.push(...rows);
    last = rows.at(-1) ?? last;
    if (rows.length < SLICE) return images.sort((a, b) => a.id - b.id);
  }
}

const FIRST = { size: -1, id: 0 };

/** By size, which has an index: by id, each slice would sort all of the user's images. */
export const likenessesAfter = (read: Queries, ownerId: number, now: number, { size, id }: typeof FIRST) =>
  read
    .selectFrom('images')
    .select(['id', 'size', 'sha256', 'phash', 'expires_at'])
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .where('duration', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('size', 'id'), '>', tuple(size, id)))
    .orderBy('size')
    .orderBy('id');

/** A function that returns whether all images of a group were in one that the user has reviewed. */
async function readReviews({ read }: Database, ownerId: number): Promise<(group: readonly number[]) => boolean> {
  const rows = await read.selectFrom('duplicate_reviews').select(['review', 'image_id']).where('owner_id', '=', ownerId).execute();
  const reviews = new Map<number, Set<string>>();
  for (const { review, image_id } of rows) reviews.set(image_id, (reviews.get(image_id) ?? new Set()).add(review));
  return ([first, ...others]) =>
    [...(reviews.get(first as number) ?? [])].some((review) => others.every((id) => reviews.get(id)?.has(review)));
}

/**
 * Remembers that alike images are different, or forgets it.
 * @throws NotFoundError when one of them doesn't exist for this user
 */
export async function reviewDuplicates(db: WritableDatabase, ownerId: number, keys: readonly string[], different: boolean): Promise<void> {
  await db.write(async (queries) => {
    const rows = await ownImages(queries, ownerId, 'key', keys).execute();
    const ids = rows.filter(({ deleted_at }) => deleted_at === null).map(({ id }) => id);
    if (ids.length < new Set(keys).size) throw new NotFoundError('One of these pictures no longer exists. Reload the list and try again.');
    await forgetReviews(queries, ownerId, ids);
    if (!different) return;
    const review = randomKey(REVIEW_LENGTH);
    await queries
      .insertInto('duplicate_reviews')
      .values(ids.map((image_id) => ({ review, image_id, owner_id: ownerId })))
      .execute();
  });
}

/** Forgets the reviews of groups that have all of these images. */
async function forgetReviews(queries: Queries, ownerId: number, ids: readonly number[]) {
  const reviews = queries
    .selectFrom('duplicate_reviews')
    .select('review')
    .where('owner_id', '=', ownerId)
    .where('image_id', 'in', ids)
    .groupBy('review')
    .having((row) => row.fn.countAll(), '=', ids.length);
  await queries.deleteFrom('duplicate_reviews').where('review', 'in', reviews).execute();
}
