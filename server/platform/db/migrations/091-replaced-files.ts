import type { Kysely } from 'kysely';

/**
 * What a picture has been: the extensions of its former files, whose links keep working, and the picture that an earlier version in
 * the trash belongs to. Links are checked at each use unless a policy asks for more caching, so that a new file is seen at once.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('images')
    .addColumn('former_exts', 'text', (c) => c.notNull().defaultTo('[]'))
    .execute();
  await db.schema.alterTable('images').addColumn('replaced_at', 'bigint').execute();
  await db.schema.alterTable('images').addColumn('version_of', 'text').execute();
  await (db as Kysely<{ policies: { cache_seconds: number } }>)
    .updateTable('policies')
    .set({ cache_seconds: 0 })
    .where('cache_seconds', '=', FORMER_DEFAULT)
    .execute();
}

const FORMER_DEFAULT = 300;
