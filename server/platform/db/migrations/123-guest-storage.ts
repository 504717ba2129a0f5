import { type Kysely, sql } from 'kysely';

const GIB = 1024 ** 3;
const DEFAULT_BYTES = 5 * GIB;

/**
 * A total for the pictures of all guests, where there is none: the limits per address don't bound many addresses. Guests who use more than half of
 * it already get twice what they use. The index sums them up without reading their rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('images_of_guests')
    .on('images')
    .column('size')
    .where(sql<boolean>`owner_id is null and emptied_at is null`)
    .execute();
  const tables = db as Kysely<{ groups: { kind: string; storage_quota_bytes: number }; images: Record<string, number | null> }>;
  const { used } = await tables
    .selectFrom('images')
    .select(sql<number>`coalesce(sum(size), 0)`.as('used'))
    .where('owner_id', 'is', null)
    .where('emptied_at', 'is', null)
    .executeTakeFirstOrThrow();
  await tables
    .updateTable('groups')
    .set({ storage_quota_bytes: Math.max(DEFAULT_BYTES, 2 * used) })
    .where('kind', '=', 'guest')
    .where('storage_quota_bytes', '=', 0)
    .execute();
}
