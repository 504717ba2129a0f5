import type { Kysely } from 'kysely';

/** Codes with which phones ask for a token, and the phones that do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('phone_codes')
    .addColumn('code_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('phone_hash', 'text', (c) => c.unique())
    .addColumn('check_code', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('phone_codes_by_expiry').on('phone_codes').column('expires_at').execute();
  await db.schema.createIndex('phone_codes_by_user').on('phone_codes').column('user_id').execute();
}
