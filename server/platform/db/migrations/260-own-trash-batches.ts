import { type Kysely, sql } from 'kysely';

/** Lists an owner's deletions of several images from the index alone, and still finds the images of one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('images_by_trash_batch').execute();
  await db.schema
    .createIndex('images_by_trash_batch')
    .on('images')
    .columns(['owner_id', 'trash_batch', 'id', 'deleted_at'])
    .where(sql<boolean>`trash_batch is not null`)
    .execute();
}
