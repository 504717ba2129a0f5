import { type Kysely, sql } from 'kysely';

/** The batches of those who sent no secret belong to nobody, instead of all to the same sender. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite can't make a column nullable.
  await db.schema.alterTable('request_batches').addColumn('nullable_hash', 'text').execute();
  await sql`update request_batches set nullable_hash = sender_hash where sender_hash <> ${HASH_OF_NONE}`.execute(db);
  await db.schema.alterTable('request_batches').dropColumn('sender_hash').execute();
  await db.schema.alterTable('request_batches').renameColumn('nullable_hash', 'sender_hash').execute();
}

/** SHA-256 of "sender ". */
const HASH_OF_NONE = 'a403457eb1046db9622e2c20c9ec8a0393765261b2da378fe857252963577a10';
