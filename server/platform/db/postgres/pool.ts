import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import { type ClientConfig, Pool, type PoolConfig, types } from 'pg';
import { asUnavailable, UnavailableError } from './fault.ts';

/** Waiting for a free connection, and connecting. */
const CONNECT_MS = 5_000;
/** A server that is reached but doesn't respond has failed; its own limits on statements are lower. */
const RESPONSE_MARGIN_MS = 5_000;

const asNumber = (text: string) => Number(text);
/** Counts and sums as numbers, as everywhere else in the service. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [types.builtins.INT8, asNumber],
  [types.builtins.NUMERIC, asNumber],
]);

/** How the service connects. Parameters of the URL take precedence over these. */
export function connectionConfig(url: string, statementMs: number, options = ''): ClientConfig {
  return {
    connectionString: url,
    application_name: 'pixdock',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    ...(statementMs > 0 && { query_timeout: statementMs + RESPONSE_MARGIN_MS }),
    options: `-c timezone=UTC -c synchronous_commit=on ${options}`,
    types: {
      getTypeParser: ((id: number, format?: 'text' | 'binary') =>
        PARSERS.get(id) ?? types.getTypeParser(id, format)) as typeof types.getTypeParser,
    },
  };
}

/** PostgreSQL's texts can't contain NUL, which no text of the service needs. */
const withoutNul = (value: unknown) => (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value);

/** A client as Kysely uses it, without cursors. */
export const asPoolClient = (
  query: (text: string, values: readonly unknown[]) => Promise<PostgresQueryResult<unknown>>,
  release: () => void,
): PostgresPoolClient => ({ query: query as PostgresPoolClient['query'], release });

/**
 * A pool whose errors are known: those of the connection are {@link UnavailableError}s, and such a connection isn't used again.
 * @param onError called with each error of a statement
 */
export function openPool(config: PoolConfig, onError: (error: unknown) => void = () => undefined): PostgresPool {
  const pool = new Pool(config);
  // A connection that fails is removed from the pool; its next statement, if any, reports the reason.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    async connect(): Promise<PostgresPoolClient> {
      const client = await pool.connect().catch((error: unknown) => {
        throw asUnavailable(error);
      });
      let fault: Error | undefined;
      return asPoolClient(
        async (text, values) => {
          try {
            const result: unknown = await client.query(text, values.map(withoutNul));
            // Several statements at once have several results.
            return (Array.isArray(result) ? result.at(-1) : result) as PostgresQueryResult<unknown>;
          } catch (error) {
            const known = asUnavailable(error);
            if (known instanceof UnavailableError) fault = known;
            onError(known);
            throw known;
          }
        },
        () => client.release(fault),
      );
    },
    end: () => pool.end(),
  };
}
