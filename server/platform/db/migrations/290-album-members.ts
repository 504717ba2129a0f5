import { type Kysely, sql } from 'kysely';

/** Albums can have members, and pictures of theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('album_members')
    .addColumn('album_id', 'text', (c) => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('album_members_key', ['album_id', 'user_id'])
    .execute();
  await db.schema.createIndex('album_members_by_user').on('album_members').columns(['user_id', 'album_id']).execute();
  // The few pictures that stay closed to other members of an album: counts leave them out without reading all of its pictures.
  await db.schema
    .createIndex('images_with_conditions')
    .on('images')
    .columns(['owner_id', 'id'])
    .where(sql<boolean>`(password_hash is not null or max_views > 0)`)
    .execute();
}
