import { type Kysely, sql } from 'kysely';

/** The indices of the trash hold what counting it needs, so that no picture in it is looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await replaceIndex(db, 'images_in_trash', ['owner_id', 'deleted_at', 'id', 'emptied_at']);
  await replaceIndex(db, 'images_trashed', ['deleted_at', 'id', 'emptied_at']);
}

async function replaceIndex(db: Kysely<unknown>, name: string, columns: string[]) {
  await db.schema.dropIndex(name).execute();
  await db.schema.createIndex(name).on('images').columns(columns).where(sql<boolean>`deleted_at is not null`).execute();
}
