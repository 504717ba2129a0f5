import type { Kysely } from 'kysely';

/** Which of the services on a database runs the jobs, and the devices that wait for approval, which any service may be asked about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('leases')
    .addColumn('name', 'text', (c) => c.primaryKey().notNull())
    .addColumn('holder', 'text', (c) => c.notNull())
    .addColumn('beat', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('device_requests')
    .addColumn('code_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_code', 'text', (c) => c.notNull().unique())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('poll_seconds', 'integer', (c) => c.notNull())
    .addColumn('polled_at', 'bigint', (c) => c.notNull())
    .addColumn('denied', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('user_id', 'integer', (c) => c.references('users.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('device_requests_by_expiry').on('device_requests').column('expires_at').execute();
  await db.schema.createIndex('device_requests_by_user').on('device_requests').column('user_id').execute();
}
