import type { Kysely } from 'kysely';
import { ConfigError } from '#server/platform/config/config.ts';
import type { Tables } from './schema/tables.ts';

/** The row that marks a database as incomplete; its other columns describe what is being copied. */
const NAME = 'migration';

/** What {@link markIncomplete} has stored; undefined: the database is complete. */
export async function readIncomplete(queries: Kysely<Tables>): Promise<string | undefined> {
  const row = await queries.selectFrom('leases').select('holder').where('name', '=', NAME).executeTakeFirst();
  return row?.holder;
}

/** Has {@link requireComplete} refuse the database. @param state where the copy stands, for resuming it */
export async function markIncomplete(queries: Kysely<Tables>, state: string): Promise<void> {
  await queries
    .insertInto('leases')
    .values({ name: NAME, holder: state, beat: 0 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ holder: state }))
    .execute();
}

export async function unmarkIncomplete(queries: Kysely<Tables>): Promise<void> {
  await queries.deleteFrom('leases').where('name', '=', NAME).execute();
}

/** @throws ConfigError with a sentence when a copy into this database was interrupted */
export async function requireComplete(queries: Kysely<Tables>): Promise<void> {
  if ((await readIncomplete(queries)) === undefined) return;
  throw new ConfigError(
    'This database is incomplete because a migration into it was interrupted. Repeat the same `pixdock migrate` command to resume it, or use the previous database, which hasn’t changed.',
  );
}
