import type { Kysely } from 'kysely';
import { ALBUM_COUNTS } from '../album-counts.ts';

/**
 * The numbers of an album's pictures, kept with each change: counting hundreds of thousands took a tenth of a second per album.
 * Step 280 counts them, and creates the triggers.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ALBUM_COUNTS)
    await db.schema
      .alterTable('albums')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
}
