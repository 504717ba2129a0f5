import type { Kysely } from 'kysely';

/** When an album's link ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('albums').addColumn('expires_at', 'bigint').execute();
}
