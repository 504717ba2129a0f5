import { type Kysely, sql } from 'kysely';

/** Expired pictures go to their owner's trash; and what a public album doesn't show to its visitors is found without reading the rest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('trash_reason', 'text').execute();
  await db.schema
    .alterTable('groups')
    .addColumn('delete_expired', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex('images_to_empty').execute();
  await db.schema
    .createIndex('images_to_expire')
    .on('images')
    .column('expires_at')
    .where(sql<boolean>`expires_at is not null and deleted_at is null and emptied_at is null`)
    .execute();
  await db.schema
    .createIndex('images_hidden_in_album')
    .on('images')
    .columns(['album_id', 'visibility', 'max_views'])
    .where(
      sql<boolean>`album_id is not null and (visibility = 'private' or password_hash is not null or max_views > 0 or trash_reason = 'expired')`,
    )
    .execute();
}
