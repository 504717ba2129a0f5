import { DAY_MS } from '#api/durations.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';

const dayOf = (instant: number) => Math.floor(instant / DAY_MS);

/** Adds views to today's count, in the unit of writing that adds them to the image. */
export async function addViewsOfDay(
  queries: Queries,
  { imageId, views, now }: { imageId: number; views: number; now: number },
): Promise<void> {
  await queries
    .insertInto('image_views')
    .values({ image_id: imageId, day: dayOf(now), views })
    .onConflict((conflict) =>
      conflict.columns(['image_id', 'day']).doUpdateSet((row) => ({ views: row('image_views.views', '+', row.ref('excluded.views')) })),
    )
    .execute();
}

/** Views in the last `days` days including today, oldest first; 0 for days without any. */
export async function viewsByDay(
  db: Database,
  { imageId, days, now }: { imageId: number; days: number; now: number },
): Promise<{ date: string; views: number }[]> {
  const first = dayOf(now) - days + 1;
  const rows = await db.read
    .selectFrom('image_views')
    .select(['day', 'views'])
    .where('image_id', '=', imageId)
    .where('day', '>=', first)
    .execute();
  const known = new Map(rows.map(({ day, views }) => [day, views]));
  return Array.from({ length: days }, (_, at) => ({
    date: new Date((first + at) * DAY_MS).toISOString().slice(0, 10),
    views: known.get(first + at) ?? 0,
  }));
}
