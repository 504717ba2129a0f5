import { type Kysely, sql } from 'kysely';
import { recountAlbums } from '../album-counts.ts';
import { entryOf } from '../album-entries.ts';
import { createAlbumEntries } from '../dialect.ts';

/** A picture can be in several albums, each of which has an order of its own. `images.album_id` remains its first album. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('albums')
    .addColumn('is_sorted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await createEntries(db);
  await replaceIndices(db);
  await createAlbumEntries(db);
  await recountAlbums().execute(db);
  await convertUndos(db);
}

async function createEntries(db: Kysely<unknown>) {
  await db.schema
    .createTable('album_images')
    .addColumn('album_id', 'text', (c) => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('image_id', 'integer', (c) => c.notNull().references('images.id').onDelete('cascade'))
    .addColumn('image_key', 'text', (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('uploaded_at', 'bigint', (c) => c.notNull())
    .addColumn('position', 'bigint', (c) => c.notNull())
    .addColumn('added_at', 'bigint', (c) => c.notNull())
    .addColumn('added_by', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .addPrimaryKeyConstraint('album_images_key', ['image_id', 'album_id'])
    .execute();
  await sql`${entryOf('images', sql.ref('images.album_id'), sql.ref('images.created_at'))} from images where album_id is not null`.execute(
    db,
  );
}

/**
 * The pictures of an album in its order, all and those that any visitor may open; in the order of upload; and those that its visitors don't
 * see. A page of a public album costs the same however many others are in it.
 */
async function replaceIndices(db: Kysely<unknown>) {
  const former = ['images_in_album', 'images_open_in_album', 'images_by_album', 'images_limited_in_album', 'images_hidden_in_album'];
  for (const name of former) await db.schema.dropIndex(name).execute();
  const index = (name: string, columns: string[]) =>
    db.schema
      .createIndex(name)
      .on('album_images')
      .columns(columns as never);
  await index('album_images_in_order', ['album_id', 'position', 'image_key', 'image_id']).execute();
  await index('album_images_open', ['album_id', 'position', 'image_key', 'image_id']).where(sql<boolean>`state = 1`).execute();
  await index('album_images_by_upload', ['album_id', 'uploaded_at', 'image_id']).where(sql<boolean>`state > 0`).execute();
  await index('album_images_hidden', ['album_id', 'image_id']).where(sql<boolean>`state not in (0, 1)`).execute();
  // For the deletion of accounts, and of albums.
  await index('album_images_by_adder', ['added_by']).where(sql<boolean>`added_by is not null`).execute();
  await db.schema.createIndex('images_by_first_album').on('images').column('album_id').where(sql<boolean>`album_id is not null`).execute();
}

/** Batches that moved pictures can still be undone. */
async function convertUndos(db: Kysely<unknown>) {
  const list = (column: string) => sql`case when ${sql.ref(column)} is null then '[]' else '[{"id":"' || ${sql.ref(column)} || '"}]' end`;
  await sql`update batch_undo_values set field = 'albums', before = ${list('before')}, after = ${list('after')}
    where field = 'album_id'`.execute(db);
}
