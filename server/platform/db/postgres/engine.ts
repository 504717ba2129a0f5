import { Kysely, type RawBuilder, sql } from 'kysely';
import { ConfigError } from '#server/platform/config/config.ts';
import type { Connections, Engine } from '../engine.ts';
import type { Tables } from '../schema/tables.ts';
import { Dialect } from './dialect.ts';
import { exportDatabase } from './export.ts';
import { postgresFault } from './fault.ts';
import { openNotifications } from './notifications.ts';
import { connectionConfig, openPool } from './pool.ts';
import { openReading } from './reading.ts';
import * as search from './search.ts';
import { openWriting } from './writing.ts';

const OLDEST_VERSION = 15;

/** The connections that migrations leave behind close soon. */
const MIGRATION_IDLE_MS = 1_000;

/** A database of a PostgreSQL server, which several processes may use. */
export const postgres: Engine = {
  isShared: true,
  async open(url) {
    // Migrations may take a long time, and wait for those of other processes.
    const writer = new Kysely<Tables>({
      dialect: new Dialect(openPool({ max: 1, idleTimeoutMillis: MIGRATION_IDLE_MS, ...connectionConfig(url, 0) })),
    });
    try {
      await requireUsable(writer, url);
    } catch (error) {
      await writer.destroy();
      throw error;
    }
    const notifications = await openNotifications(url);
    const read = openReading(url);
    const writing = openWriting(url, notifications.notify);
    return {
      read,
      writer,
      transact: (async (work) => {
        const value = await writing.transact(work);
        notifications.count();
        return value;
      }) satisfies Connections['transact'],
      // PostgreSQL confirms a commit once it has flushed it.
      flush: async () => undefined,
      onAnnouncement: notifications.onMessage,
      // Nothing of an image is kept in memory, since other processes may change it.
      onImagesChanged: () => undefined,
      version: notifications.version,
      async snapshot(path, create) {
        await create(path);
        await exportDatabase(url, path);
      },
      async close() {
        await notifications.close();
        await Promise.all([read.destroy(), writing.close(), writer.destroy()]);
      },
    };
  },
  faultOf: postgresFault,
  async describe(queries) {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(queries);
    return `PostgreSQL ${rows[0]?.server_version.split(' ')[0]}`;
  },
  async sizeOf(queries) {
    const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(queries);
    return rows[0]?.bytes ?? 0;
  },
  yearOf: (column) => sql<string>`to_char(to_timestamp(${sql.ref(column)} / 1000) at time zone 'UTC', 'YYYY')`,
  ...search,
  withoutTriggers,
  lastNumber,
  continueNumbering,
};

/** @throws ConfigError with a sentence that doesn't contain the password */
async function requireUsable(queries: Kysely<Tables>, url: string): Promise<void> {
  const { host, pathname } = URL.parse(url) ?? { host: '', pathname: '' };
  const name = `${host}${pathname}`;
  const settings = sql<{ version: number; encoding: string }>`
    select current_setting('server_version_num')::bigint as version, current_setting('server_encoding') as encoding`;
  const { rows } = await settings.execute(queries).catch((error: unknown) => {
    throw new ConfigError(`Can’t use the database ${name}: ${(error as Error).message}. Check PIXDOCK_DATABASE_URL.`, { cause: error });
  });
  const { version = 0, encoding } = rows[0] ?? {};
  if (version < OLDEST_VERSION * 10_000)
    throw new ConfigError(`The database ${name} must run on PostgreSQL ${OLDEST_VERSION} or newer. Upgrade the server.`);
  if (encoding !== 'UTF8') throw new ConfigError(`The database ${name} must use UTF8 encoding. Create it with ENCODING 'UTF8'.`);
}

/** Triggers that check references still run. */
async function withoutTriggers(queries: Kysely<Tables>, table: string, work: () => Promise<void>): Promise<void> {
  await sql`alter table ${sql.table(table)} disable trigger user`.execute(queries);
  await work();
  await sql`alter table ${sql.table(table)} enable trigger user`.execute(queries);
}

/** Null for a table whose ids aren't assigned automatically. */
const sequenceOf = (table: string): RawBuilder<unknown> => sql`pg_get_serial_sequence(${table}::text, 'id')::regclass`;

async function lastNumber(queries: Kysely<Tables>, table: string): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`select pg_sequence_last_value(${sequenceOf(table)}) as last`.execute(queries);
  return rows[0]?.last ?? undefined;
}

async function continueNumbering(queries: Kysely<Tables>, table: string, last: number): Promise<void> {
  await sql`select setval(${sequenceOf(table)}, ${last}::bigint)`.execute(queries);
}
