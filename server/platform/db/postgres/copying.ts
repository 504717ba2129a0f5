import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Triggers that check references still run. */
export async function withoutTriggers(queries: Kysely<Tables>, table: string, work: () => Promise<void>): Promise<void> {
  await sql`alter table ${sql.table(table)} disable trigger user`.execute(queries);
  await work();
  await sql`alter table ${sql.table(table)} enable trigger user`.execute(queries);
}

/** Null for a table whose ids aren't assigned automatically. */
const sequenceOf = (table: string): RawBuilder<unknown> => sql`pg_get_serial_sequence(${table}::text, 'id')::regclass`;

export async function lastNumber(queries: Kysely<Tables>, table: string): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`select pg_sequence_last_value(${sequenceOf(table)}) as last`.execute(queries);
  return rows[0]?.last ?? undefined;
}

export async function continueNumbering(queries: Kysely<Tables>, table: string, last: number): Promise<void> {
  await sql`select setval(${sequenceOf(table)}, ${last}::bigint)`.execute(queries);
}
