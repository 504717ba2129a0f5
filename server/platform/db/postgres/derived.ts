import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countsOf, recountBy } from '../album-counts.ts';
import { entryOf, nextAlbum, STATE_COLUMNS, stateOfImage } from '../album-entries.ts';

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

/** Runs a function of `body` once per statement that changes rows of a table. */
async function onStatement(
  db: Kysely<unknown>,
  { table, name, event, tables, body }: Record<'table' | 'name' | 'event' | 'tables' | 'body', string>,
) {
  await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as ${sql.lit(`begin ${body} return null; end`)}`.execute(
    db,
  );
  await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.ref(table)} referencing ${sql.raw(tables)}
    for each statement execute function ${sql.ref(name)}()`.execute(db);
}

/**
 * Once per statement, not per image: each change of a user's row leaves a copy of it behind until the commit. Versions are times, so that
 * none repeats after a database was restored: the services that share it can't tell.
 */
const changeLibraries = (owners: string) => `update users
  set library_version = greatest(library_version + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint) where id in (${owners});`;

const onImages = (db: Kysely<unknown>, name: string, event: string, tables: string, owners: string) =>
  onStatement(db, { table: 'images', name, event, tables, body: changeLibraries(owners) });

/** Counts the updates after which some columns have the values that they had before. */
const onChange = (db: Kysely<unknown>, others: readonly string[]) =>
  onImages(
    db,
    'library_changed',
    'update',
    'old table as former new table as present',
    `select unnest(array[former.owner_id, present.owner_id]) from former join present using (id)
      where ${others.map((column) => `former.${column} is not distinct from present.${column}`).join(' and ')}`,
  );

export async function createLibraryVersions(db: Kysely<unknown>): Promise<void> {
  await onImages(db, 'library_grown', 'insert', 'new table as present', 'select owner_id from present');
  await onImages(db, 'library_shrunk', 'delete', 'old table as former', 'select owner_id from former');
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

/** Once per statement, for the same reason. Most statements set these triggers off for nothing: they must not plan or run more than one query then. */
export async function createAlbumEntries(db: Kysely<unknown>): Promise<void> {
  const text = (statement: RawBuilder<unknown>) => `${statement.compile(db).sql};`;
  const enter = entryOf('new', sql.ref('new.album_id'), sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`);
  const has = (row: 'old' | 'new') => `exists (select 1 from album_images where image_id = ${row}.id and album_id = ${row}.album_id)`;
  for (const name of ['album_grown', 'album_shrunk', 'album_changed'])
    await sql`drop function if exists ${sql.ref(name)}() cascade`.execute(db);
  await onEachImage(db, 'images_into_album', 'insert', `if new.album_id is not null then ${text(enter)} end if;`);
  await onEachImage(
    db,
    'images_between_albums',
    'update of album_id',
    `if old.album_id is distinct from new.album_id then
      if ${has('old')} then delete from album_images where image_id = old.id and album_id = old.album_id; end if;
      if new.album_id is not null and not ${has('new')} then ${text(enter)} end if;
    end if;`,
  );
  const [before, after] = [stateOfImage('old').compile(db).sql, stateOfImage('new').compile(db).sql];
  await onEachImage(
    db,
    'images_in_albums_changed',
    `update of ${STATE_COLUMNS.join(', ')}`,
    `if ${before} <> ${after} then update album_images set state = ${after} where image_id = new.id; end if;`,
  );
  const table = 'album_images';
  const owners = (entries: string) => `select owner_id from images where id in (select image_id from ${entries})`;
  const queue = (entries: string) =>
    `insert into image_search_queue (image_id) select id from images where id in (select image_id from ${entries}) on conflict do nothing;`;
  await onStatement(db, {
    table,
    name: 'album_grown',
    event: 'insert',
    tables: 'new table as present',
    body: `if exists (select 1 from present) then
      ${text(recountBy(countsOf('present')))}
      update images set album_id = joined.album_id
        from (select distinct on (image_id) image_id, album_id from present order by image_id, added_at, album_id) as joined
        where images.id = joined.image_id and images.album_id is null;
      ${queue('present')}
      ${changeLibraries(owners('present'))}
    end if;`,
  });
  await onStatement(db, {
    table,
    name: 'album_shrunk',
    event: 'delete',
    tables: 'old table as former',
    body: `if exists (select 1 from former) then
      ${text(recountBy(countsOf('former', '-')))}
      ${text(sql`update images set album_id = ${nextAlbum(sql.ref('images.id'))} where id in (select image_id from former)
        and (album_id is null or exists (select 1 from former where image_id = images.id and former.album_id = images.album_id))`)}
      ${queue('former')}
      ${changeLibraries(owners('former'))}
    end if;`,
  });
  await onStatement(db, {
    table,
    name: 'album_changed',
    event: 'update',
    tables: 'old table as former new table as present',
    body: `if exists (select 1 from former join present using (image_id, album_id) where former.state <> present.state) then
      ${text(recountBy(countsOf('former', '-')))}
      ${text(recountBy(countsOf('present')))}
    end if;
    if exists (select 1 from former join present using (image_id, album_id) where former.position <> present.position) then
      ${changeLibraries(owners('present'))}
    end if;`,
  });
}

export async function createImageTexts(db: Kysely<unknown>): Promise<void> {
  await sql`alter table image_search add column recognized text collate "C" not null default ''`.execute(db);
  await onEachImage(
    db,
    'images_text_outdated',
    'update of sha256, deleted_at',
    `if new.text_state is not null and (old.sha256 <> new.sha256 or (new.text_state <> 'none' and old.deleted_at is null and new.deleted_at is not null)) then
      delete from image_texts where image_id = new.id;
      update images set text_state = null where id = new.id;
    end if;`,
  );
  const queue = (texts: string) =>
    `insert into image_search_queue (image_id) select id from images where id in (select image_id from ${texts}) on conflict do nothing;`;
  const table = 'image_texts';
  await onStatement(db, { table, name: 'text_recognized', event: 'insert', tables: 'new table as present', body: queue('present') });
  await onStatement(db, {
    table,
    name: 'text_removed',
    event: 'delete',
    tables: 'old table as former',
    body: `delete from image_search where image_id in (select image_id from former); ${queue('former')}`,
  });
}
