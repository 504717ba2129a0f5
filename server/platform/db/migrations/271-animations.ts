import { type Kysely, sql } from 'kysely';

/** Whether an image moves, which uploads note from now on. A job looks at the others, found by an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('animated', 'integer').execute();
  await db.schema
    .createIndex('images_that_may_move')
    .on('images')
    .column('id')
    .where(sql<boolean>`animated is null and emptied_at is null and mime in ('image/gif', 'image/webp', 'image/avif', 'image/png')`)
    .execute();
}
