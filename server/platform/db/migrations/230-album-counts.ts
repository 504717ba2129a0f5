import { type Kysely, sql } from 'kysely';
import { ALBUM_COUNTS, counts } from '../album-counts.ts';
import { createAlbumCounts } from '../dialect.ts';

/** The numbers of an album's pictures, kept with each change: counting hundreds of thousands took a tenth of a second per album. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ALBUM_COUNTS)
    await db.schema
      .alterTable('albums')
      .addColumn(name, 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  for (const name of ALBUM_COUNTS)
    await sql`update albums set ${sql.ref(name)} = coalesce((select sum(${counts(name, 'images')}) from images where images.album_id = albums.id), 0)`.execute(
      db,
    );
  await createAlbumCounts(db);
}
