import { setImmediate } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { z } from 'zod';
import { MAX_ID } from './schema/columns.ts';
import { TABLES, type TableName, tableNames } from './schema/tables.ts';

/** What is wrong with an untrusted database: in which table, and the rest of a sentence about it. */
export interface RowFault {
  table: string;
  problem: string;
}

/** Rows that are read before other work runs, which takes a few milliseconds. */
const ROWS_AT_ONCE = 200;

/**
 * Reads every row of an untrusted database file, which has the current schema, one at a time: each must be as its table's schema says, and
 * what it refers to must exist.
 * @param describe returns the end of a sentence about a value
 * @returns the first fault
 */
export async function findRowFault(path: string, describe: z.core.$ZodErrorMap): Promise<RowFault | undefined> {
  const connection = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    for (const table of tableNames) {
      const problem = (await invalidRow(connection, table, describe)) ?? brokenReference(connection, table);
      if (problem) return { table, problem };
    }
    return numberingFault(connection);
  } finally {
    connection.close();
  }
}

async function invalidRow(connection: Sqlite.Database, table: TableName, error: z.core.$ZodErrorMap): Promise<string | undefined> {
  let read = 0;
  for (const row of connection.prepare(`select * from "${table}"`).iterate()) {
    if (++read % ROWS_AT_ONCE === 0) await setImmediate();
    const [issue] = TABLES[table].check.safeParse(row, { error }).error?.issues ?? [];
    if (issue) return `${issue.path.join('.')}: ${issue.message}`;
  }
  return undefined;
}

function brokenReference(connection: Sqlite.Database, table: string): string | undefined {
  const broken = connection.prepare(`pragma foreign_key_check("${table}")`).get() as { parent: string } | undefined;
  return broken && `a row refers to one in “${broken.parent}” that doesn’t exist`;
}

/** New rows get the numbers after these. Numbers that we write ourselves are stored as real ones: the column has no type. */
function numberingFault(connection: Sqlite.Database): RowFault | undefined {
  const wrong = connection
    .prepare(`select 1 from sqlite_sequence where typeof(seq) not in ('integer', 'real') or seq <> round(seq) or seq not between 0 and ?`)
    .get(MAX_ID);
  return wrong === undefined ? undefined : { table: 'sqlite_sequence', problem: 'a number is out of range' };
}
