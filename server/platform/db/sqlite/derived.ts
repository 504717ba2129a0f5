import { type Kysely, sql } from 'kysely';
import { recount } from '../album-counts.ts';
import { entryOf, nextAlbum, STATE_COLUMNS, stateOfImage } from '../album-entries.ts';
import type { Tables } from '../schema/tables.ts';

/** What is derived from other tables: the search index, which jobs fill, and triggers that keep everything else up to date. */

type Row = 'old' | 'new';

export async function createDerived(db: Kysely<Tables>): Promise<void> {
  await createSearchIndex(db);
  await createTriggers(db);
}

async function createSearchIndex(db: Kysely<Tables>): Promise<void> {
  await sql`create virtual table image_search using fts5(tokens, content='', contentless_delete=1, tokenize='ascii')`.execute(db);
}

/** Of several triggers for the same event, SQLite runs the last one first. */
export async function createTriggers(db: Kysely<Tables>): Promise<void> {
  const triggers = [...TAGS_AND_QUEUE, ...LIBRARY_VERSIONS, ...WITH_NEW_FILES, ...ALBUM_ENTRIES, ...IMAGE_TEXTS];
  for (const trigger of triggers) await sql`create trigger ${trigger}`.execute(db);
}

const same = (column: string) => sql`${sql.ref(`old.${column}`)} is ${sql.ref(`new.${column}`)}`;

/** Queues an image for the search index. Not `or ignore`, which SQLite disregards where another statement has set off the trigger. */
const queue = (row: Row) => sql`insert into image_search_queue (image_id) select id from images
  where id = ${sql.ref(`${row}.image_id`)} and not exists (select 1 from image_search_queue where image_id = ${sql.ref(`${row}.image_id`)})`;

const addTags = sql`insert or ignore into image_tags (owner_id, tag, image_id)
  select new.owner_id, value, new.id from json_each(new.tags) where new.owner_id is not null`;

/**
 * The table of tags immediately, and a queue of images for the search index: indexing each row immediately would double the cost of an
 * upload.
 */
const TAGS_AND_QUEUE = [
  sql`images_inserted after insert on images begin
    insert or ignore into image_search_queue (image_id) values (new.id);
    ${addTags};
  end`,
  sql`images_tagged after update of tags, owner_id on images begin
    delete from image_tags where image_id = old.id;
    ${addTags};
  end`,
  sql`images_deleted after delete on images begin
    delete from image_search where rowid = old.id;
    delete from image_search_queue where image_id = old.id;
    delete from image_tags where image_id = old.id;
  end`,
  // The deletion of an album changes rows, too: not `or ignore`, as above.
  sql`images_described after update of name, tags, title, caption, alt, owner_id, album_id, ext, taken_at on images begin
    insert into image_search_queue (image_id) select new.id where not exists (select 1 from image_search_queue where image_id = new.id);
  end`,
];

const bump = sql`update users set library_version = library_version + 1`;
const changeLibrary = (row: Row) => sql`${bump} where id = (select owner_id from images where id = ${sql.ref(`${row}.image_id`)})`;

/** The changes to a user's images. Views, placeholders and perceptual hashes don't count: none changes which images a list has. */
const LIBRARY_VERSIONS = [
  sql`library_grown after insert on images begin ${bump} where id = new.owner_id; end`,
  sql`library_shrunk after delete on images begin ${bump} where id = old.owner_id; end`,
  sql`library_changed after update on images
    when ${same('views')} and ${same('limited_views')} and ${same('thumbhash')} and ${same('phash')} begin
    ${bump} where id = old.owner_id;
    ${bump} where id = new.owner_id and new.owner_id is not old.owner_id;
  end`,
];

/** An image whose bytes are replaced loses its placeholder, its perceptual hash, and the reviews of its groups. */
const WITH_NEW_FILES = [
  sql`images_replaced after update of sha256 on images when not ${same('sha256')} begin
    update images set thumbhash = null, phash = null where id = new.id;
    delete from duplicate_reviews where image_id = new.id;
  end`,
];

const enterAlbum = entryOf('new', sql.ref('new.album_id'), sql`cast(unixepoch('subsec') * 1000 as integer)`);

/**
 * Keeps `images.album_id`, the first album of an image, and `album_images` consistent, whichever of them is written, and with them the
 * counts of albums, the queue of the search index and the versions of libraries.
 */
const ALBUM_ENTRIES = [
  sql`images_into_album after insert on images when new.album_id is not null begin
    ${enterAlbum};
  end`,
  sql`images_between_albums after update of album_id on images when old.album_id is not new.album_id begin
    delete from album_images where image_id = old.id and album_id = old.album_id;
    ${enterAlbum} where new.album_id is not null
      and not exists (select 1 from album_images where image_id = new.id and album_id = new.album_id);
  end`,
  sql`images_in_albums_changed after update of ${sql.join(STATE_COLUMNS.map(sql.ref))} on images
    when ${stateOfImage('old')} <> ${stateOfImage('new')} begin
    update album_images set state = ${stateOfImage('new')} where image_id = new.id;
  end`,
  sql`album_grown after insert on album_images begin
    ${recount('new', '+')};
    update images set album_id = new.album_id where id = new.image_id and album_id is null;
    ${queue('new')};
    ${changeLibrary('new')};
  end`,
  sql`album_shrunk after delete on album_images begin
    ${recount('old', '-')};
    update images set album_id = ${nextAlbum(sql.ref('old.image_id'))}
      where id = old.image_id and (album_id is null or album_id = old.album_id);
    ${queue('old')};
    ${changeLibrary('old')};
  end`,
  sql`album_changed after update of state on album_images when old.state <> new.state begin
    ${recount('old', '-')};
    ${recount('new', '+')};
  end`,
  sql`album_sorted after update of position on album_images when old.position <> new.position begin
    ${changeLibrary('new')};
  end`,
];

/**
 * Text leaves an image with the file in which it was recognised, and when the image is moved to the trash: `image_texts`, the state in
 * `images` and the search index lose it in the same commit, and the image waits for recognition again. One without text waits only for
 * that of another file: its owner may have removed the text. Every change of text is queued for the search index.
 */
const IMAGE_TEXTS = [
  sql`images_text_outdated after update of sha256, deleted_at on images
    when new.text_state is not null
      and (not ${same('sha256')} or (new.text_state <> 'none' and old.deleted_at is null and new.deleted_at is not null)) begin
    delete from image_texts where image_id = new.id;
    update images set text_state = null where id = new.id;
  end`,
  sql`text_recognized after insert on image_texts begin ${queue('new')}; end`,
  sql`text_removed after delete on image_texts begin
    delete from image_search where rowid = old.image_id;
    ${queue('old')};
  end`,
];
