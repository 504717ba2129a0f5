import { type Kysely, sql } from 'kysely';

/** Videos, and what groups allow of them. Existing groups allow none until an admin adds their formats. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, initial] of [
    ['max_video_bytes', 524_288_000],
    ['max_video_seconds', 600],
  ] as const)
    await db.schema
      .alterTable('groups')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(initial))
      .execute();
  await db.schema.alterTable('images').addColumn('duration', 'integer').execute();
  for (const name of ['has_audio', 'has_poster'])
    await db.schema
      .alterTable('images')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await db.schema
    .alterTable('images')
    .addColumn('poster_policy_id', 'integer', (column) => column.references('policies.id'))
    .execute();
  await db.schema.alterTable('images').addColumn('poster_sha256', 'text').execute();
  await db.schema.dropIndex('images_without_text').execute();
  await db.schema
    .createIndex('images_without_text')
    .on('images')
    .columns(['owner_id', 'id'])
    .where(sql.raw<boolean>('text_state is null and duration is null and deleted_at is null and emptied_at is null'))
    .execute();
  await db.schema
    .createIndex('images_by_poster')
    .on('images')
    .columns(['poster_policy_id', 'poster_sha256'])
    .where(sql.raw<boolean>('poster_sha256 is not null'))
    .execute();
  await db.schema
    .createIndex('images_videos')
    .on('images')
    .columns(['owner_id', 'created_at', 'id'])
    .where(sql.raw<boolean>('deleted_at is null and duration is not null'))
    .execute();
}
