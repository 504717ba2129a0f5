import { type Kysely, sql } from 'kysely';

/** Whether visitors may download an album; and an index to count the pictures that a download leaves out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('albums')
    .addColumn('allow_download', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createIndex('images_limited_in_album')
    .on('images')
    .column('album_id')
    .where(sql<boolean>`deleted_at is null and emptied_at is null and max_views > 0`)
    .execute();
}
