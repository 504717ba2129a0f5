import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import { FIRST_POLICY, GROUP_DEFAULTS } from './group-defaults.ts';
import { createDerived as createOnPostgres } from './postgres/derived.ts';
import type { Column } from './schema/columns.ts';
import { keyOf, TABLES, type TableName, type Tables, tableNames } from './schema/tables.ts';
import { createDerived as createOnSqlite } from './sqlite/derived.ts';

/** Creates all tables, with the groups and the storage policy of a new installation. */
export async function createSchema(db: Kysely<Tables>): Promise<void> {
  await createTables(db);
  await (isPostgres(db) ? createOnPostgres : createOnSqlite)(db);
  const created_at = Date.now();
  await db
    .insertInto('policies')
    .values({ ...FIRST_POLICY, created_at })
    .execute();
  await db
    .insertInto('groups')
    .values(GROUP_DEFAULTS.map((group) => ({ ...group, policy_ids: '[1]', created_at })))
    .execute();
}

/** Creates the declared tables and their indexes, without what is derived from them. */
export async function createTables(db: Kysely<Tables>): Promise<void> {
  for (const name of tableNames) await createTable(db, name);
}

async function createTable(db: Kysely<Tables>, name: TableName) {
  const { columns, unique, indexes = {} } = TABLES[name];
  const key = keyOf(name);
  let table: CreateTableBuilder<TableName, string> = db.schema.createTable(name);
  for (const [column, declared] of Object.entries(columns))
    table = table.addColumn(column, declared.storage.kind, (builder) => defined(builder, declared, key.join() === column));
  if (key.length > 1) table = table.addPrimaryKeyConstraint(`${name}_key`, [...key]);
  if (unique) table = table.addUniqueConstraint(`${name}_key`, [...unique]);
  await table.execute();
  for (const [index, { columns: indexed, names, where, isUnique }] of Object.entries(indexes)) {
    let created = db.schema.createIndex(index).on(name);
    for (const column of indexed) created = column === names ? created.expression(sql`lower(${sql.ref(column)})`) : created.column(column);
    if (isUnique) created = created.unique();
    if (where) created = created.where(sql.raw<boolean>(where));
    await created.execute();
  }
}

function defined(builder: ColumnDefinitionBuilder, { storage }: Column<unknown>, isKey: boolean) {
  const { isNullable, isUnique, isNumbered, initial, parent } = storage;
  let column = builder;
  if (!isNullable) column = column.notNull();
  if (isKey) column = column.primaryKey();
  if (isNumbered) column = column.autoIncrement();
  if (isUnique) column = column.unique();
  if (initial !== undefined) column = column.defaultTo(initial);
  if (parent) column = column.references(`${parent.table}.id`);
  if (parent?.onDelete) column = column.onDelete(parent.onDelete);
  return column;
}
