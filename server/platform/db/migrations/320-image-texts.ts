import { type Kysely, sql } from 'kysely';
import { createImageTexts } from '../dialect.ts';

/** The text in images, and which of them wait for it to be recognised: each user's newest are found by an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('recognize_text', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable('images').addColumn('text_state', 'text').execute();
  await db.schema
    .createIndex('images_without_text')
    .on('images')
    .columns(['owner_id', 'id'])
    .where(sql<boolean>`text_state is null and deleted_at is null and emptied_at is null`)
    .execute();
  await db.schema
    .createTable('image_texts')
    .addColumn('image_id', 'integer', (c) => c.primaryKey().notNull().references('images.id').onDelete('cascade'))
    .addColumn('language', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('lines', 'text', (c) => c.notNull())
    .addColumn('recognized_at', 'bigint', (c) => c.notNull())
    .execute();
  await createImageTexts(db);
}
