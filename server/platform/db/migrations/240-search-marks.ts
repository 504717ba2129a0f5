import type { Kysely } from 'kysely';
import { searchMarks } from '../dialect.ts';

/** The search index also has albums, types and dates, and a list of each user's words. The job that maintains it adds them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('image_search_words')
    .addColumn('owner_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('word', 'text', (c) => c.notNull())
    .addColumn('reversed', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('image_search_words_key', ['owner_id', 'word'])
    .execute();
  await db.schema.createIndex('image_search_words_by_end').on('image_search_words').columns(['owner_id', 'reversed']).execute();
  await searchMarks(db);
}
