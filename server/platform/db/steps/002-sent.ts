import { type Kysely, sql } from 'kysely';

/** Pictures that users send to each other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sendings')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('sender_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('image_count', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('sendings_by_sender').on('sendings').columns(['sender_id', 'created_at', 'id']).execute();

  await db.schema
    .createTable('sending_images')
    .addColumn('sending_id', 'text', (column) => column.notNull().references('sendings.id').onDelete('cascade'))
    .addColumn('image_id', 'integer', (column) => column.notNull().references('images.id').onDelete('cascade'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('sending_images_key', ['sending_id', 'image_id'])
    .execute();
  await db.schema.createIndex('sending_images_by_image').on('sending_images').columns(['image_id', 'sending_id']).execute();

  await db.schema
    .createTable('sending_recipients')
    .addColumn('sending_id', 'text', (column) => column.notNull().references('sendings.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('sent_at', 'integer', (column) => column.notNull())
    .addColumn('seen_at', 'integer')
    .addColumn('removed_at', 'integer')
    .addPrimaryKeyConstraint('sending_recipients_key', ['sending_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('sending_recipients_by_user')
    .on('sending_recipients')
    .columns(['user_id', 'sent_at', 'sending_id'])
    .execute();
  await db.schema
    .createIndex('sending_recipients_unseen')
    .on('sending_recipients')
    .column('user_id')
    .where(sql.raw<boolean>('seen_at is null and removed_at is null'))
    .execute();

  await db.schema
    .createTable('album_received')
    .addColumn('album_id', 'text', (column) => column.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('image_id', 'integer', (column) => column.notNull().references('images.id').onDelete('cascade'))
    .addColumn('sending_id', 'text', (column) => column.notNull().references('sendings.id').onDelete('cascade'))
    .addColumn('added_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('album_received_key', ['album_id', 'image_id'])
    .execute();
  await db.schema.createIndex('album_received_by_image').on('album_received').column('image_id').execute();
  await db.schema.createIndex('album_received_by_sending').on('album_received').column('sending_id').execute();
}
