import type { Generated, Insertable, Selectable } from 'kysely';

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
  /** JSON array of storage policies; the first is the default. */
  policy_ids: string;
  created_at: number;
}
export type GroupRow = Selectable<GroupsTable>;

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
  /** Grows with every change to the user's images; triggers maintain it. */
  library_version: Generated<number>;
  created_at: number;
}
export type UserRow = Selectable<UsersTable>;

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

/** The account of a person at a sign-on provider. */
export interface IdentitiesTable {
  id: Generated<number>;
  user_id: number;
  issuer: string;
  /** The provider's permanent identifier of the person. */
  subject: string;
  created_at: number;
}

/** The secret that an account shares with an authenticator app. */
export interface TwoFactorTable {
  user_id: number;
  /** Encrypted under a key of `secrets.json`. */
  sealed_secret: string;
  /** The time step of the last accepted code: neither it nor an earlier one is accepted again. */
  last_step: number;
  enabled_at: number;
}

/** Codes that each replace the authenticator app once; a row goes when its code is used. */
export interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
}

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

/** A device that waits for a token. */
export interface DeviceRequestsTable {
  /** SHA-256 of the code that only the device knows. */
  code_hash: string;
  /** The code that a user types. */
  user_code: string;
  name: string;
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
