import type { Kysely } from 'kysely';

/** Whether addresses that the sign-on provider doesn't mark as verified count, and the tenants whose users may sign on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const providers = () => db.schema.alterTable('oidc_providers');
  await providers()
    .addColumn('trust_email', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await providers()
    .addColumn('allowed_tenants', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
}
