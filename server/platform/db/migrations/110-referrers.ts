import type { Kysely } from 'kysely';

/**
 * Where views come from: host names by image and day, and the views of a day without reading those of all others. No reference to images:
 * the rows are few, and a job removes them after their period.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('image_referrers')
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('image_id', 'integer', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('views', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_referrers_key', ['day', 'image_id', 'host'])
    .execute();
  await db.schema.createIndex('image_referrers_by_image').on('image_referrers').columns(['image_id', 'day']).execute();
  await db.schema.createIndex('image_views_by_day').on('image_views').columns(['day', 'image_id', 'views']).execute();
}
