import type { Kysely } from 'kysely';

/** Groups that everyone sees, and groups that follow the sign-on provider. */
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
}
