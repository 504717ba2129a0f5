import { type Kysely, sql } from 'kysely';

/** Uploads can be converted, where their group allows it: not for guests, whose pictures cost others' time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('groups')
    .addColumn('allow_convert', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await sql`update groups set allow_convert = 0 where kind = 'guest'`.execute(db);
  await db.schema
    .alterTable('images')
    .addColumn('converted_to', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
}
