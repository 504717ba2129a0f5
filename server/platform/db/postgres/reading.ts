import { Kysely, type PostgresPool } from 'kysely';
import type { Tables } from '../schema/tables.ts';
import { Dialect } from './dialect.ts';
import { UnavailableError } from './fault.ts';
import { asPoolClient, connectionConfig, openPool } from './pool.ts';

const MAX_CONNECTIONS = 10;
const IDLE_MS = 30_000;
const STATEMENT_MS = 30_000;

/** Reads committed data. A query whose connection is lost runs once more: the server may have restarted since the one before. */
export function openReading(url: string): Kysely<Tables> {
  const config = connectionConfig(url, STATEMENT_MS, '-c default_transaction_read_only=on');
  const pool = openPool({ max: MAX_CONNECTIONS, idleTimeoutMillis: IDLE_MS, ...config });
  const once = async (text: string, values: readonly unknown[]) => {
    const client = await pool.connect();
    try {
      return await client.query<unknown>(text, values);
    } finally {
      client.release();
    }
  };
  const query = async (text: string, values: readonly unknown[]) =>
    await once(text, values).catch((error: unknown) => {
      if (error instanceof UnavailableError) return once(text, values);
      throw error;
    });
  const perQuery: PostgresPool = { connect: async () => asPoolClient(query, () => undefined), end: () => pool.end() };
  return new Kysely<Tables>({ dialect: new Dialect(perQuery) });
}
