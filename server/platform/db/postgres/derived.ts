import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countsOf, recountBy } from '../album-counts.ts';
import { entryOf, nextAlbum, STATE_COLUMNS, stateOfImage } from '../album-entries.ts';
import type { Tables } from '../schema/tables.ts';

/** The same as SQLite's: the reasons are there. */

export async function createDerived(db: Kysely<Tables>): Promise<void> {
  await createSearchIndex(db);
  await createTriggers(db);
}

async function createSearchIndex(db: Kysely<Tables>): Promise<void> {
  await sql`create table image_search (image_id bigint primary key, tokens tsvector not null, words text collate "C" not null,
    recognized text collate "C" not null default '')`.execute(db);
  await sql`create index image_search_tokens on image_search using gin (tokens)`.execute(db);
}

interface Trigger {
  name: string;
  /** What sets it off. */
  after: string;
  /** What changed: each row, or all rows that a statement has changed, as these tables. */
  changed?: 'old table as former' | 'new table as present' | 'old table as former new table as present';
  body: string;
}

async function createTriggers(db: Kysely<Tables>): Promise<void> {
  const text = (part: RawBuilder<unknown>) => part.compile(db).sql;
  for (const { name, after, changed, body } of [
    ...TAGS_AND_QUEUE,
    ...LIBRARY_VERSIONS,
    ...WITH_NEW_FILES,
    ...albumEntries(text),
    ...IMAGE_TEXTS,
  ]) {
    await sql`create function ${sql.ref(name)}() returns trigger language plpgsql as ${sql.lit(`begin ${body} return null; end`)}`.execute(
      db,
    );
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(after)} ${sql.raw(changed ? `referencing ${changed} for each statement` : 'for each row')}
      execute function ${sql.ref(name)}()`.execute(db);
  }
}

const QUEUE = 'insert into image_search_queue (image_id) values (new.id) on conflict do nothing;';
const queueAll = (entries: string) =>
  `insert into image_search_queue (image_id) select id from images where id in (select image_id from ${entries}) on conflict do nothing;`;
const TAG = `if new.owner_id is not null then
  insert into image_tags (owner_id, tag, image_id) select new.owner_id, value, new.id from json_array_elements_text(new.tags::json) on conflict do nothing;
end if;`;
const UNTAG = 'delete from image_tags where image_id = old.id;';

const TAGS_AND_QUEUE: Trigger[] = [
  { name: 'images_inserted', after: 'insert on images', body: QUEUE + TAG },
  { name: 'images_tagged', after: 'update of tags, owner_id on images', body: UNTAG + TAG },
  {
    name: 'images_deleted',
    after: 'delete on images',
    body: `delete from image_search where image_id = old.id; delete from image_search_queue where image_id = old.id; ${UNTAG}`,
  },
  {
    name: 'images_described',
    after: 'update of name, tags, title, caption, alt, owner_id, album_id, ext, taken_at on images',
    body: QUEUE,
  },
];

/**
 * Once per statement, not per image: each change of a user's row leaves a copy of it behind until the commit. Versions are times, so that
 * none repeats after a database was restored: the services that share it can't tell.
 */
const changeLibraries = (owners: string) => `update users
  set library_version = greatest(library_version + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint) where id in (${owners});`;

const UNCOUNTED = ['views', 'limited_views', 'thumbhash', 'phash'].map(
  (column) => `former.${column} is not distinct from present.${column}`,
);

const LIBRARY_VERSIONS: Trigger[] = [
  {
    name: 'library_grown',
    after: 'insert on images',
    changed: 'new table as present',
    body: changeLibraries('select owner_id from present'),
  },
  {
    name: 'library_shrunk',
    after: 'delete on images',
    changed: 'old table as former',
    body: changeLibraries('select owner_id from former'),
  },
  {
    name: 'library_changed',
    after: 'update on images',
    changed: 'old table as former new table as present',
    body: changeLibraries(`select unnest(array[former.owner_id, present.owner_id]) from former join present using (id)
      where ${UNCOUNTED.join(' and ')}`),
  },
];

const WITH_NEW_FILES: Trigger[] = [
  {
    name: 'images_replaced',
    after: 'update of sha256 on images',
    body: `if old.sha256 <> new.sha256 then
      update images set thumbhash = null, phash = null where id = new.id;
      delete from duplicate_reviews where image_id = new.id;
    end if;`,
  },
];

/**
 * Those on entries also once per statement. Most statements set these triggers off for nothing: they must not plan or run more than one
 * query then.
 */
function albumEntries(text: (part: RawBuilder<unknown>) => string): Trigger[] {
  const enter = text(entryOf('new', sql.ref('new.album_id'), sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`));
  const has = (row: 'old' | 'new') => `exists (select 1 from album_images where image_id = ${row}.id and album_id = ${row}.album_id)`;
  const [before, after] = [text(stateOfImage('old')), text(stateOfImage('new'))];
  const add = `${text(recountBy(countsOf('present')))};`;
  const subtract = `${text(recountBy(countsOf('former', '-')))};`;
  const owners = (entries: string) => `select owner_id from images where id in (select image_id from ${entries})`;
  return [
    { name: 'images_into_album', after: 'insert on images', body: `if new.album_id is not null then ${enter}; end if;` },
    {
      name: 'images_between_albums',
      after: 'update of album_id on images',
      body: `if old.album_id is distinct from new.album_id then
        if ${has('old')} then delete from album_images where image_id = old.id and album_id = old.album_id; end if;
        if new.album_id is not null and not ${has('new')} then ${enter}; end if;
      end if;`,
    },
    {
      name: 'images_in_albums_changed',
      after: `update of ${STATE_COLUMNS.join(', ')} on images`,
      body: `if ${before} <> ${after} then update album_images set state = ${after} where image_id = new.id; end if;`,
    },
    {
      name: 'album_grown',
      after: 'insert on album_images',
      changed: 'new table as present',
      body: `if exists (select 1 from present) then
        ${add}
        update images set album_id = joined.album_id
          from (select distinct on (image_id) image_id, album_id from present order by image_id, added_at, album_id) as joined
          where images.id = joined.image_id and images.album_id is null;
        ${queueAll('present')}
        ${changeLibraries(owners('present'))}
      end if;`,
    },
    {
      name: 'album_shrunk',
      after: 'delete on album_images',
      changed: 'old table as former',
      body: `if exists (select 1 from former) then
        ${subtract}
        update images set album_id = ${text(nextAlbum(sql.ref('images.id')))} where id in (select image_id from former)
          and (album_id is null or exists (select 1 from former where image_id = images.id and former.album_id = images.album_id));
        ${queueAll('former')}
        ${changeLibraries(owners('former'))}
      end if;`,
    },
    {
      name: 'album_changed',
      after: 'update on album_images',
      changed: 'old table as former new table as present',
      body: `if exists (select 1 from former join present using (image_id, album_id) where former.state <> present.state) then
        ${subtract}
        ${add}
      end if;
      if exists (select 1 from former join present using (image_id, album_id) where former.position <> present.position) then
        ${changeLibraries(owners('present'))}
      end if;`,
    },
  ];
}

const IMAGE_TEXTS: Trigger[] = [
  {
    name: 'images_text_outdated',
    after: 'update of sha256, deleted_at on images',
    body: `if new.text_state is not null
      and (old.sha256 <> new.sha256 or (new.text_state <> 'none' and old.deleted_at is null and new.deleted_at is not null)) then
      delete from image_texts where image_id = new.id;
      update images set text_state = null where id = new.id;
    end if;`,
  },
  { name: 'text_recognized', after: 'insert on image_texts', changed: 'new table as present', body: queueAll('present') },
  {
    name: 'text_removed',
    after: 'delete on image_texts',
    changed: 'old table as former',
    body: `delete from image_search where image_id in (select image_id from former); ${queueAll('former')}`,
  },
];
