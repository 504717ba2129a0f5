// Large libraries: rows of the database repeated under other keys and times.
import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const DAY = 86_400_000;
const YEARS = 9;

type Row = Record<string, unknown>;

/**
 * Repeats the pictures of a running service until there are at least `count`. Copies whole rows, so it works for every version of the schema.
 * Resolves once all are in the search index.
 * @param differ what else differs in the row of that number
 */
export async function repeatPictures(database: string, count: number, differ: (index: number) => Row = () => ({})): Promise<void> {
  const db = new Sqlite(database);
  await until(() => !hasColumn(db, 'thumbhash') || db.prepare('select 1 from images where thumbhash is null').get() === undefined);
  const rows = db.prepare('select * from images order by id limit 1000').all() as Row[];
  const existing = db.prepare<[], number>('select count(*) from images').pluck().get() as number;
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'id');
  const insert = db.prepare(`insert into images (${columns.join()}) values (${columns.map((name) => `@${name}`).join()})`);
  db.transaction(() => {
    for (let index = existing; index < count; index++) {
      // More pictures in later years, and days with few as well as with many.
      const age = YEARS * 365 * (1 - index / count) ** 1.3 + (index % 7) * Math.abs(Math.sin(index / 900));
      const time = Math.round(Date.now() - DAY * age);
      insert.run({ ...rows[index % rows.length], key: key12(), created_at: time, taken_at: time, updated_at: time, ...differ(index) });
    }
    if (existing < count) db.prepare('update users set image_count = ?').run(count);
  })();
  await until(() => db.prepare('select 1 from image_search_queue').get() === undefined);
  db.close();
}

/**
 * Puts pictures of one album into another one as well, the latest first. Resolves once the search index has them there.
 * @param count how many there are in the second album then, at least
 */
export async function addToAlbum(database: string, { from, to, count }: { from: string; to: string; count: number }): Promise<void> {
  const db = new Sqlite(database);
  const present = db.prepare<[string], number>('select count(*) from album_images where album_id = ?').pluck().get(to) as number;
  db.prepare(
    `insert into album_images (album_id, image_id, image_key, state, uploaded_at, position, added_at, added_by)
      select @to, image_id, image_key, state, uploaded_at, position, @now, added_by from album_images as one
      where album_id = @from and not exists (select 1 from album_images as other where other.image_id = one.image_id and album_id = @to)
      order by position desc limit @missing`,
  ).run({ from, to, now: Date.now(), missing: Math.max(0, count - present) });
  await until(() => db.prepare('select 1 from image_search_queue').get() === undefined);
  db.close();
}

/** A word in a tenth of all texts. */
export const IN_TEXTS = 'voucher';
/** Lines and words of a text: a screenshot with a dialog. */
const [LINES, WORDS_PER_LINE] = [8, 6];

/** Gives pictures that are spread over the library a text, as if recognised in them, until so many have one. Resolves once the search index has the texts. */
export async function addTexts(database: string, count: number): Promise<void> {
  const db = new Sqlite(database);
  const all = db.prepare<[], number>('select id from images where text_state is null order by id').pluck().all();
  const missing = count - (db.prepare<[], number>('select count(*) from image_texts').pluck().get() as number);
  const insert = db.prepare("insert into image_texts (image_id, text, lines, language, recognized_at) values (?, ?, ?, 'en', ?)");
  const words = wordsOfDocuments();
  const done = db.prepare("update images set text_state = 'done' where id = ?");
  db.transaction(() => {
    for (let index = 0; index < missing; index++) {
      const id = all[Math.floor((index * all.length) / missing)] as number;
      const lines = Array.from({ length: LINES }, (_, line) => lineOf(words, index, line));
      insert.run(id, lines.map(({ text }) => text).join('\n'), JSON.stringify(lines), Date.now());
      done.run(id);
    }
  })();
  await until(() => db.prepare('select 1 from image_search_queue').get() === undefined);
  db.close();
}

/** Colleagues with some private pictures each; the owner sends as much as may be kept of one sender. */
const TEAM = { colleagues: 48, pictures: 40, ofOwner: 1_000, picturesEach: 5, recipientsEach: 5 };

/** Adds colleagues, what they and the owner have sent to the user `reader` and to four others each, and shares albums with everyone. */
export async function addTeam(
  database: string,
  { reader, sendings, albums }: { reader: string; sendings: number; albums: number },
): Promise<void> {
  const db = new Sqlite(database);
  const first = (sql: string, ...values: unknown[]) => db.prepare(sql).get(...values) as Row;
  const insert = (table: string, row: Row) =>
    db
      .prepare(
        `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map((name) => `@${name}`)
          .join()})`,
      )
      .run(row).lastInsertRowid;
  const owner = first('select id from users where is_owner = 1').id as number;
  const { id: readerId, ...user } = first('select * from users where username = ?', reader);
  const { id: _, ...picture } = first('select * from images where owner_id = ? limit 1', owner);
  const ofOwner = db.prepare<[number], number>('select id from images where owner_id = ? order by id desc limit 10000').pluck().all(owner);
  db.transaction(() => {
    const colleagues = Array.from({ length: TEAM.colleagues }, (_, at) => {
      const username = `colleague-${at}`;
      return insert('users', { ...user, username, username_key: username, email: null, email_key: null }) as number;
    });
    const picturesOf = new Map(
      colleagues.map((owner_id) => [
        owner_id,
        Array.from({ length: TEAM.pictures }, () => {
          const more = { owner_id, key: key12(), visibility: 'private', album_id: null, slug: null };
          return insert('images', { ...picture, ...more }) as number;
        }),
      ]),
    );
    picturesOf.set(owner, ofOwner);
    for (let index = 0; index < sendings; index++) {
      const sender_id = index < TEAM.ofOwner ? owner : (colleagues[index % colleagues.length] as number);
      const id = `${key12()}${key12()}`.slice(0, 22);
      const created_at = Date.now() - (sendings - index) * 60_000;
      insert('sendings', { id, sender_id, message: `Sending ${index}`, image_count: TEAM.picturesEach, created_at });
      const own = picturesOf.get(sender_id) as number[];
      for (let position = 0; position < TEAM.picturesEach; position++)
        insert('sending_images', { sending_id: id, image_id: own[(index * 7 + position) % own.length], position });
      const others = colleagues.filter((one) => one !== sender_id);
      const recipients = [readerId, ...Array.from({ length: TEAM.recipientsEach - 1 }, (_, at) => others[(index + at) % others.length])];
      for (const user_id of recipients)
        insert('sending_recipients', {
          sending_id: id,
          user_id,
          sent_at: created_at,
          seen_at: index % 3 ? created_at : null,
          removed_at: null,
        });
    }
    db.prepare("update albums set everyone_role = 'contributor', everyone_at = ? where id in (select id from albums limit ?)").run(
      Date.now(),
      albums,
    );
  })();
  await until(() => db.prepare('select 1 from image_search_queue').get() === undefined);
  db.close();
}

function lineOf(all: readonly string[], index: number, line: number) {
  const words = Array.from({ length: WORDS_PER_LINE }, (_, at) => ({
    text: wordAt(all, index, line * WORDS_PER_LINE + at),
    box: [90 * at, 24 * line, 80, 16],
  }));
  return { text: words.map(({ text }) => text).join(' '), box: [0, 24 * line, 90 * WORDS_PER_LINE, 16], words };
}

/** Words as frequent as in English texts: those of the project's documents. */
function wordsOfDocuments(): string[] {
  const folder = join(import.meta.dirname, '../../docs');
  const paths = globSync('**/*.md', { cwd: folder }).sort();
  return paths.flatMap((path) => readFileSync(join(folder, path), 'utf8').match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Each text begins at a place of its own. */
function wordAt(words: readonly string[], index: number, at: number): string {
  if (at === 0 && index % 10 === 0) return IN_TEXTS;
  return words[(index * 7_919 + at) % words.length] as string;
}

function hasColumn(db: Sqlite.Database, name: string): boolean {
  return (db.pragma('table_info(images)') as { name: string }[]).some((column) => column.name === name);
}

function key12(): string {
  return randomBytes(18).toString('base64').replace(/[+/=]/g, '0').slice(0, 12);
}

async function until(holds: () => boolean) {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 200));
}
