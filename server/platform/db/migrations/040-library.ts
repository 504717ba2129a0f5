import { type Kysely, sql } from 'kysely';
import { createImageSearch } from '../dialect.ts';

/** Searching, tags, views per day, and what lists and jobs need to find their rows without looking at others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTagsAndViews(db);
  await createListIndices(db);
  await createJobIndices(db);
  await createImageSearch(db);
}

async function createTagsAndViews(db: Kysely<unknown>) {
  await db.schema
    .createTable('image_tags')
    .addColumn('owner_id', 'integer', (c) => c.notNull())
    .addColumn('tag', 'text', (c) => c.notNull())
    .addColumn('image_id', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_tags_key', ['owner_id', 'tag', 'image_id'])
    .execute();
  await db.schema.createIndex('image_tags_by_image').on('image_tags').column('image_id').execute();
  await db.schema
    .createTable('image_views')
    .addColumn('image_id', 'integer', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('views', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_views_key', ['image_id', 'day'])
    .execute();
}

async function createListIndices(db: Kysely<unknown>) {
  const live = sql<boolean>`deleted_at is null`;
  const index = (name: string) => db.schema.createIndex(name).on('images');
  await index('images_by_name').columns(['owner_id', 'name', 'id']).where(live).execute();
  await index('images_by_size').columns(['owner_id', 'size', 'id']).where(live).execute();
  await index('images_favourite')
    .columns(['owner_id', 'created_at', 'id'])
    .where(sql<boolean>`deleted_at is null and favourite = 1`)
    .execute();
}

async function createJobIndices(db: Kysely<unknown>) {
  const index = (name: string) => db.schema.createIndex(name).on('images');
  await db.schema.dropIndex('images_by_expiry').execute();
  await index('images_to_empty').column('expires_at').where(sql<boolean>`expires_at is not null and emptied_at is null`).execute();
  await index('images_emptied').column('emptied_at').where(sql<boolean>`emptied_at is not null`).execute();
  await index('images_trashed').column('deleted_at').where(sql<boolean>`deleted_at is not null`).execute();
}
