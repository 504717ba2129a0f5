import type { Generated, Selectable } from 'kysely';
import { z } from 'zod';
import { day, flag, id, instant, json, number, object, picture, type RowOf, text, texts } from './columns.ts';

export interface SettingsTable {
  name: string;
  /** JSON. */
  value: string;
}
export const settingsRows = z.strictObject({
  name: text,
  value: json(z.unknown()),
}) satisfies RowOf<SettingsTable>;

/** The versions of the site's logo. */
export interface SitePicturesTable {
  /** `logo`, `icon` or `tile`. */
  name: string;
  /** In base64. The setting `logo` has its media type. */
  content: string;
}
export const sitePicturesRows = z.strictObject({ name: text, content: picture }) satisfies RowOf<SitePicturesTable>;

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
export const oidcProvidersRows = z.strictObject({
  id,
  enabled: flag,
  issuer: text,
  client_id: text,
  sealed_secret: text.nullable(),
  auto_create: flag,
  allowed_email_domains: texts,
  allow_insecure_issuer: flag,
  trust_email: flag,
  allowed_tenants: texts,
}) satisfies RowOf<OidcProvidersTable>;

/** What rate limits have counted. */
export interface LimitsTable {
  counter: string;
  /** The keyed hash of an address, a user or another key. */
  id: string;
  points: number;
  expires_at: number;
}
export const limitsRows = z.strictObject({
  counter: text,
  id: text,
  points: number,
  expires_at: instant,
}) satisfies RowOf<LimitsTable>;

/** Tasks that only one of the services on the database does at a time. */
export interface LeasesTable {
  name: string;
  /** The service that does it; empty: none. */
  holder: string;
  /** Counts renewals. */
  beat: number;
}
export const leasesRows = z.strictObject({
  name: text,
  holder: text,
  beat: number,
}) satisfies RowOf<LeasesTable>;

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
export const auditRows = z.strictObject({
  id,
  at: instant,
  actor_id: z.int().nullable(),
  actor_name: text,
  action: text,
  target: text,
  details: object,
  address: text,
  user_agent: text,
}) satisfies RowOf<AuditTable>;

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
export const dailyCountsRows = z.strictObject({
  day,
  user_id: number,
  uploads: number,
  upload_bytes: number,
  views: number,
  stored_bytes: z.int().nullable(),
}) satisfies RowOf<DailyCountsTable>;
