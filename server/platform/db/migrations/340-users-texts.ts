import { type Kysely, sql } from 'kysely';

/** An index that leads to the texts of a user who has opted out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('images_with_text').on('images').column('owner_id').where(sql<boolean>`text_state = 'done'`).execute();
}
