import type { Kysely } from 'kysely';

/** What batches replaced, so that it can be put back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('batch_undos')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('token', 'text', (c) => c.notNull().unique())
    .addColumn('owner_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('batch_undos_by_owner').on('batch_undos').columns(['owner_id', 'id']).execute();
  await db.schema
    .createTable('batch_undo_values')
    .addColumn('batch_id', 'integer', (c) => c.notNull().references('batch_undos.id').onDelete('cascade'))
    .addColumn('image_id', 'integer', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('field', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text')
    .addPrimaryKeyConstraint('batch_undo_values_key', ['batch_id', 'image_id'])
    .execute();
  await db.schema.createIndex('batch_undo_values_by_image').on('batch_undo_values').column('image_id').execute();
}
