import { Kysely, sql } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../schema/tables.ts';
import { openDialects } from './connections.ts';
import * as copying from './copying.ts';
import * as derived from './derived.ts';
import { sqliteFault } from './fault.ts';
import * as search from './search.ts';

/** A database file, of which this process is the only writer apart from short commands. */
export const sqlite: Engine = {
  isShared: false,
  async open(path) {
    const dialects = openDialects(path);
    const writer = new Kysely<Tables>({ dialect: dialects.writer });
    const read = new Kysely<Tables>({ dialect: dialects.reader });
    return {
      read,
      writer,
      async transact(work, { isSmall }) {
        dialects.undoInMemory(isSmall);
        return (await writer.transaction().execute(work)).value;
      },
      // No other process keeps anything of the database in memory.
      onAnnouncement: () => undefined,
      version: dialects.version,
      snapshot: dialects.snapshot,
      async close() {
        await read.destroy();
        await writer.destroy();
        dialects.close();
      },
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
  ...derived,
  ...search,
  ...copying,
};
