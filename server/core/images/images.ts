import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

export function findImageByKey(queries: Queries, key: string): Promise<ImageRow | undefined> {
  return queries.selectFrom('images').selectAll().where('key', '=', key).executeTakeFirst();
}

/** The image with a custom address. */
export function findImageBySlug(queries: Queries, slug: string): Promise<ImageRow | undefined> {
  return queries.selectFrom('images').selectAll().where('slug', '=', slug).executeTakeFirst();
}

/** A user's own image outside the trash; an expired one also in it. */
export function findOwnImage(queries: Queries, ownerId: number, key: string): Promise<ImageRow | undefined> {
  return queries
    .selectFrom('images')
    .selectAll()
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where((row) => row.or([row('deleted_at', 'is', null), row('trash_reason', '=', 'expired')]))
    .executeTakeFirst();
}

/** A user's own image in the trash. */
export function findTrashedImage(queries: Queries, ownerId: number, key: string): Promise<ImageRow | undefined> {
  return queries
    .selectFrom('images')
    .selectAll()
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst();
}

/** A user's own images with some keys or ids, including those in the trash. */
export function ownImages(queries: Queries, ownerId: number, column: 'key' | 'id', values: readonly (string | number)[]) {
  return (
    queries
      .selectFrom('images')
      .selectAll()
      .where(column, 'in', values)
      // Not a plain comparison: for more than a few keys, the database would read all images of the owner instead.
      .where(sql`coalesce(owner_id, 0)`, '=', ownerId)
  );
}

type Expiring = Pick<ImageRow, 'emptied_at' | 'expires_at' | 'trash_reason'>;

/** Whether an image has expired, in the trash or not, with or without its bytes. */
export function isExpired({ emptied_at, expires_at, trash_reason }: Expiring, now: number): boolean {
  return emptied_at !== null || trash_reason === 'expired' || (expires_at !== null && expires_at <= now);
}

/** The storage that all guests use together. Their images expire, so there are few. */
export function guestUsage(queries: Queries) {
  return queries
    .selectFrom('images')
    .select((row) => [row.fn.countAll<number>().as('images'), sql<number>`coalesce(sum(size), 0)`.as('bytes')])
    .where('owner_id', 'is', null)
    .where('emptied_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** Now, or at least a second after `earlier`: clients that compare `Last-Modified` must notice every new file. */
export function laterBySeconds(earlier: number, now: number): number {
  return Math.max(now, earlier - (earlier % 1000) + 1000);
}
