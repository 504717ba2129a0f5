import { type Kysely, type RawBuilder, sql } from 'kysely';
import { COUNTED_COLUMNS, changesCounts, recount } from '../album-counts.ts';

/** Runs a function of `body` on every image that an event changes. */
async function onEachImage(db: Kysely<unknown>, name: string, event: string, body: string): Promise<void> {
  await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as ${sql.lit(`begin ${body} return null; end`)}`.execute(
    db,
  );
  await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on images for each row execute function ${sql.ref(name)}()`.execute(db);
}

const dropTrigger = (db: Kysely<unknown>, name: string) => sql`drop function ${sql.ref(name)}() cascade`.execute(db);

const QUEUE = 'insert into image_search_queue (image_id) values (new.id) on conflict do nothing;';
const TAG = `if new.owner_id is not null then
  insert into image_tags (owner_id, tag, image_id) select new.owner_id, value, new.id from json_array_elements_text(new.tags::json) on conflict do nothing;
end if;`;
const UNTAG = 'delete from image_tags where image_id = old.id;';

export async function createImageSearch(db: Kysely<unknown>): Promise<void> {
  await sql`create table image_search (image_id bigint primary key, tokens tsvector not null, words text collate "C" not null)`.execute(db);
  await sql`create index image_search_tokens on image_search using gin (tokens)`.execute(db);
  await sql`create table image_search_queue (image_id bigint primary key)`.execute(db);
  await onEachImage(db, 'images_inserted', 'insert', QUEUE + TAG);
  await onEachImage(db, 'images_renamed', 'update of name, tags', QUEUE);
  await onEachImage(db, 'images_tagged', 'update of tags, owner_id', UNTAG + TAG);
  await onEachImage(
    db,
    'images_deleted',
    'delete',
    `delete from image_search where image_id = old.id; delete from image_search_queue where image_id = old.id; ${UNTAG}`,
  );
}

export async function searchDescriptions(db: Kysely<unknown>): Promise<void> {
  await dropTrigger(db, 'images_renamed');
  await onEachImage(db, 'images_described', 'update of name, tags, title, caption, alt', QUEUE);
}

export async function searchByOwner(db: Kysely<unknown>): Promise<void> {
  await dropTrigger(db, 'images_described');
  await onEachImage(db, 'images_described', 'update of name, tags, title, caption, alt, owner_id', QUEUE);
}

export async function searchMarks(db: Kysely<unknown>): Promise<void> {
  await dropTrigger(db, 'images_described');
  await onEachImage(db, 'images_described', 'update of name, tags, title, caption, alt, owner_id, album_id, ext, taken_at', QUEUE);
  await sql`insert into image_search_queue (image_id) select id from images on conflict do nothing`.execute(db);
}

/**
 * Once per statement, not per image: each change of a user's row leaves a copy of it behind until the commit. Versions are times, so that
 * none repeats after a database was restored: the services that share it can't tell.
 */
async function onStatement(db: Kysely<unknown>, name: string, event: string, tables: string, owners: string): Promise<void> {
  const body = `begin update users set library_version = greatest(library_version + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint)
    where id in (${owners}); return null; end`;
  await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as ${sql.lit(body)}`.execute(db);
  await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on images referencing ${sql.raw(tables)}
    for each statement execute function ${sql.ref(name)}()`.execute(db);
}

/** Counts the updates after which some columns have the values that they had before. */
const onChange = (db: Kysely<unknown>, others: readonly string[]) =>
  onStatement(
    db,
    'library_changed',
    'update',
    'old table as former new table as present',
    `select unnest(array[former.owner_id, present.owner_id]) from former join present using (id)
      where ${others.map((column) => `former.${column} is not distinct from present.${column}`).join(' and ')}`,
  );

export async function createLibraryVersions(db: Kysely<unknown>): Promise<void> {
  await onStatement(db, 'library_grown', 'insert', 'new table as present', 'select owner_id from present');
  await onStatement(db, 'library_shrunk', 'delete', 'old table as former', 'select owner_id from former');
  await onChange(db, ['views', 'limited_views', 'thumbhash']);
  await onEachImage(
    db,
    'images_replaced',
    'update of sha256',
    'if old.sha256 <> new.sha256 then update images set thumbhash = null where id = new.id; end if;',
  );
}

export async function createPerceptualHashes(db: Kysely<unknown>): Promise<void> {
  await dropTrigger(db, 'library_changed');
  await onChange(db, ['views', 'limited_views', 'thumbhash', 'phash']);
  await dropTrigger(db, 'images_replaced');
  await onEachImage(
    db,
    'images_replaced',
    'update of sha256',
    `if old.sha256 <> new.sha256 then
      update images set thumbhash = null, phash = null where id = new.id;
      delete from duplicate_reviews where image_id = new.id;
    end if;`,
  );
}

export async function createAlbumCounts(db: Kysely<unknown>): Promise<void> {
  const text = (statement: RawBuilder<unknown>) => statement.compile(db).sql;
  await onEachImage(db, 'album_grown', 'insert', `${text(recount('new', '+'))};`);
  await onEachImage(db, 'album_shrunk', 'delete', `${text(recount('old', '-'))};`);
  await onEachImage(
    db,
    'album_changed',
    `update of ${COUNTED_COLUMNS.join(', ')}`,
    `if ${text(changesCounts())} then ${text(recount('old', '-'))}; ${text(recount('new', '+'))}; end if;`,
  );
}
