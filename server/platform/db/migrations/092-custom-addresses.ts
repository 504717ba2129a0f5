import { type Kysely, sql } from 'kysely';

/** Addresses that owners choose for their images, each unique on the instance. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('images').addColumn('slug', 'text').execute();
  await db.schema.createIndex('images_by_slug').unique().on('images').column('slug').where(sql<boolean>`slug is not null`).execute();
}
