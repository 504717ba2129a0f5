import { type Kysely, sql } from 'kysely';

/** Marks what one request moved to the trash, so that exactly that can be restored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('trash_batch', 'text').execute();
  await db.schema
    .createIndex('images_by_trash_batch')
    .on('images')
    .columns(['trash_batch', 'id'])
    .where(sql<boolean>`trash_batch is not null`)
    .execute();
}
