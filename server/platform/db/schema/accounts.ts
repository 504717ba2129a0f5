import type { Generated, Insertable, Selectable } from 'kysely';
import { z } from 'zod';
import {
  count,
  flag,
  id,
  instant,
  json,
  name,
  number,
  object,
  passwordHash,
  picture,
  type RowOf,
  seconds,
  sha256,
  text,
  texts,
  version,
} from './columns.ts';

/** The limits of a group's members; 0 always means unlimited. */
export interface GroupsTable {
  id: Generated<number>;
  kind: 'owner' | 'default' | 'guest' | 'custom';
  name: string;
  max_file_bytes: number;
  storage_quota_bytes: number;
  /** JSON array of extensions. */
  allowed_exts: string;
  uploads_per_minute: number;
  uploads_per_hour: number;
  uploads_per_day: number;
  default_expires_in: number;
  max_expires_in: number;
  default_max_views: number;
  max_max_views: number;
  /** 1: expired pictures are deleted permanently instead of moved to the trash. */
  delete_expired: Generated<0 | 1>;
  /** 1: members may have uploads converted. */
  allow_convert: Generated<0 | 1>;
  /** JSON array of storage policies; the first is the default. */
  policy_ids: string;
  created_at: number;
}
export type GroupRow = Selectable<GroupsTable>;
export const groupsRows = z.strictObject({
  id,
  kind: z.enum(['owner', 'default', 'guest', 'custom']),
  name: text,
  max_file_bytes: count,
  storage_quota_bytes: count,
  allowed_exts: texts,
  uploads_per_minute: count,
  uploads_per_hour: count,
  uploads_per_day: count,
  default_expires_in: seconds,
  max_expires_in: seconds,
  default_max_views: number,
  max_max_views: number,
  delete_expired: flag,
  allow_convert: flag,
  policy_ids: json(z.array(id).min(1)),
  created_at: instant,
}) satisfies RowOf<GroupsTable>;

export interface UsersTable {
  id: Generated<number>;
  username: string;
  /** Lower case, for finding and uniqueness. */
  username_key: string;
  email: string | null;
  email_key: string | null;
  /** Who entered the address: sign-on trusts only those from an admin or a provider, not those from a user. */
  email_source: 'user' | 'admin' | 'provider';
  /** Null: the user can't sign in by password. */
  password_hash: string | null;
  role: 'user' | 'admin';
  is_owner: 0 | 1;
  group_id: number;
  disabled_at: number | null;
  /** Sum of the sizes of the user's images, trash included. */
  storage_used_bytes: Generated<number>;
  image_count: Generated<number>;
  preferences: Generated<string>;
  /** Whether text in the user's images is recognised. */
  recognize_text: Generated<0 | 1>;
  /** Grows with every change to the user's images; triggers maintain it. */
  library_version: Generated<number>;
  /** The version of the user's avatar, by content; null: they have none. */
  avatar: Generated<string | null>;
  created_at: number;
}
export type UserRow = Selectable<UsersTable>;
export const usersRows = z.strictObject({
  id,
  username: name,
  username_key: text,
  email: text.nullable(),
  email_key: text.nullable(),
  email_source: z.enum(['user', 'admin', 'provider']),
  password_hash: passwordHash.nullable(),
  role: z.enum(['user', 'admin']),
  is_owner: flag,
  group_id: id,
  disabled_at: instant.nullable(),
  storage_used_bytes: z.int(),
  image_count: number,
  preferences: object,
  recognize_text: flag,
  library_version: z.int(),
  avatar: version.nullable(),
  created_at: instant,
}) satisfies RowOf<UsersTable>;

/** The sizes of users' avatars. */
export interface AvatarsTable {
  user_id: number;
  /** In pixels. */
  side: number;
  /** A WebP, in base64. */
  content: string;
}
export const avatarsRows = z.strictObject({ user_id: id, side: number, content: picture }) satisfies RowOf<AvatarsTable>;

/** An account that is being deleted: it is disabled, and its row stays until it has no images. */
export interface AccountDeletionsTable {
  user_id: number;
  /** The account that gets its images and albums; null: the images go to the trash. */
  heir_id: number | null;
  /** The number of images to move when the deletion began. */
  images: number;
  started_at: number;
}
export type AccountDeletionRow = Selectable<AccountDeletionsTable>;
export const accountDeletionsRows = z.strictObject({
  user_id: id,
  heir_id: id.nullable(),
  images: number,
  started_at: instant,
}) satisfies RowOf<AccountDeletionsTable>;

export interface SessionsTable {
  id: Generated<number>;
  user_id: number;
  secret_hash: string;
  address: string;
  user_agent: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}
export type SessionRow = Selectable<SessionsTable>;
export const sessionsRows = z.strictObject({
  id,
  user_id: id,
  secret_hash: sha256,
  address: text,
  user_agent: text,
  created_at: instant,
  last_seen_at: instant,
  expires_at: instant,
}) satisfies RowOf<SessionsTable>;

export interface TokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  scope: 'upload' | 'full' | 'metrics';
  /** SHA-256 of the token's text, which isn't stored. */
  secret_hash: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
}
export type TokenRow = Selectable<TokensTable>;
export const tokensRows = z.strictObject({
  id,
  user_id: id,
  name: text,
  scope: z.enum(['upload', 'full', 'metrics']),
  secret_hash: sha256,
  created_at: instant,
  last_used_at: instant.nullable(),
  expires_at: instant.nullable(),
}) satisfies RowOf<TokensTable>;

/** Permits one registration. */
export interface InvitesTable {
  id: Generated<number>;
  /** SHA-256 of the code, which isn't stored. */
  code_hash: string;
  /** The admin's note about who it is for. */
  note: string;
  /** Only this address may register with it; null: any. */
  email: string | null;
  /** The group that the new account gets; null: the default one. */
  group_id: number | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  used_by: number | null;
}
export type InviteRow = Selectable<InvitesTable>;
export const invitesRows = z.strictObject({
  id,
  code_hash: sha256,
  note: text,
  email: text.nullable(),
  group_id: id.nullable(),
  created_at: instant,
  expires_at: instant,
  used_at: instant.nullable(),
  used_by: id.nullable(),
}) satisfies RowOf<InvitesTable>;

/** The account of a person at a sign-on provider. */
export interface IdentitiesTable {
  id: Generated<number>;
  user_id: number;
  issuer: string;
  /** The provider's permanent identifier of the person. */
  subject: string;
  created_at: number;
}
export const identitiesRows = z.strictObject({
  id,
  user_id: id,
  issuer: text,
  subject: text,
  created_at: instant,
}) satisfies RowOf<IdentitiesTable>;

/** The secret that an account shares with an authenticator app. */
export interface TwoFactorTable {
  user_id: number;
  /** Encrypted under a key of `secrets.json`. */
  sealed_secret: string;
  /** The time step of the last accepted code: neither it nor an earlier one is accepted again. */
  last_step: number;
  enabled_at: number;
}
export const twoFactorRows = z.strictObject({
  user_id: id,
  sealed_secret: text,
  last_step: number,
  enabled_at: instant,
}) satisfies RowOf<TwoFactorTable>;

/** Codes that each replace the authenticator app once; a row goes when its code is used. */
export interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
}
export const recoveryCodesRows = z.strictObject({
  user_id: id,
  code_hash: sha256,
}) satisfies RowOf<RecoveryCodesTable>;

/** A user's passkeys. */
export interface PasskeysTable {
  id: Generated<number>;
  user_id: number;
  /** Chosen by the authenticator, as base64url. */
  credential_id: string;
  /** A COSE key, as base64url. */
  public_key: string;
  /** How often the authenticator has used it, if it keeps count; 0 otherwise. */
  counter: number;
  /** JSON array of the ways to reach the authenticator. */
  transports: string;
  /** The host name that it is bound to. */
  host: string;
  name: string;
  created_at: number;
  last_used_at: Generated<number | null>;
}
export type PasskeyRow = Selectable<PasskeysTable>;
export type NewPasskeyRow = Insertable<PasskeysTable>;
export const passkeysRows = z.strictObject({
  id,
  user_id: id,
  credential_id: z.base64url().min(1).max(2_000),
  public_key: z.base64url().max(20_000),
  counter: number,
  transports: texts,
  host: text,
  name: text,
  created_at: instant,
  last_used_at: instant.nullable(),
}) satisfies RowOf<PasskeysTable>;

/** A device that waits for a token. */
export interface DeviceRequestsTable {
  /** SHA-256 of the code that only the device knows. */
  code_hash: string;
  /** The code that a user types. */
  user_code: string;
  name: string;
  /** What the token may do. */
  scope: 'upload' | 'full';
  /** Where the request came from. */
  address: string;
  created_at: number;
  expires_at: number;
  /** Seconds that the device must wait between two polls. */
  poll_seconds: number;
  polled_at: number;
  denied: Generated<0 | 1>;
  /** Who approved it; null: undecided or denied. */
  user_id: number | null;
}
export type DeviceRequestRow = Selectable<DeviceRequestsTable>;
export const deviceRequestsRows = z.strictObject({
  code_hash: sha256,
  user_code: text,
  name: text,
  scope: z.enum(['upload', 'full']),
  address: text,
  created_at: instant,
  expires_at: instant,
  poll_seconds: number,
  polled_at: instant,
  denied: flag,
  user_id: id.nullable(),
}) satisfies RowOf<DeviceRequestsTable>;

/** A code with which a phone asks for a token, and that phone. */
export interface PhoneCodesTable {
  /** SHA-256 of what the QR code contains. */
  code_hash: string;
  /** Who shows the code, and decides. */
  user_id: number;
  state: 'waiting' | 'asking' | 'approved' | 'connected' | 'denied';
  expires_at: number;
  /** SHA-256 of the secret that only the phone knows; null until one asks. */
  phone_hash: string | null;
  /** Shown on both; empty until a phone asks. */
  check_code: string;
  name: string;
  /** Where the phone's request came from. */
  address: string;
}
export type PhoneCodeRow = Selectable<PhoneCodesTable>;
export const phoneCodesRows = z.strictObject({
  code_hash: sha256,
  user_id: id,
  state: z.enum(['waiting', 'asking', 'approved', 'connected', 'denied']),
  expires_at: instant,
  phone_hash: sha256.nullable(),
  check_code: text,
  name: text,
  address: text,
}) satisfies RowOf<PhoneCodesTable>;
