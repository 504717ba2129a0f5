import type { Kysely } from 'kysely';

/** The site's logo and users' avatars. They have a few kilobytes each, and belong to no storage policy (decision 134). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('site_pictures')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('avatars')
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('side', 'integer', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('avatars_key', ['user_id', 'side'])
    .execute();
  await db.schema.alterTable('users').addColumn('avatar', 'text').execute();
}
