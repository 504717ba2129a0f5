import type { Kysely } from 'kysely';

/** Accounts that are being deleted: who gets their pictures, and how many there were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_deletions')
    .addColumn('user_id', 'integer', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('heir_id', 'integer', (c) => c.references('users.id'))
    .addColumn('images', 'integer', (c) => c.notNull())
    .addColumn('started_at', 'bigint', (c) => c.notNull())
    .execute();
}
