import { type Kysely, sql } from 'kysely';
import { recount } from '../album-counts.ts';
import { entryOf, nextAlbum, STATE_COLUMNS, stateOfImage } from '../album-entries.ts';

/**
 * Triggers keep what is derived from `images` up to date: the table of tags immediately, and a queue of images for the search
 * index. Indexing each row immediately would double the cost of an upload.
 */
export async function createImageSearch(db: Kysely<unknown>): Promise<void> {
  const queued = sql`insert or ignore into image_search_queue (image_id)`;
  const tagged = sql`insert or ignore into image_tags (owner_id, tag, image_id)`;
  const statements = [
    sql`create virtual table image_search using fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`,
    sql`create table image_search_queue (image_id integer primary key)`,
    sql`${queued} select id from images`,
    sql`${tagged} select owner_id, value, images.id from images, json_each(images.tags) where owner_id is not null`,
    sql`create trigger images_inserted after insert on images begin
      ${queued} values (new.id);
      ${tagged} select new.owner_id, value, new.id from json_each(new.tags) where new.owner_id is not null;
    end`,
    sql`create trigger images_renamed after update of name, tags on images begin
      ${queued} values (new.id);
    end`,
    sql`create trigger images_tagged after update of tags, owner_id on images begin
      delete from image_tags where image_id = old.id;
      ${tagged} select new.owner_id, value, new.id from json_each(new.tags) where new.owner_id is not null;
    end`,
    sql`create trigger images_deleted after delete on images begin
      delete from image_search where rowid = old.id;
      delete from image_search_queue where image_id = old.id;
      delete from image_tags where image_id = old.id;
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/** Has every change of a title, caption or alternative text queued for the search index as well. */
export async function searchDescriptions(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger images_renamed`.execute(db);
  await sql`create trigger images_described after update of name, tags, title, caption, alt on images begin
    insert or ignore into image_search_queue (image_id) values (new.id);
  end`.execute(db);
}

/** Gives each owner an index of their own within the search index, which is filled again, and has every change of owner queued for it. */
export async function searchByOwner(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`drop trigger images_described`,
    sql`create trigger images_described after update of name, tags, title, caption, alt, owner_id on images begin
      insert or ignore into image_search_queue (image_id) values (new.id);
    end`,
    sql`insert into image_search (image_search) values ('delete-all')`,
    sql`insert or ignore into image_search_queue (image_id) select id from images`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/**
 * The index already has the texts, which stay searchable until its job has added the rest. A row is changed by the deletion of its album, too,
 * which makes SQLite disregard an `or ignore`.
 */
export async function searchMarks(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`drop trigger images_described`,
    sql`create trigger images_described after update of name, tags, title, caption, alt, owner_id, album_id, ext, taken_at on images begin
      insert into image_search_queue (image_id) select new.id where not exists (select 1 from image_search_queue where image_id = new.id);
    end`,
    sql`insert or ignore into image_search_queue (image_id) select id from images`,
  ];
  for (const statement of statements) await statement.execute(db);
}

const bump = (owner: 'old' | 'new') =>
  sql`update users set library_version = library_version + 1 where id = ${sql.ref(`${owner}.owner_id`)}`;
const same = (column: string) => sql`${sql.ref(`old.${column}`)} is ${sql.ref(`new.${column}`)}`;

/**
 * Triggers count the changes to a user's images in `users.library_version`. Views and placeholders don't count: neither changes which
 * images a list has. An image whose bytes are replaced loses its placeholder.
 */
export async function createLibraryVersions(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create trigger library_grown after insert on images begin ${bump('new')}; end`,
    sql`create trigger library_shrunk after delete on images begin ${bump('old')}; end`,
    sql`create trigger library_changed after update on images
      when ${same('views')} and ${same('limited_views')} and ${same('thumbhash')} begin
      ${bump('old')};
      update users set library_version = library_version + 1 where id = new.owner_id and new.owner_id is not old.owner_id;
    end`,
    sql`create trigger images_replaced after update of sha256 on images when not ${same('sha256')} begin
      update images set thumbhash = null where id = new.id;
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

export async function createPerceptualHashes(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`drop trigger library_changed`,
    sql`create trigger library_changed after update on images
      when ${same('views')} and ${same('limited_views')} and ${same('thumbhash')} and ${same('phash')} begin
      ${bump('old')};
      update users set library_version = library_version + 1 where id = new.owner_id and new.owner_id is not old.owner_id;
    end`,
    sql`drop trigger images_replaced`,
    sql`create trigger images_replaced after update of sha256 on images when not ${same('sha256')} begin
      update images set thumbhash = null, phash = null where id = new.id;
      delete from duplicate_reviews where image_id = new.id;
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

/**
 * Triggers keep `images.album_id`, the first album of an image, and `album_images` consistent, whichever of them is written, and with them
 * the counts of albums, the queue of the search index and the versions of libraries.
 */
export async function createAlbumEntries(db: Kysely<unknown>): Promise<void> {
  const entered = (row: 'new') => entryOf(row, sql.ref(`${row}.album_id`), sql`cast(unixepoch('subsec') * 1000 as integer)`);
  const absent = sql`not exists (select 1 from album_images where image_id = new.id and album_id = new.album_id)`;
  // Not `or ignore`, which SQLite disregards where another statement has set off the trigger.
  const queue = (row: 'old' | 'new') => sql`insert into image_search_queue (image_id) select id from images
    where id = ${sql.ref(`${row}.image_id`)} and not exists (select 1 from image_search_queue where image_id = ${sql.ref(`${row}.image_id`)})`;
  const changeLibrary = (row: 'old' | 'new') => sql`update users set library_version = library_version + 1
    where id = (select owner_id from images where id = ${sql.ref(`${row}.image_id`)})`;
  const statements = [
    ...['album_grown', 'album_shrunk', 'album_changed'].map((name) => sql`drop trigger if exists ${sql.ref(name)}`),
    sql`create trigger images_into_album after insert on images when new.album_id is not null begin
      ${entered('new')};
    end`,
    sql`create trigger images_between_albums after update of album_id on images when old.album_id is not new.album_id begin
      delete from album_images where image_id = old.id and album_id = old.album_id;
      ${entered('new')} where new.album_id is not null and ${absent};
    end`,
    sql`create trigger images_in_albums_changed after update of ${sql.join(STATE_COLUMNS.map(sql.ref))} on images
      when ${stateOfImage('old')} <> ${stateOfImage('new')} begin
      update album_images set state = ${stateOfImage('new')} where image_id = new.id;
    end`,
    sql`create trigger album_grown after insert on album_images begin
      ${recount('new', '+')};
      update images set album_id = new.album_id where id = new.image_id and album_id is null;
      ${queue('new')};
      ${changeLibrary('new')};
    end`,
    sql`create trigger album_shrunk after delete on album_images begin
      ${recount('old', '-')};
      update images set album_id = ${nextAlbum(sql.ref('old.image_id'))}
        where id = old.image_id and (album_id is null or album_id = old.album_id);
      ${queue('old')};
      ${changeLibrary('old')};
    end`,
    sql`create trigger album_changed after update of state on album_images when old.state <> new.state begin
      ${recount('old', '-')};
      ${recount('new', '+')};
    end`,
    sql`create trigger album_sorted after update of position on album_images when old.position <> new.position begin
      ${changeLibrary('new')};
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}

export async function createImageTexts(db: Kysely<unknown>): Promise<void> {
  // Not `or ignore`, which SQLite disregards where another statement has set off the trigger.
  const queue = (row: 'old' | 'new') => sql`insert into image_search_queue (image_id) select id from images
    where id = ${sql.ref(`${row}.image_id`)} and not exists (select 1 from image_search_queue where image_id = ${sql.ref(`${row}.image_id`)})`;
  const statements = [
    sql`create trigger images_text_outdated after update of sha256, deleted_at on images
      when new.text_state is not null and (not ${same('sha256')} or (new.text_state <> 'none' and old.deleted_at is null and new.deleted_at is not null)) begin
      delete from image_texts where image_id = new.id;
      update images set text_state = null where id = new.id;
    end`,
    sql`create trigger text_recognized after insert on image_texts begin ${queue('new')}; end`,
    sql`create trigger text_removed after delete on image_texts begin
      delete from image_search where rowid = old.image_id;
      ${queue('old')};
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}
