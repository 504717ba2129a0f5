import { sql } from 'kysely';
import { REFERRER_DAYS } from '#api/constants.ts';
import { DAY_MS } from '#api/durations.ts';
import type { Database, Queries, WritableDatabase } from '#server/platform/db/database.ts';

/** Views of one image by the host that they came from. */
export type ReferrerCounts = ReadonlyMap<string, number>;

/** Hosts of one image on one day; views from further ones are counted together. Anyone can send a false address. */
export const MAX_HOSTS_PER_IMAGE = 20;
/** Rows of one day in the whole service. */
const MAX_ROWS_PER_DAY = 5_000;
/** Stands for the further hosts. */
export const OTHER_HOSTS = '';

/** Adds to today's counts, in the unit of writing that stores the views. */
export async function addReferrers(queries: Queries, counts: ReadonlyMap<number, ReferrerCounts>, now: number): Promise<void> {
  const day = dayOf(now);
  const { rows } = await queries
    .selectFrom('image_referrers')
    .select((row) => row.fn.countAll<number>().as('rows'))
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  let free = MAX_ROWS_PER_DAY - rows;
  for (const [image_id, hosts] of counts) {
    const known = new Set(
      (await queries.selectFrom('image_referrers').select('host').where('day', '=', day).where('image_id', '=', image_id).execute()).map(
        ({ host }) => host,
      ),
    );
    for (const [name, views] of hosts) {
      const host = known.has(name) || known.size < MAX_HOSTS_PER_IMAGE ? name : OTHER_HOSTS;
      if (!known.has(host)) {
        if (free <= 0) continue;
        free -= 1;
        known.add(host);
      }
      await queries
        .insertInto('image_referrers')
        .values({ day, image_id, host, views })
        .onConflict((conflict) =>
          conflict.columns(['day', 'image_id', 'host']).doUpdateSet((row) => ({ views: row('image_referrers.views', '+', views) })),
        )
        .execute();
    }
  }
}

const dayOf = (instant: number) => Math.floor(instant / DAY_MS);
/** The first of the last `days` days, which include today. */
export const firstOf = (days: number, now: number) => dayOf(now) - days + 1;

export interface Source {
  /** Null: further hosts. */
  host: string | null;
  views: number;
}

/** Where the views of an image came from, most first. */
export async function sourcesOf(db: Database, { imageId, days, now }: { imageId: number; days: number; now: number }): Promise<Source[]> {
  const rows = await referrers(db.read, days, now).where('image_id', '=', imageId).execute();
  return rows.map(presentSource);
}

/** The same for all images, or those of one owner. */
export async function sourcesOfAll(db: Database, ownerId: number | undefined, days: number, now: number): Promise<Source[]> {
  const rows = await referrers(db.read, days, now)
    .$if(ownerId !== undefined, (query) =>
      query.where('image_id', 'in', (nested) =>
        nested
          .selectFrom('images')
          .select('images.id')
          .where('owner_id', '=', ownerId ?? 0),
      ),
    )
    .execute();
  return rows.map(presentSource);
}

const MAX_SOURCES = 20;

const referrers = (queries: Queries, days: number, now: number) =>
  queries
    .selectFrom('image_referrers')
    .select(['host', sql<number>`sum(views)`.as('views')])
    .where('day', '>=', firstOf(days, now))
    .groupBy('host')
    .orderBy('views', 'desc')
    .orderBy('host')
    .limit(MAX_SOURCES);

const presentSource = ({ host, views }: { host: string; views: number }): Source => ({ host: host === OTHER_HOSTS ? null : host, views });

/** Removes the counts of days that are past their period, and returns the number of rows. */
export async function forgetReferrers(db: WritableDatabase, now: number): Promise<number> {
  const { numDeletedRows } = await db.write((queries) =>
    queries.deleteFrom('image_referrers').where('day', '<', firstOf(REFERRER_DAYS, now)).executeTakeFirst(),
  );
  return Number(numDeletedRows);
}
