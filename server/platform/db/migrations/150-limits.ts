import type { Kysely } from 'kysely';

/** What rate limits have counted, so that a restart doesn't clear it. Keys are keyed hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limits')
    .addColumn('counter', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('points', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('limits_key', ['counter', 'id'])
    .execute();
  await db.schema.createIndex('limits_by_expiry').on('limits').column('expires_at').execute();
}
