import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.ts';

/** Triggers can't be disabled: they are dropped and created again, in the same transaction. */
export async function withoutTriggers(queries: Kysely<Tables>, table: string, work: () => Promise<void>): Promise<void> {
  const { rows: triggers } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ${table}`.execute(queries);
  for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(queries);
  await work();
  for (const trigger of triggers) await sql.raw(trigger.sql).execute(queries);
}

export async function lastNumber(queries: Kysely<Tables>, table: string): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(queries);
  return rows[0]?.seq;
}

export async function continueNumbering(queries: Kysely<Tables>, table: string, last: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${table}`.execute(queries);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(queries);
}
