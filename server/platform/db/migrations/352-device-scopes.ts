import type { Kysely } from 'kysely';

/** What the token that a device asks for may do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('device_requests')
    .addColumn('scope', 'text', (c) => c.notNull().defaultTo('upload'))
    .execute();
}
