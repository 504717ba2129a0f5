import { sql } from 'kysely';
import { DAY_MS } from '#api/durations.ts';
import { GUESTS } from '#server/core/journal/daily-counts.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { firstOf, type Source, sourcesOfAll } from './referrers.ts';

const MAX_IMAGES = 20;

/** Views of several images over the last days. */
export interface ViewReport {
  total: number;
  days: { date: string; views: number }[];
  /** The most viewed images outside the trash, with the names of their owners; null for guests. */
  images: { row: ImageRow & { owner_name: string | null }; views: number }[];
  sources: Source[];
}

/** The most viewed images, and where views come from: of one owner's images, or of all. `days` include today; days are in UTC. */
export async function readViewReport(db: Database, ownerId: number | undefined, days: number, now: number): Promise<ViewReport> {
  const perDay = await viewsPerDay(db, ownerId, days, now);
  return {
    total: perDay.reduce((sum, { views }) => sum + views, 0),
    days: perDay,
    images: await mostViewed(db, ownerId, days, now),
    sources: await sourcesOfAll(db, ownerId, days, now),
  };
}

async function viewsPerDay(db: Database, ownerId: number | undefined, days: number, now: number) {
  const first = firstOf(days, now);
  const dates = Array.from({ length: days }, (_, at) => new Date((first + at) * DAY_MS).toISOString().slice(0, 10));
  const rows = await db.read
    .selectFrom('daily_counts')
    .select(['day', sql<number>`sum(views)`.as('views')])
    .where('day', '>=', dates[0] ?? '')
    .$if(ownerId !== undefined, (query) => query.where('user_id', '=', ownerId ?? GUESTS))
    .groupBy('day')
    .execute();
  const known = new Map(rows.map(({ day, views }) => [day, views]));
  return dates.map((date) => ({ date, views: known.get(date) ?? 0 }));
}

async function mostViewed(db: Database, ownerId: number | undefined, days: number, now: number): Promise<ViewReport['images']> {
  const counts = await db.read
    .selectFrom('image_views')
    .innerJoin('images', 'images.id', 'image_views.image_id')
    .select(['images.id', sql<number>`sum(image_views.views)`.as('views')])
    .where('image_views.day', '>=', firstOf(days, now))
    .where('images.deleted_at', 'is', null)
    .where('images.emptied_at', 'is', null)
    .$if(ownerId !== undefined, (query) => query.where('images.owner_id', '=', ownerId ?? 0))
    .groupBy('images.id')
    .orderBy('views', 'desc')
    .orderBy('images.id', 'desc')
    .limit(MAX_IMAGES)
    .execute();
  const rows = await db.read
    .selectFrom('images')
    .leftJoin('users', 'users.id', 'images.owner_id')
    .selectAll('images')
    .select('users.username as owner_name')
    .where('images.id', 'in', [0, ...counts.map(({ id }) => id)])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return counts.flatMap(({ id, views }) => {
    const row = byId.get(id);
    return row ? [{ row, views }] : [];
  });
}
