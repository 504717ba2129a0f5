import { type Kysely, sql } from 'kysely';
import { numberedKey } from '../dialect.ts';
import { GROUP_DEFAULTS } from '../group-defaults.ts';

/** Accounts, sessions, tokens, groups, policies, albums, images and their blobs. Instants are milliseconds since 1970. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSettings(db);
  await createGroupsAndPolicies(db);
  await createAccounts(db);
  await createImages(db);
  await fillDefaults(db as Kysely<Record<string, Record<string, unknown>>>);
}

async function createSettings(db: Kysely<unknown>) {
  await db.schema
    .createTable('settings')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
}

async function createGroupsAndPolicies(db: Kysely<unknown>) {
  await db.schema
    .createTable('groups')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('max_file_bytes', 'bigint', (c) => c.notNull())
    .addColumn('storage_quota_bytes', 'bigint', (c) => c.notNull())
    .addColumn('allowed_exts', 'text', (c) => c.notNull())
    .addColumn('uploads_per_minute', 'integer', (c) => c.notNull())
    .addColumn('uploads_per_hour', 'integer', (c) => c.notNull())
    .addColumn('uploads_per_day', 'integer', (c) => c.notNull())
    .addColumn('default_expires_in', 'integer', (c) => c.notNull())
    .addColumn('max_expires_in', 'integer', (c) => c.notNull())
    .addColumn('default_max_views', 'integer', (c) => c.notNull())
    .addColumn('max_max_views', 'integer', (c) => c.notNull())
    .addColumn('policy_ids', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('policies')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('driver', 'text', (c) => c.notNull())
    .addColumn('config', 'text', (c) => c.notNull())
    .addColumn('keep_metadata', 'integer', (c) => c.notNull())
    .addColumn('max_side', 'integer', (c) => c.notNull())
    .addColumn('convert_to', 'text')
    .addColumn('quality', 'integer', (c) => c.notNull())
    .addColumn('heic_to', 'text', (c) => c.notNull())
    .addColumn('cache_seconds', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
}

async function createAccounts(db: Kysely<unknown>) {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('username_key', 'text', (c) => c.notNull().unique())
    .addColumn('email', 'text')
    .addColumn('email_key', 'text', (c) => c.unique())
    .addColumn('email_source', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('is_owner', 'integer', (c) => c.notNull())
    .addColumn('group_id', 'integer', (c) => c.notNull().references('groups.id'))
    .addColumn('disabled_at', 'bigint')
    .addColumn('storage_used_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('image_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('preferences', 'text', (c) => c.notNull().defaultTo('{}'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('users_one_owner').unique().on('users').column('is_owner').where('is_owner', '=', 1).execute();
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_user').on('sessions').columns(['user_id', 'id']).execute();
  await db.schema
    .createTable('tokens')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .execute();
  await db.schema.createIndex('tokens_by_user').on('tokens').columns(['user_id', 'id']).execute();
}

async function createImages(db: Kysely<unknown>) {
  await db.schema
    .createTable('albums')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('owner_id', 'integer', (c) => c.notNull().references('users.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('description', 'text', (c) => c.notNull())
    .addColumn('visibility', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('cover_key', 'text')
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('albums_by_owner').on('albums').columns(['owner_id', 'position', 'id']).execute();
  await db.schema
    .createTable('blobs')
    .addColumn('policy_id', 'integer', (c) => c.notNull().references('policies.id'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('unused_since', 'bigint')
    .addPrimaryKeyConstraint('blobs_key', ['policy_id', 'sha256'])
    .execute();
  await db.schema.createIndex('blobs_unused').on('blobs').column('unused_since').where('unused_since', 'is not', null).execute();
  await db.schema
    .createTable('images')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('key', 'text', (c) => c.notNull().unique())
    .addColumn('owner_id', 'integer', (c) => c.references('users.id'))
    .addColumn('policy_id', 'integer', (c) => c.notNull().references('policies.id'))
    .addColumn('sha256', 'text', (c) => c.notNull())
    .addColumn('input_sha256', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('ext', 'text', (c) => c.notNull())
    .addColumn('mime', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('visibility', 'text', (c) => c.notNull())
    .addColumn('album_id', 'text', (c) => c.references('albums.id').onDelete('set null'))
    .addColumn('password_hash', 'text')
    .addColumn('max_views', 'integer', (c) => c.notNull())
    .addColumn('views', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('favourite', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('tags', 'text', (c) => c.notNull().defaultTo('[]'))
    .addColumn('taken_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('emptied_at', 'bigint')
    .addColumn('uploader_address', 'text', (c) => c.notNull())
    .execute();
  await indexImages(db);
}

async function indexImages(db: Kysely<unknown>) {
  const live = sql<boolean>`deleted_at is null`;
  const index = (name: string, columns: string[]) =>
    db.schema
      .createIndex(name)
      .on('images')
      .columns(columns as never);
  await index('images_by_upload', ['owner_id', 'created_at', 'id']).where(live).execute();
  await index('images_by_taken', ['owner_id', 'taken_at', 'id']).where(live).execute();
  await index('images_by_album', ['album_id', 'created_at', 'id']).where(live).execute();
  await index('images_in_trash', ['owner_id', 'deleted_at', 'id']).where(sql<boolean>`deleted_at is not null`).execute();
  await index('images_by_input', ['owner_id', 'input_sha256', 'policy_id']).execute();
  await index('images_by_blob', ['policy_id', 'sha256']).execute();
  await index('images_by_expiry', ['expires_at']).where(sql<boolean>`expires_at is not null`).execute();
}

async function fillDefaults(db: Kysely<Record<string, Record<string, unknown>>>) {
  const created_at = Date.now();
  await db
    .insertInto('groups')
    .values(GROUP_DEFAULTS.map((group) => ({ ...group, policy_ids: '[1]', created_at })))
    .execute();
  await db
    .insertInto('policies')
    .values({
      name: 'This computer',
      driver: 'local',
      config: '{}',
      keep_metadata: 0,
      max_side: 0,
      convert_to: null,
      quality: 85,
      heic_to: 'jpg',
      cache_seconds: 300,
      created_at,
    })
    .execute();
}
