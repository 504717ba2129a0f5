import { type Kysely, sql } from 'kysely';
import { createLibraryVersions } from '../dialect.ts';

/** The shape of a user's whole library: read from indices alone, and recognised as unchanged by its version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await widenIndex(db, 'images_by_upload', 'created_at');
  await widenIndex(db, 'images_by_taken', 'taken_at');
  await db.schema
    .alterTable('users')
    .addColumn('library_version', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('images').addColumn('thumbhash', 'text').execute();
  await db.schema
    .createIndex('images_without_thumbhash')
    .on('images')
    .column('id')
    .where(sql<boolean>`thumbhash is null and emptied_at is null`)
    .execute();
  await createLibraryVersions(db);
}

async function widenIndex(db: Kysely<unknown>, name: string, time: string) {
  await db.schema.dropIndex(name).execute();
  await db.schema
    .createIndex(name)
    .on('images')
    .columns(['owner_id', time, 'id', 'width', 'height', 'expires_at', 'emptied_at', 'deleted_at'])
    .where(sql<boolean>`deleted_at is null`)
    .execute();
}
