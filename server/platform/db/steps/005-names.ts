import { type Kysely, sql } from 'kysely';

/** Sorts pictures by their names without regard to capitals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('images_by_name').execute();
  await db.schema
    .createIndex('images_by_name')
    .on('images')
    .column('owner_id')
    .expression(sql`lower(${sql.ref('name')})`)
    .column('id')
    .where(sql.raw<boolean>('deleted_at is null'))
    .execute();
}
