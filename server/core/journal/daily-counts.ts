import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';

/** The user id under which all guests are counted. */
export const GUESTS = 0;

/** The UTC day of an instant in milliseconds. */
export const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

/** Counts one upload; call it in the unit that inserts the image. */
export async function countUpload(
  queries: Queries,
  { ownerId, bytes, now }: { ownerId: number | null; bytes: number; now: number },
): Promise<void> {
  await addUpload(queries, { day: dayOf(now), user_id: ownerId ?? GUESTS, upload_bytes: bytes });
}

const addUpload = compileOnce((queries, counted: { day: string; user_id: number; upload_bytes: number }) =>
  queries
    .insertInto('daily_counts')
    .values({ ...counted, uploads: 1, views: 0, stored_bytes: null })
    .onConflict((conflict) =>
      conflict.columns(['day', 'user_id']).doUpdateSet((row) => ({
        uploads: row('daily_counts.uploads', '+', 1),
        upload_bytes: row('daily_counts.upload_bytes', '+', counted.upload_bytes),
      })),
    ),
);

/** Counts views of one owner's images; call it in the unit that stores the views. */
export async function countViews(
  queries: Queries,
  { ownerId, views, now }: { ownerId: number | null; views: number; now: number },
): Promise<void> {
  await queries
    .insertInto('daily_counts')
    .values({ day: dayOf(now), user_id: ownerId ?? GUESTS, uploads: 0, upload_bytes: 0, views, stored_bytes: null })
    .onConflict((conflict) => conflict.columns(['day', 'user_id']).doUpdateSet((row) => ({ views: row('daily_counts.views', '+', views) })))
    .execute();
}

/** Records how much every user, and all `guests` together, have stored today; returns the number of users. Runs a few times a day. */
export async function noteStoredBytes(db: WritableDatabase, guests: { bytes: number }, now: number): Promise<number> {
  return db.write(async (queries) => {
    const day = dayOf(now);
    const users = await queries.selectFrom('users').select(['id', 'storage_used_bytes as bytes']).execute();
    for (const { id, bytes: stored_bytes } of [...users, { id: GUESTS, ...guests }]) {
      await queries
        .insertInto('daily_counts')
        .values({ day, user_id: id, uploads: 0, upload_bytes: 0, views: 0, stored_bytes })
        .onConflict((conflict) => conflict.columns(['day', 'user_id']).doUpdateSet({ stored_bytes }))
        .execute();
    }
    return users.length;
  });
}
