import type { Insertable } from 'kysely';
import { z } from 'zod';
import { VIDEO_DEFAULTS } from '#api/constants.ts';
import {
  count,
  exact,
  flag,
  id,
  idOf,
  instant,
  json,
  name,
  number,
  numbered,
  object,
  oneOf,
  passwordHash,
  picture,
  type RowOf,
  seconds,
  sha256,
  type TypesOf,
  table,
  text,
  texts,
  version,
} from './columns.ts';

export const accounts = {
  /** The limits of a group's members; 0 always means unlimited. */
  groups: table({
    id: numbered,
    kind: oneOf(['owner', 'default', 'guest', 'custom']),
    name: text(),
    max_file_bytes: count,
    max_video_bytes: count.default(VIDEO_DEFAULTS.bytes),
    max_video_seconds: count.default(VIDEO_DEFAULTS.seconds),
    storage_quota_bytes: count,
    /** JSON array of extensions. */
    allowed_exts: texts,
    uploads_per_minute: count,
    uploads_per_hour: count,
    uploads_per_day: count,
    default_expires_in: seconds,
    max_expires_in: seconds,
    default_max_views: number,
    max_max_views: number,
    /** 1: expired pictures are deleted permanently instead of moved to the trash. */
    delete_expired: flag.default(0),
    /** 1: members may have uploads converted. */
    allow_convert: flag.default(1),
    /** 1: everyone with an account sees it, and how many members it has. */
    listed: flag.default(0),
    /** JSON array of storage policies; the first is the default. */
    policy_ids: json(z.array(id.check).min(1)),
    created_at: instant,
  }),

  users: table(
    {
      id: numbered,
      username: name,
      /** Lower case, for finding and uniqueness. */
      username_key: text().unique(),
      email: text().nullable(),
      email_key: text().nullable().unique(),
      /** Who entered the address: sign-on trusts only those from an admin or a provider, not those from a user. */
      email_source: oneOf(['user', 'admin', 'provider']),
      /** Null: the user can't sign in by password. */
      password_hash: passwordHash.nullable(),
      role: oneOf(['user', 'admin']),
      is_owner: flag,
      group_id: idOf('groups'),
      disabled_at: instant.nullable(),
      /** Sum of the sizes of the user's images, trash included. */
      storage_used_bytes: exact.default(0),
      image_count: number.default(0),
      preferences: object.default('{}'),
      /** Whether text in the user's images is recognised. */
      recognize_text: flag.default(1),
      /** Grows with every change to the user's images; triggers maintain it. */
      library_version: exact.default(0),
      /** The version of the user's avatar, by content; null: they have none. */
      avatar: version.nullable(),
      created_at: instant,
    },
    {
      indexes: {
        users_one_owner: { columns: ['is_owner'], where: 'is_owner = 1', isUnique: true },
        users_by_group: { columns: ['group_id'] },
      },
    },
  ),

  /** The sizes of users' avatars. */
  avatars: table(
    {
      user_id: idOf('users', 'cascade'),
      /** In pixels. */
      side: number,
      /** A WebP, in base64. */
      content: picture,
    },
    { key: ['user_id', 'side'] },
  ),

  /** An account that is being deleted: it is disabled, and its row stays until it has no images. */
  account_deletions: table(
    {
      user_id: idOf('users', 'cascade'),
      /** The account that gets its images and albums; null: the images go to the trash. */
      heir_id: idOf('users').nullable(),
      /** The number of images to move when the deletion began. */
      images: number,
      started_at: instant,
    },
    { key: ['user_id'] },
  ),

  sessions: table(
    {
      id: numbered,
      user_id: idOf('users', 'cascade'),
      secret_hash: sha256.unique(),
      address: text(),
      user_agent: text(),
      created_at: instant,
      last_seen_at: instant,
      expires_at: instant,
    },
    { indexes: { sessions_by_user: { columns: ['user_id', 'id'] } } },
  ),

  tokens: table(
    {
      id: numbered,
      user_id: idOf('users', 'cascade'),
      name: text(),
      scope: oneOf(['upload', 'device', 'full', 'metrics']),
      /** SHA-256 of the token's text, which isn't stored. */
      secret_hash: sha256.unique(),
      created_at: instant,
      last_used_at: instant.nullable(),
      expires_at: instant.nullable(),
    },
    { indexes: { tokens_by_user: { columns: ['user_id', 'id'] } } },
  ),

  /** Permits one registration. */
  invites: table({
    id: numbered,
    /** SHA-256 of the code, which isn't stored. */
    code_hash: sha256.unique(),
    /** The admin's note about who it is for. */
    note: text(),
    /** Only this address may register with it; null: any. */
    email: text().nullable(),
    /** The group that the new account gets; null: the default one. */
    group_id: idOf('groups', 'set null').nullable(),
    created_at: instant,
    expires_at: instant,
    used_at: instant.nullable(),
    used_by: idOf('users', 'set null').nullable(),
  }),

  /** The account of a person at a sign-on provider. */
  identities: table(
    {
      id: numbered,
      user_id: idOf('users', 'cascade'),
      issuer: text(),
      /** The provider's permanent identifier of the person. */
      subject: text(),
      created_at: instant,
      /** JSON array of what the claim of groups contained at the last sign-in; null: none was configured, or another one. */
      claimed_groups: texts.nullable(),
      /** When that was. */
      claimed_at: instant.nullable(),
    },
    { unique: ['issuer', 'subject'], indexes: { identities_by_user: { columns: ['user_id'] } } },
  ),

  /** The secret that an account shares with an authenticator app. */
  two_factor: table(
    {
      user_id: idOf('users', 'cascade'),
      /** Encrypted under a key of `secrets.json`. */
      sealed_secret: text(),
      /** The time step of the last accepted code: neither it nor an earlier one is accepted again. */
      last_step: number,
      enabled_at: instant,
    },
    { key: ['user_id'] },
  ),

  /** Codes that each replace the authenticator app once; a row goes when its code is used. */
  recovery_codes: table({ user_id: idOf('users', 'cascade'), code_hash: sha256 }, { key: ['user_id', 'code_hash'] }),

  /** A user's passkeys. */
  passkeys: table(
    {
      id: numbered,
      user_id: idOf('users', 'cascade'),
      /** Chosen by the authenticator, as base64url. */
      credential_id: text(z.base64url().min(1).max(2_000)).unique(),
      /** A COSE key, as base64url. */
      public_key: text(z.base64url().max(20_000)),
      /** How often the authenticator has used it, if it keeps count; 0 otherwise. */
      counter: number,
      /** JSON array of the ways to reach the authenticator. */
      transports: texts,
      /** The host name that it is bound to. */
      host: text(),
      name: text(),
      created_at: instant,
      last_used_at: instant.nullable(),
    },
    { indexes: { passkeys_by_user: { columns: ['user_id', 'id'] } } },
  ),

  /** A device that waits for a token. */
  device_requests: table(
    {
      /** SHA-256 of the code that only the device knows. */
      code_hash: sha256,
      /** The code that a user types. */
      user_code: text().unique(),
      name: text(),
      /** What the token may do. */
      scope: oneOf(['upload', 'device', 'full']).default('upload'),
      /** Where the request came from. */
      address: text(),
      created_at: instant,
      expires_at: instant,
      /** Seconds that the device must wait between two polls. */
      poll_seconds: number,
      polled_at: instant,
      denied: flag.default(0),
      /** Who approved it; null: undecided or denied. */
      user_id: idOf('users', 'cascade').nullable(),
    },
    {
      key: ['code_hash'],
      indexes: { device_requests_by_expiry: { columns: ['expires_at'] }, device_requests_by_user: { columns: ['user_id'] } },
    },
  ),

  /** A code with which a phone asks for a token, and that phone. */
  phone_codes: table(
    {
      /** SHA-256 of what the QR code contains. */
      code_hash: sha256,
      /** Who shows the code, and decides. */
      user_id: idOf('users', 'cascade'),
      state: oneOf(['waiting', 'asking', 'approved', 'connected', 'denied']),
      expires_at: instant,
      /** SHA-256 of the secret that only the phone knows; null until one asks. */
      phone_hash: sha256.nullable().unique(),
      /** Shown on both; empty until a phone asks. */
      check_code: text(),
      name: text(),
      /** Where the phone's request came from. */
      address: text(),
    },
    {
      key: ['code_hash'],
      indexes: { phone_codes_by_expiry: { columns: ['expires_at'] }, phone_codes_by_user: { columns: ['user_id'] } },
    },
  ),
};

export type GroupRow = RowOf<typeof accounts.groups>;
export type UserRow = RowOf<typeof accounts.users>;
export type AccountDeletionRow = RowOf<typeof accounts.account_deletions>;
export type SessionRow = RowOf<typeof accounts.sessions>;
export type TokenRow = RowOf<typeof accounts.tokens>;
export type InviteRow = RowOf<typeof accounts.invites>;
export type PasskeyRow = RowOf<typeof accounts.passkeys>;
export type NewPasskeyRow = Insertable<TypesOf<typeof accounts.passkeys>>;
export type DeviceRequestRow = RowOf<typeof accounts.device_requests>;
export type PhoneCodeRow = RowOf<typeof accounts.phone_codes>;
