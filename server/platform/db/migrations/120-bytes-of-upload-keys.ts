import { type Kysely, sql } from 'kysely';

/** The bytes that an upload stored: a retry with its key must not report those of a later replacement. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('upload_keys')
    .addColumn('image_sha256', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  // A replacement can be dated up to a second later than its key.
  await sql`update upload_keys set image_sha256 = coalesce((select sha256 from images
    where images.id = image_id and coalesce(replaced_at, 0) <= upload_keys.created_at + 1000), '')`.execute(db);
}
