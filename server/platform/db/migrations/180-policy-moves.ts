import type { Kysely } from 'kysely';

/** Policies whose images are being moved to another one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('policy_moves')
    .addColumn('from_policy', 'integer', (c) => c.primaryKey().references('policies.id').onDelete('cascade'))
    .addColumn('to_policy', 'integer', (c) => c.notNull().references('policies.id').onDelete('cascade'))
    .addColumn('after_sha256', 'text', (c) => c.notNull())
    .addColumn('moved', 'integer', (c) => c.notNull())
    .addColumn('lost', 'integer', (c) => c.notNull())
    .addColumn('fault', 'text')
    .execute();
}
