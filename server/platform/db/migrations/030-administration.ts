import { type Kysely, sql } from 'kysely';
import { numberedKey } from '../dialect.ts';

/** Audit log, daily counters, webhooks and their outbox. Instants are milliseconds since 1970, days are `YYYY-MM-DD` in UTC. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAudit(db);
  await createDailyCounts(db);
  await createWebhooks(db);
}

async function createAudit(db: Kysely<unknown>) {
  // No reference to users: what a user did stays on record whatever becomes of their account.
  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor_id', 'integer')
    .addColumn('actor_name', 'text', (c) => c.notNull())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('target', 'text', (c) => c.notNull())
    .addColumn('details', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('audit_by_actor').on('audit').columns(['actor_id', 'id']).execute();
  await db.schema.createIndex('audit_by_action').on('audit').columns(['action', 'id']).execute();
}

async function createDailyCounts(db: Kysely<unknown>) {
  await db.schema
    .createTable('daily_counts')
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('user_id', 'integer', (c) => c.notNull())
    .addColumn('uploads', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('upload_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('views', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('stored_bytes', 'bigint')
    .addPrimaryKeyConstraint('daily_counts_key', ['day', 'user_id'])
    .execute();
}

async function createWebhooks(db: Kysely<unknown>) {
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text', (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('webhook_id', 'integer', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('next_attempt_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_attempt_at', 'bigint')
    .addColumn('last_status', 'integer')
    .addColumn('last_error', 'text')
    .execute();
  await db.schema
    .createIndex('webhook_deliveries_due')
    .on('webhook_deliveries')
    .columns(['next_attempt_at', 'id'])
    .where(sql<boolean>`state = 'pending'`)
    .execute();
  await db.schema.createIndex('webhook_deliveries_log').on('webhook_deliveries').columns(['webhook_id', 'id']).execute();
}
