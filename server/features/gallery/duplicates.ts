import { setImmediate } from 'node:timers/promises';
import { ownImages } from '#server/core/images/images.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { decodeCursor, encodeCursor, NEWEST_FIRST, type Page, type PageRequest } from '#server/platform/db/page.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { groupAlike, type Likeness } from './alike.ts';

/** Rows that are read at once, in about 2 ms. */
const SLICE = 1_000;
const REVIEW_LENGTH = 22;

interface Found extends Page<ImageRow[]> {
  /** The number of groups. */
  count: number;
  /** The number of images that haven't been compared yet. */
  waiting: number;
}

/**
 * The groups of a user's images that are stored twice or look alike, the one with the latest upload first. Groups that the user has found
 * different are left out.
 */
export async function listDuplicates(db: Database, ownerId: number, { cursor, limit }: PageRequest, now: number): Promise<Found> {
  const after = decodeCursor(NEWEST_FIRST, cursor);
  const images = await readLikenesses(db, ownerId, now);
  const isReviewed = await readReviews(db, ownerId);
  const latest = (group: readonly number[]) => group.at(-1) as number;
  const groups = (await groupAlike(images)).filter((group) => !isReviewed(group)).sort((a, b) => latest(b) - latest(a));
  const rest = after ? groups.filter((group) => latest(group) < (after[0] as number)) : groups;
  const shown = rest.slice(0, limit);
  const rows = shown.length > 0 ? await ownImages(db.read, ownerId, 'id', shown.flat()).execute() : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    items: shown.map((group) => group.flatMap((id) => byId.get(id) ?? [])),
    next_cursor: rest.length > shown.length ? encodeCursor([latest(shown.at(-1) as number[])]) : null,
    count: groups.length,
    waiting: images.filter(({ phash }) => phash === null).length,
  };
}

async function readLikenesses({ read }: Database, ownerId: number, now: number): Promise<Likeness[]> {
  const images: Likeness[] = [];
  for (let after = 0; ; await setImmediate()) {
    const rows = await read
      .selectFrom('images')
      .select(['id', 'sha256', 'phash'])
      .where('owner_id', '=', ownerId)
      .where('deleted_at', 'is', null)
      .where('emptied_at', 'is', null)
      .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', now)]))
      .where('id', '>', after)
      .orderBy('id')
      .limit(SLICE)
      .execute();
    images.push(...rows);
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < SLICE) return images;
  }
}

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
export async function reviewDuplicates(db: Database, ownerId: number, keys: readonly string[], different: boolean): Promise<void> {
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
