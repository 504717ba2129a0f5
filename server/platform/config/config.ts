import { isIP } from 'node:net';
import { z } from 'zod';
import { canOpenPort } from '#api/desktop/listening.ts';
import { hostName, toOrigin } from '#api/url-forms.ts';
import { addressIn, isAddressOrNetwork } from '#server/platform/base/network-of.ts';

/** An error in the configuration; its message is for the person who starts Pixdock. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The data folder can't be used; the message is a sentence that says why. */
export class DataFolderError extends ConfigError {}

/** The database can't be read. */
export class DamagedDatabaseError extends DataFolderError {
  /** Absolute path. */
  readonly database: string;
  /** Absolute path of the folder with this data folder's backups; undefined: it has none. */
  readonly backups: string | undefined;

  constructor({ dataDir, database, backups, cause }: { dataDir: string; database: string; backups: string | undefined; cause: Error }) {
    const found = backups === undefined ? '' : ` There are backups in ${backups}.`;
    super(
      [
        `The database ${database} is damaged: ${cause.message}.`,
        `Start with \`pixdock verify --repair --data-dir "${dataDir}"\`: it says what is damaged, and repairs what doesn’t need a backup.`,
        `If that isn’t enough, restore a backup: start Pixdock with another, empty data folder (--data-dir or PIXDOCK_DATA_DIR), and choose the backup file under Administration → Backup.${found}`,
      ].join(' '),
      { cause },
    );
    this.database = database;
    this.backups = backups;
  }
}

/** Everything that the service needs to start; the rest are settings in the database. */
export interface ServiceConfig {
  /** Address to listen on: `127.0.0.1` for this machine only, `0.0.0.0` for the network. */
  host: string;
  /** TCP port; 0 chooses any free one. */
  port: number;
  /** Absolute path of the data folder. */
  dataDir: string;
  /** URL of a database that takes the place of the one in the data folder. */
  databaseUrl?: string | undefined;
  /** Origin that absolute links start with, such as `https://pics.example.org`; overrides the setting. */
  baseUrl?: string | undefined;
  /** Express's `trust proxy`: addresses or networks whose `X-Forwarded-*` headers are trusted; empty for none. */
  trustProxy: string[];
  /** Further host names that the service accepts. */
  allowedHosts: string[];
  /** Seconds for which the service still accepts requests when it stops, after `/readyz` has begun to refuse; 0 by default. */
  drainSeconds?: number | undefined;
  /** Secrets that several services share: the content of a `secrets.json` in base64, or the path of one. */
  secrets?: string | undefined;
  /** Folder of the built web application. */
  webRoot: string;
  logLevel: string;
}

/** The default port. */
export const DEFAULT_PORT = 7410;

const baseUrl = z.string().transform((text, context) => {
  const origin = toOrigin(text);
  if (origin) return origin;
  context.addIssue({ code: 'custom', message: 'must be an http or https address without a path, such as https://pics.example.org' });
  return z.NEVER;
});

/** Express's names for networks. */
const PROXIES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);
const PROXY_RULE = 'must be IP addresses or networks, such as 10.0.0.5 or 10.0.0.0/24';

const PORT_RULE = 'must be a whole number from 0 to 65535';
const BLOCKED_RULE = 'must not be a port that browsers refuse to open, such as 6000 or 6667';

const DRAIN_RULE = 'must be a number of seconds from 0 to 300';

export const configSchema = z.object({
  host: z
    .string()
    .refine((host) => isIP(host) > 0 || host === 'localhost', 'must be an IP address of this computer, such as 127.0.0.1 or 0.0.0.0')
    .default('127.0.0.1'),
  port: z.coerce
    .number(PORT_RULE)
    .int(PORT_RULE)
    .min(0, PORT_RULE)
    .max(65_535, PORT_RULE)
    .refine(canOpenPort, BLOCKED_RULE)
    .default(DEFAULT_PORT),
  dataDir: z.string().min(1),
  databaseUrl: z.url('must be the URL of a database').optional(),
  baseUrl: baseUrl.optional(),
  trustProxy: z
    .array(z.string().transform((text) => addressIn(text) ?? text))
    .refine((list) => list.every((entry) => PROXIES.has(entry) || isAddressOrNetwork(entry)), PROXY_RULE)
    .default([]),
  allowedHosts: z
    .array(
      z
        .string()
        .regex(/^[A-Za-z0-9.-]+$/, 'must be host names without ports')
        .transform(hostName),
    )
    .default([]),
  drainSeconds: z.coerce.number(DRAIN_RULE).min(0, DRAIN_RULE).max(300, DRAIN_RULE).optional(),
  secrets: z.string().optional(),
  webRoot: z.string().min(1),
  logLevel: z.enum(['silent', 'error', 'warn', 'info', 'debug'], 'must be silent, error, warn, info or debug').default('info'),
});

/** Values that messages must not show. */
const SECRET: ReadonlySet<string> = new Set(['databaseUrl']);

/**
 * Checks raw values and fills in defaults.
 * @param names how messages name each value, such as its environment variable
 * @throws ConfigError with a sentence
 */
export function parseConfig(raw: Record<string, unknown>, names: Record<string, string> = {}): ServiceConfig {
  const result = configSchema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = String(issue?.path[0] ?? '');
  const value = SECRET.has(field) ? '' : ` (it’s ${JSON.stringify(raw[field])})`;
  throw new ConfigError(`${names[field] ?? field} ${issue?.message ?? 'isn’t valid'}${value}.`);
}
