import type { Kysely } from 'kysely';

/** Custom addresses that their owners have given up, and until when only they can use them again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('former_slugs')
    .addColumn('slug', 'text', (c) => c.primaryKey().notNull())
    .addColumn('owner_id', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addColumn('until', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('former_slugs_by_end').on('former_slugs').column('until').execute();
}
