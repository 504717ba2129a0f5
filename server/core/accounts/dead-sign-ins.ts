import type { Database } from '#server/platform/db/database.ts';

/** Removes sessions and tokens whose time is over at `now`; answers how many. They have not worked since. */
export async function removeDeadSignIns(db: Database, now: number): Promise<number> {
  return db.write(async (queries) => {
    const sessions = await queries.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst();
    const tokens = await queries.deleteFrom('tokens').where('expires_at', '<=', now).executeTakeFirst();
    return Number(sessions.numDeletedRows + tokens.numDeletedRows);
  });
}
