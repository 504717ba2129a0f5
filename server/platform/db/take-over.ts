import { type Kysely, sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Tables } from './schema/tables.ts';

/**
 * Takes over the database of the last development version before 0.5, whose schema 44 steps had made. It creates what `schema/` declares
 * now, tables and columns of later steps included.
 */

const FORMER_STEPS = `001-spine 010-albums 020-accounts 030-administration 040-library 050-trash-counts 060-upload-keys
  070-expired-in-trash 075-trash-batches 080-timeline 090-descriptive-text 091-replaced-files 092-custom-addresses 100-album-downloads
  110-referrers 120-bytes-of-upload-keys 121-deletion-nonces 122-search-by-owner 123-guest-storage 130-sign-on-trust 139-batch-undos
  150-limits 160-two-factor 161-passkeys 170-account-deletions 180-policy-moves 200-leases 230-album-counts 240-search-marks
  250-duplicates 260-own-trash-batches 265-branding 270-album-expiry 271-animations 280-album-images 290-album-members
  300-request-links 310-conversions 320-image-texts 330-phone-codes 340-users-texts 350-senders-without-secrets
  351-former-slugs 352-device-scopes`.split(/\s+/);

/** Whether a development version has made these steps. */
export const isDevelopment = (applied: readonly string[]): boolean => applied.includes(FORMER_STEPS[0] as string);

export const isLastDevelopment = (applied: readonly string[]): boolean =>
  applied.length === FORMER_STEPS.length && FORMER_STEPS.every((name) => applied.includes(name));

/**
 * All in one transaction: a power cut leaves the former database. Of several services on a database, one does it, and the others wait.
 * @param name the step that takes the place of the former ones
 * @param later steps whose changes the declarations have: only those of PostgreSQL's tables are still to be made
 */
export async function takeOver(database: Kysely<Tables>, name: string, later: readonly string[]): Promise<void> {
  await database.transaction().execute(async (queries) => {
    const steps = queries as unknown as Kysely<{ kysely_migration: { name: string; timestamp: string } }>; // Kysely's own table
    const { numDeletedRows } = await steps.deleteFrom('kysely_migration').where('name', 'in', FORMER_STEPS).executeTakeFirst();
    if (numDeletedRows === 0n) return;
    // PostgreSQL's tables have the same columns, constraints and triggers; SQLite keeps the text of each statement that made them.
    if (isPostgres(queries)) await queries.schema.dropIndex('images_that_may_move').execute();
    else await rebuild(queries);
    // It has no dates of upload yet.
    await queries.insertInto('image_search_queue').columns(['image_id']).expression(unindexed(queries)).execute();
    const timestamp = new Date().toISOString();
    await steps
      .insertInto('kysely_migration')
      .values((isPostgres(queries) ? [name] : [name, ...later]).map((each) => ({ name: each, timestamp })))
      .execute();
  });
}

const unindexed = (queries: Kysely<Tables>) =>
  queries
    .selectFrom('images')
    .select('id')
    .where('id', 'not in', (row) => row.selectFrom('image_search_queue').select('image_id'));

const FORMER = 'former_';

/** Creates all tables of a database file again, with their rows and numbers. The search index is filled again later. */
async function rebuild(queries: Kysely<Tables>): Promise<void> {
  const { createTables } = await import('./create.ts');
  const { TABLES, tableNames } = await import('./schema/tables.ts');
  const { createTriggers } = await import('./sqlite/derived.ts');
  const run = (text: string) => sql.raw(text).execute(queries);
  const { rows } = await sql<{ type: string; name: string }>`
    select type, name from sqlite_schema where type in ('table', 'trigger', 'index') and sql is not null`.execute(queries);
  const had = new Set(rows.filter(({ type }) => type === 'table').map(({ name }) => name));
  const formerNames = tableNames.filter((name) => had.has(name));
  // Those of an untrusted database may have any name.
  for (const { type, name } of rows.filter((row) => row.type !== 'table'))
    await sql`drop ${sql.raw(type)} ${sql.id(name)}`.execute(queries);
  for (const name of formerNames) await run(`alter table "${name}" rename to "${FORMER}${name}"`);
  await createTables(queries);
  for (const name of formerNames) {
    const former = await sql<{ name: string }>`select name from pragma_table_info(${FORMER + name})`.execute(queries);
    const hadColumns = new Set(former.rows.map((column) => column.name));
    const columns = Object.keys(TABLES[name].columns)
      .filter((column) => hadColumns.has(column))
      .map((column) => `"${column}"`);
    await run(`insert into "${name}" (${columns}) select ${columns} from "${FORMER}${name}"`);
  }
  // Ids of deleted rows aren't reused.
  await run(`delete from sqlite_sequence where substr(name, 1, ${FORMER.length}) <> '${FORMER}'`);
  await run(`update sqlite_sequence set name = substr(name, ${FORMER.length + 1})`);
  for (const name of formerNames.toReversed()) await run(`drop table "${FORMER}${name}"`);
  await createTriggers(queries);
}
