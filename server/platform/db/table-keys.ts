import type { Tables } from './schema/tables.ts';

type Keys = { readonly [Table in keyof Tables]: readonly (keyof Tables[Table] & string)[] };

/** The primary keys of all tables. No table refers to a later one. */
const TABLE_KEYS: Keys = {
  settings: ['name'],
  site_pictures: ['name'],
  limits: ['counter', 'id'],
  oidc_providers: ['id'],
  policies: ['id'],
  policy_moves: ['from_policy'],
  groups: ['id'],
  users: ['id'],
  account_deletions: ['user_id'],
  former_slugs: ['slug'],
  avatars: ['user_id', 'side'],
  sessions: ['id'],
  tokens: ['id'],
  two_factor: ['user_id'],
  recovery_codes: ['user_id', 'code_hash'],
  passkeys: ['id'],
  identities: ['id'],
  invites: ['id'],
  device_requests: ['code_hash'],
  phone_codes: ['code_hash'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  audit: ['id'],
  daily_counts: ['day', 'user_id'],
  albums: ['id'],
  album_members: ['album_id', 'user_id'],
  blobs: ['policy_id', 'sha256'],
  images: ['id'],
  album_images: ['image_id', 'album_id'],
  request_links: ['id'],
  request_batches: ['id'],
  request_files: ['id'],
  duplicate_reviews: ['review', 'image_id'],
  image_texts: ['image_id'],
  image_tags: ['owner_id', 'tag', 'image_id'],
  image_views: ['image_id', 'day'],
  image_referrers: ['day', 'image_id', 'host'],
  image_search_queue: ['image_id'],
  image_search_words: ['owner_id', 'word'],
  batch_undos: ['id'],
  batch_undo_values: ['batch_id', 'image_id'],
  upload_keys: ['id'],
  leases: ['name'],
};

export type TableName = keyof Tables;

export const tableNames = Object.keys(TABLE_KEYS) as TableName[];

export const keyOf = (table: TableName): readonly string[] => TABLE_KEYS[table];
