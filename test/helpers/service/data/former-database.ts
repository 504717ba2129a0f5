import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { runOn } from './postgres-server.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/database/before-0.5', name), 'utf8');

/** Which the last development version before 0.5 had stored: in every table at least one. The pictures are `tinyPng(1)` to `tinyPng(5)`. */
const ROWS = fixture('rows.sql');
/** The steps that it had made. */
export const FORMER_STEPS = ROWS.slice(
  ROWS.indexOf('insert into "kysely_migration" '),
  ROWS.indexOf('insert into "kysely_migration_lock"'),
);

/** Splits a schema into what comes before and after rows: triggers would change them. */
const around = (schema: string) => schema.split('-- rows\n') as [string, string];

/** Writes a database file as the last development version before 0.5 left it, except for the content of the search index. */
export function writeFormerDatabase(path: string, fill = (db: Sqlite.Database) => void db.exec(ROWS)): void {
  const [before, after] = around(fixture('sqlite.sql'));
  const db = new Sqlite(path);
  db.pragma('synchronous = OFF');
  db.exec(before);
  fill(db);
  db.exec(after);
  db.close();
}

/** The same in an empty database of a server. */
export async function writeFormerTo(url: string): Promise<void> {
  const [before, after] = around(fixture('postgres.sql'));
  await runOn(url, before, ROWS, after);
}
