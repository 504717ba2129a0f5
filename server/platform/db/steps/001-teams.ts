import { type Kysely, sql } from 'kysely';

/** Groups that everyone sees, groups that follow the sign-on provider, and albums for groups and for everyone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('groups')
    .addColumn('listed', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('oidc_providers')
    .addColumn('groups_claim', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable('oidc_providers')
    .addColumn('group_map', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  for (const [name, kind] of [
    ['everyone_role', 'text'],
    ['everyone_at', 'integer'],
  ] as const)
    await db.schema.alterTable('albums').addColumn(name, kind).execute();
  for (const [name, kind] of [
    ['claimed_groups', 'text'],
    ['claimed_at', 'integer'],
  ] as const)
    await db.schema.alterTable('identities').addColumn(name, kind).execute();
  await db.schema
    .createTable('album_groups')
    .addColumn('album_id', 'text', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('group_id', 'integer', (column) => column.notNull().references('groups.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('added_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('album_groups_key', ['album_id', 'group_id'])
    .execute();
  await db.schema.createIndex('album_groups_by_group').on('album_groups').columns(['group_id', 'album_id']).execute();
  await db.schema
    .createIndex('albums_for_everyone')
    .on('albums')
    .column('id')
    .where(sql.raw<boolean>('everyone_role is not null'))
    .execute();
  await db.schema.createIndex('users_by_group').on('users').column('group_id').execute();
}
