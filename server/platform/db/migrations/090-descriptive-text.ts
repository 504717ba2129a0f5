import type { Kysely } from 'kysely';
import { searchDescriptions } from '../dialect.ts';

/** Title, caption and alternative text of images, which searches find as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['title', 'caption', 'alt'])
    await db.schema
      .alterTable('images')
      .addColumn(name, 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  await searchDescriptions(db);
}
