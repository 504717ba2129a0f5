import { type Kysely, sql } from 'kysely';
import { COUNTED_COLUMNS, changesCounts, recount } from '../album-counts.ts';

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

/** Triggers keep the numbers of an album's pictures in `albums`. */
export async function createAlbumCounts(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`create trigger album_grown after insert on images when new.album_id is not null begin ${recount('new', '+')}; end`,
    sql`create trigger album_shrunk after delete on images when old.album_id is not null begin ${recount('old', '-')}; end`,
    sql`create trigger album_changed after update of ${sql.join(COUNTED_COLUMNS.map(sql.ref))} on images when ${changesCounts()} begin
      ${recount('old', '-')};
      ${recount('new', '+')};
    end`,
  ];
  for (const statement of statements) await statement.execute(db);
}
