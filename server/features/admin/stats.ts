import { sql } from 'kysely';
import type { Stats } from '#api/admin/stats.ts';
import { DAY_MS } from '#api/durations.ts';
import { guestUsage } from '#server/core/images/images.ts';
import { inTrash } from '#server/core/images/lifetime/trash.ts';
import { dayOf, GUESTS } from '#server/core/journal/daily-counts.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';

const MAX_USERS = 50;

/** The statistics of the last `days` days including today. */
export async function readStats(db: Database, days: number, now: number): Promise<Stats> {
  const dates = Array.from({ length: days }, (_, ago) => dayOf(now - ago * DAY_MS)).reverse();
  const first = dates[0] ?? dayOf(now);
  const [totals, counted, users] = [await readTotals(db.read), await countByDay(db.read, first), await countByUser(db.read, first)];
  const byDay = new Map(counted.map((row) => [row.day, row]));
  const nothing = { uploads: 0, upload_bytes: 0, views: 0, stored_bytes: null };
  // What is stored is noted once a day.
  const today = { day: dayOf(now), ...nothing, ...byDay.get(dayOf(now)), stored_bytes: totals.stored_bytes };
  return {
    totals: {
      ...totals,
      uploads: counted.reduce((sum, { uploads }) => sum + uploads, 0),
      views: counted.reduce((sum, { views }) => sum + views, 0),
    },
    days: dates.map((day) => (day === today.day ? today : (byDay.get(day) ?? { day, ...nothing }))),
    users,
  };
}

/** The numbers of accounts that aren't being deleted and of images outside the trash, and the storage that users and guests use. */
export async function readTotals(queries: Queries) {
  const users = await queries
    .selectFrom('users')
    .select((row) => [
      row.fn.countAll<number>().as('users'),
      sql<number>`coalesce(sum(image_count), 0)`.as('images'),
      sql<number>`coalesce(sum(storage_used_bytes), 0)`.as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  const deletions = await queries
    .selectFrom('account_deletions')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const guests = await guestUsage(queries);
  const trash = await inTrash(queries).executeTakeFirstOrThrow();
  return {
    users: users.users - deletions.count,
    images: users.images + guests.images - trash.count,
    stored_bytes: users.bytes + guests.bytes,
  };
}

function countByDay(queries: Queries, first: string) {
  return queries
    .selectFrom('daily_counts')
    .select(['day', sum('uploads'), sum('upload_bytes'), sum('views')])
    .select(sql<number | null>`sum(stored_bytes)`.as('stored_bytes'))
    .where('day', '>=', first)
    .groupBy('day')
    .execute();
}

const sum = <Column extends 'uploads' | 'upload_bytes' | 'views'>(column: Column) => sql<number>`sum(${sql.ref(column)})`.as(column);

async function countByUser(queries: Queries, first: string): Promise<Stats['users']> {
  const counts = await queries
    .selectFrom('daily_counts')
    .select(['user_id', sum('uploads'), sum('upload_bytes'), sum('views')])
    .where('day', '>=', first)
    .groupBy('user_id')
    .execute();
  const known = new Map(counts.map(({ user_id, ...count }) => [user_id, count]));
  const nothing = { uploads: 0, upload_bytes: 0, views: 0 };
  const rows = await queries
    .selectFrom('users')
    .select(['id', 'username', 'storage_used_bytes as stored_bytes'])
    .orderBy('storage_used_bytes', 'desc')
    .limit(MAX_USERS)
    .execute();
  const users = rows.map(({ id, username, stored_bytes }) => ({ user: { id, username }, ...(known.get(id) ?? nothing), stored_bytes }));
  const guests = known.get(GUESTS);
  if (!guests) return users;
  const all = [...users, { user: null, ...guests, stored_bytes: (await guestUsage(queries)).bytes }];
  return all.sort((one, other) => other.stored_bytes - one.stored_bytes);
}
