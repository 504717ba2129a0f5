import type { Kysely } from 'kysely';
import { numberedKey } from '../dialect.ts';

/** The keys that clients give their uploads. No reference to images: a key outlives its image, so that a retry doesn't store it again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('upload_keys')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('network', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('request_sha256', 'text', (c) => c.notNull())
    .addColumn('password_hash', 'text')
    .addColumn('image_id', 'integer', (c) => c.notNull())
    .addColumn('reused', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('upload_keys_key', ['user_id', 'network', 'key'])
    .execute();
  await db.schema.createIndex('upload_keys_by_age').on('upload_keys').column('created_at').execute();
}
