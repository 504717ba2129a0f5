import { z } from 'zod';
import { day, exact, flag, id, instant, json, number, numbered, object, picture, type RowOf, table, text, texts } from './columns.ts';

export const instance = {
  settings: table(
    {
      name: text(),
      /** JSON. */
      value: json(z.unknown()),
    },
    { key: ['name'] },
  ),

  /** The versions of the site's logo. They have a few kilobytes each, and belong to no storage policy (decision 134). */
  site_pictures: table(
    {
      /** `logo`, `icon` or `tile`. */
      name: text(),
      /** In base64. The setting `logo` has its media type. */
      content: picture,
    },
    { key: ['name'] },
  ),

  /** The sign-on provider, in a single row. */
  oidc_providers: table({
    id,
    enabled: flag,
    issuer: text(),
    client_id: text(),
    /** Encrypted under a key of `secrets.json`; null: none stored. */
    sealed_secret: text().nullable(),
    auto_create: flag,
    /** JSON array, lower case. */
    allowed_email_domains: texts,
    allow_insecure_issuer: flag,
    /** 1: addresses that the provider doesn't mark as verified also count. */
    trust_email: flag.default(0),
    /** JSON array of Entra tenant ids, lower case; empty: any. */
    allowed_tenants: texts.default('[]'),
    /** The claim that decides in which group an account is; empty: none. */
    groups_claim: text().default(''),
    /** JSON array of `{value, group_id}`: the first value that the claim contains counts. */
    group_map: json(z.array(z.strictObject({ value: z.string(), group_id: id.check }))).default('[]'),
  }),

  /** What rate limits have counted, so that a restart doesn't clear it. */
  limits: table(
    {
      counter: text(),
      /** The keyed hash of an address, a user or another key. */
      id: text(),
      points: number,
      expires_at: instant,
    },
    { key: ['counter', 'id'], indexes: { limits_by_expiry: { columns: ['expires_at'] } } },
  ),

  /** Tasks that only one of the services on the database does at a time. */
  leases: table(
    {
      name: text(),
      /** The service that does it; empty: none. */
      holder: text(),
      /** Counts renewals. */
      beat: number,
    },
    { key: ['name'] },
  ),

  /** No reference to users: what a user did stays on record whatever becomes of their account. */
  audit: table(
    {
      id: numbered,
      at: instant,
      /** Null: the caller wasn't signed in. */
      actor_id: exact.nullable(),
      /** The name at that time. */
      actor_name: text(),
      /** `thing.verb`, such as `settings.changed`. */
      action: text(),
      /** The object of the action, for display: a name or an id. */
      target: text(),
      /** JSON object; never a secret. */
      details: object,
      address: text(),
      user_agent: text(),
    },
    { indexes: { audit_by_actor: { columns: ['actor_id', 'id'] }, audit_by_action: { columns: ['action', 'id'] } } },
  ),

  /** One day's counts for one user's images. */
  daily_counts: table(
    {
      /** `YYYY-MM-DD`, UTC. */
      day,
      /** The owner of the images; {@link GUESTS} for guests. */
      user_id: number,
      uploads: number.default(0),
      upload_bytes: number.default(0),
      views: number.default(0),
      /** The user's stored bytes when last measured on this day; null if they weren't. */
      stored_bytes: exact.nullable(),
    },
    { key: ['day', 'user_id'] },
  ),
};

export type AuditRow = RowOf<typeof instance.audit>;
