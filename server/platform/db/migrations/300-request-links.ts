import { type Kysely, sql } from 'kysely';
import { numberedKey } from '../dialect.ts';

/** Links through which people without an account send pictures to an album, and what was sent through them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('request_links')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('album_id', 'text', (c) => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('owner_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('message', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('max_files', 'integer', (c) => c.notNull())
    .addColumn('max_bytes', 'bigint', (c) => c.notNull())
    .addColumn('show', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('paused_at', 'bigint')
    .addColumn('file_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('byte_count', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('request_links_of_album').on('request_links').columns(['album_id', 'created_at', 'id']).execute();
  await db.schema.createIndex('request_links_of_owner').on('request_links').column('owner_id').execute();
  await createBatches(db);
  await createFiles(db);
}

async function createBatches(db: Kysely<unknown>) {
  await db.schema
    .createTable('request_batches')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('request_id', 'text', (c) => c.notNull().references('request_links.id').onDelete('cascade'))
    .addColumn('sender_hash', 'text', (c) => c.notNull())
    .addColumn('sender_name', 'text', (c) => c.notNull())
    .addColumn('last_at', 'bigint', (c) => c.notNull())
    .addColumn('closed_at', 'bigint')
    .execute();
  await db.schema.createIndex('request_batches_of_request').on('request_batches').columns(['request_id', 'id']).execute();
  const isOpen = sql<boolean>`closed_at is null`;
  await db.schema.createIndex('request_batches_open').on('request_batches').column('last_at').where(isOpen).execute();
}

async function createFiles(db: Kysely<unknown>) {
  await db.schema
    .createTable('request_files')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('batch_id', 'integer', (c) => c.notNull().references('request_batches.id').onDelete('cascade'))
    .addColumn('image_id', 'integer', (c) => c.notNull().unique().references('images.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('sent_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('request_files_of_batch').on('request_files').columns(['batch_id', 'sent_at', 'id']).execute();
}
