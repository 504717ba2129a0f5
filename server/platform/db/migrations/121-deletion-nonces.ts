import type { Kysely } from 'kysely';

/** Deletion links that can be ended: each image counts how often its own have been renewed. Those of disabled accounts end here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('deletion_nonce', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  const tables = db as Kysely<{ images: { owner_id: number; deletion_nonce: number }; users: { id: number; disabled_at: number | null } }>;
  const disabled = tables.selectFrom('users').select('id').where('disabled_at', 'is not', null);
  await tables.updateTable('images').set({ deletion_nonce: 1 }).where('owner_id', 'in', disabled).execute();
}
