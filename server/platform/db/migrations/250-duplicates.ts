import { type Kysely, sql } from 'kysely';
import { createPerceptualHashes } from '../dialect.ts';

/** What alike images are found by, made by the job that makes placeholders, and the groups that turned out to be different images. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('phash', 'text').execute();
  await db.schema.dropIndex('images_without_thumbhash').execute();
  await db.schema
    .createIndex('images_without_phash')
    .on('images')
    .column('id')
    .where(sql<boolean>`phash is null and emptied_at is null`)
    .execute();
  await db.schema
    .createTable('duplicate_reviews')
    .addColumn('review', 'text', (c) => c.notNull())
    .addColumn('image_id', 'integer', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('owner_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('duplicate_reviews_key', ['review', 'image_id'])
    .execute();
  await db.schema.createIndex('duplicate_reviews_by_image').on('duplicate_reviews').column('image_id').execute();
  await db.schema.createIndex('duplicate_reviews_by_owner').on('duplicate_reviews').column('owner_id').execute();
  await createPerceptualHashes(db);
}
