import { type Kysely, sql } from 'kysely';

/** Views under a view limit are counted apart from all others, and pictures of an album are found in order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('limited_views', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await indexAlbums(db);
}

/**
 * Pictures of an album in the order they are shown: all of them, which also serves the deletion of albums, and those that
 * any stranger may open, so that a page of a public album costs the same however many others are in it.
 */
async function indexAlbums(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('images_in_album')
    .on('images')
    .columns(['album_id', 'created_at', 'key'])
    .where(sql<boolean>`album_id is not null`)
    .execute();
  await db.schema
    .createIndex('images_open_in_album')
    .on('images')
    .columns(['album_id', 'visibility', 'created_at', 'key', 'expires_at'])
    .where(sql<boolean>`album_id is not null and deleted_at is null and emptied_at is null and password_hash is null and max_views = 0`)
    .execute();
}
