import type { Kysely } from 'kysely';

/** Addresses of pictures from before they were here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('old_addresses')
    .addColumn('path', 'text', (column) => column.notNull().primaryKey())
    .addColumn('image_id', 'integer', (column) => column.notNull().references('images.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('old_addresses_by_image').on('old_addresses').column('image_id').execute();
}
