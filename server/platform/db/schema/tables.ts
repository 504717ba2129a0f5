import { accounts } from './accounts.ts';
import type { Table, TypesOf } from './columns.ts';
import { instance } from './instance.ts';
import { library } from './library.ts';
import { requests } from './requests.ts';
import { sendings } from './sendings.ts';
import { storage } from './storage.ts';
import { webhooks } from './webhooks.ts';

const DECLARED = { ...accounts, ...instance, ...library, ...requests, ...sendings, ...storage, ...webhooks };

/** All tables, as Kysely takes them. */
export type Tables = { [Name in TableName]: TypesOf<(typeof DECLARED)[Name]> };
export type TableName = keyof typeof DECLARED;

export const TABLES: Readonly<Record<TableName, Table>> = DECLARED;

/** The tables that a table refers to. */
const parentsOf = (table: TableName): TableName[] =>
  Object.values(TABLES[table].columns).flatMap(({ storage: { parent } }) => (parent ? [parent.table as TableName] : []));

function ordered(): TableName[] {
  const names = new Set<TableName>();
  const add = (name: TableName) => {
    for (const parent of parentsOf(name)) add(parent);
    names.add(name);
  };
  for (const name of Object.keys(TABLES) as TableName[]) add(name);
  return [...names];
}

/** The names of all tables. No table refers to a later one. */
export const tableNames: readonly TableName[] = ordered();

export const keyOf = (table: TableName): readonly string[] => TABLES[table].key;
