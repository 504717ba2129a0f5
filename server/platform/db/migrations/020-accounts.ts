import type { Kysely } from 'kysely';
import { numberedKey } from '../dialect.ts';

/** Invites, the sign-on provider, and which account each of its people has. Instants are milliseconds since 1970. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createInvites(db);
  await createSignOn(db);
}

async function createInvites(db: Kysely<unknown>) {
  await db.schema
    .createTable('invites')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('code_hash', 'text', (c) => c.notNull().unique())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('group_id', 'integer', (c) => c.references('groups.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('used_by', 'integer', (c) => c.references('users.id').onDelete('set null'))
    .execute();
}

async function createSignOn(db: Kysely<unknown>) {
  await db.schema
    .createTable('oidc_providers')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .addColumn('enabled', 'integer', (c) => c.notNull())
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('client_id', 'text', (c) => c.notNull())
    .addColumn('sealed_secret', 'text')
    .addColumn('auto_create', 'integer', (c) => c.notNull())
    .addColumn('allowed_email_domains', 'text', (c) => c.notNull())
    .addColumn('allow_insecure_issuer', 'integer', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('identities')
    .addColumn('id', 'integer', numberedKey)
    .addColumn('user_id', 'integer', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('issuer', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('identities_key', ['issuer', 'subject'])
    .execute();
  await db.schema.createIndex('identities_by_user').on('identities').column('user_id').execute();
}
