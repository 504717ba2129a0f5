import type { Kysely } from 'kysely';

/** Deletion links that can be ended: each image counts how often its own have been renewed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('deletion_nonce', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
