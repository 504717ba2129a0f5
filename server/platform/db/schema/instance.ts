import type { Generated, Selectable } from 'kysely';

export interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
}

/** The sign-on provider, in a single row. */
export interface OidcProvidersTable {
  id: number;
  enabled: 0 | 1;
  issuer: string;
  client_id: string;
  /** Encrypted under a key of `secrets.json`; null: none stored. */
  sealed_secret: string | null;
  auto_create: 0 | 1;
  /** JSON array, lower case. */
  allowed_email_domains: string;
  allow_insecure_issuer: 0 | 1;
  /** 1: addresses that the provider doesn't mark as verified also count. */
  trust_email: Generated<0 | 1>;
  /** JSON array of Entra tenant ids, lower case; empty: any. */
  allowed_tenants: Generated<string>;
}

/** What rate limits have counted. */
export interface LimitsTable {
  counter: string;
  /** The keyed hash of an address, a user or another key. */
  id: string;
  points: number;
  expires_at: number;
}

/** Tasks that only one of the services on the database does at a time. */
export interface LeasesTable {
  name: string;
  /** The service that does it; empty: none. */
  holder: string;
  /** Counts renewals. */
  beat: number;
}

export interface AuditTable {
  id: Generated<number>;
  at: number;
  /** Null: the caller wasn't signed in. */
  actor_id: number | null;
  /** The name at that time. */
  actor_name: string;
  /** `thing.verb`, such as `settings.changed`. */
  action: string;
  /** The object of the action, for display: a name or an id. */
  target: string;
  /** JSON object; never a secret. */
  details: string;
  address: string;
  user_agent: string;
}
export type AuditRow = Selectable<AuditTable>;

/** One day's counts for one user's images. */
export interface DailyCountsTable {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  /** The owner of the images; {@link GUESTS} for guests. */
  user_id: number;
  uploads: number;
  upload_bytes: number;
  views: number;
  /** The user's stored bytes when last measured on this day; null if they weren't. */
  stored_bytes: number | null;
}
