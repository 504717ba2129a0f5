import { Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../schema/tables.ts';
import { openDialects } from './connections.ts';
import { sqliteFault } from './fault.ts';
import * as search from './search.ts';

/** A database file, of which this process is the only writer apart from short commands. */
export const sqlite: Engine = {
  isShared: false,
  async open(path) {
    const dialects = await openDialects(path);
    const writer = new Kysely<Tables>({ dialect: dialects.writer });
    const read = new Kysely<Tables>({ dialect: dialects.reader });
    return {
      read,
      writer,
      async transact(work, { isSmall }) {
        dialects.dontBlock(); // migrations may
        dialects.undoInMemory(isSmall);
        await dialects.makeWhole(); // before a commit, which may move the log to the database
        try {
          const { value } = await writer.transaction().execute(work);
          return value;
        } finally {
          dialects.reportImages();
        }
      },
      flush: dialects.flush,
      onImagesChanged: dialects.onImagesChanged,
      // No other process keeps anything of the database in memory.
      onAnnouncement: () => undefined,
      version: dialects.version,
      snapshot: dialects.snapshot,
      close: dialects.close,
    };
  },
  faultOf: sqliteFault,
  async describe(queries) {
    const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(queries);
    return `SQLite ${rows[0]?.version}`;
  },
  async sizeOf(queries) {
    const { rows } = await sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(queries);
    return rows[0]?.bytes ?? 0;
  },
  yearOf: (column) => sql<string>`strftime('%Y', ${sql.ref(column)} / 1000, 'unixepoch')`,
  ...search,
  withoutTriggers,
  lastNumber,
  continueNumbering,
};

/** Triggers can't be disabled: they are dropped and created again, in the same transaction. */
async function withoutTriggers(queries: Kysely<Tables>, table: string, work: () => Promise<void>): Promise<void> {
  const { rows: triggers } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ${table}`.execute(queries);
  for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(queries);
  await work();
  for (const trigger of triggers) await sql.raw(trigger.sql).execute(queries);
}

async function lastNumber(queries: Kysely<Tables>, table: string): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(queries);
  return rows[0]?.seq;
}

async function continueNumbering(queries: Kysely<Tables>, table: string, last: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${table}`.execute(queries);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(queries);
}
