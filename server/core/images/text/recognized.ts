import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TextLanguage, TextLine } from '#api/images/text.ts';
import { inTrash } from '#server/core/images/lifetime/trash.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { MAX_RECOGNIZED_TEXT } from '#server/platform/db/schema/recognized-text.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';

/** Images whose text is yet to be recognised. Literal, identical to the condition of the index `images_without_text`. */
export const WAITS_FOR_TEXT = sql<boolean>`(text_state is null and duration is null and deleted_at is null and emptied_at is null)`;

/** The file of an image in which text is recognised. */
export type TextSource = Pick<ImageRow, 'id' | 'key' | 'owner_id' | 'policy_id' | 'sha256'>;

/**
 * The newest image that waits for recognition. An index leads to each user's newest; users who have opted out have none.
 * @param resting images that are left out
 */
export async function newestWaiting(read: Queries, resting: number[] = []): Promise<TextSource | undefined> {
  const newest = await read
    .selectFrom('users')
    .select((user) =>
      user
        .selectFrom('images')
        .select((row) => row.fn.max('images.id').as('id'))
        .whereRef('images.owner_id', '=', 'users.id')
        .where(WAITS_FOR_TEXT)
        .$if(resting.length > 0, (images) => images.where('images.id', 'not in', resting))
        .as('image_id'),
    )
    .where('recognize_text', '=', 1)
    .execute();
  const id = newest.reduce((latest, { image_id }) => Math.max(latest, image_id ?? 0), 0);
  return read.selectFrom('images').select(['id', 'key', 'owner_id', 'policy_id', 'sha256']).where('id', '=', id).executeTakeFirst();
}

/** The number of images outside the trash of users who haven't opted out, and how many of them wait for recognition. */
export async function countPictures(read: Queries): Promise<{ pictures: number; waiting: number }> {
  const consenting = read.selectFrom('users').select('users.id').where('recognize_text', '=', 1);
  const all = await read
    .selectFrom('users')
    .select((row) => row.fn.coalesce(row.fn.sum<number>('image_count'), row.lit(0)).as('count'))
    .where('recognize_text', '=', 1)
    .executeTakeFirstOrThrow();
  const trashed = await inTrash(read).where('owner_id', 'in', consenting).executeTakeFirstOrThrow();
  const waiting = await read
    .selectFrom('images')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where(WAITS_FOR_TEXT)
    .where('owner_id', 'in', consenting)
    .executeTakeFirstOrThrow();
  return { pictures: all.count - trashed.count, waiting: waiting.count };
}

/** The number of a user's images that wait for recognition; 0 if they have opted out. */
export async function countWaiting(read: Queries, ownerId: number): Promise<number> {
  const row = await read
    .selectFrom('images')
    .innerJoin('users', 'users.id', 'images.owner_id')
    .select((image) => image.fn.countAll<number>().as('count'))
    .where('images.owner_id', '=', ownerId)
    .where('users.recognize_text', '=', 1)
    .where(WAITS_FOR_TEXT)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** What became of recognition. */
export type Recognition = { state: 'none' | 'failed' } | { state: 'done'; lines: readonly TextLine[] };

/** Stores what was recognised in an image, in a unit of writing. Returns false if the image has another file by now, or is to have no text. */
export async function storeRecognition(
  queries: Queries,
  { id, sha256 }: TextSource,
  recognition: Recognition,
  now: number,
): Promise<boolean> {
  const row = await queries
    .updateTable('images')
    .set({ text_state: recognition.state })
    .where('id', '=', id)
    .where('sha256', '=', sha256)
    .where(WAITS_FOR_TEXT)
    .where('owner_id', 'in', (image) => image.selectFrom('users').select('users.id').where('recognize_text', '=', 1))
    .returning('id')
    .executeTakeFirst();
  if (!row) return false;
  if (recognition.state === 'done')
    await queries
      .insertInto('image_texts')
      .values(toRow(id, recognition.lines, now))
      .execute();
  return true;
}

function toRow(image_id: number, found: readonly TextLine[], now: number): Tables['image_texts'] {
  const lines: TextLine[] = [];
  let length = 0;
  for (const line of found) {
    length += line.text.length + 1;
    if (length > MAX_RECOGNIZED_TEXT) break;
    lines.push(line);
  }
  const text = lines.map((line) => line.text).join('\n');
  return { image_id, text, lines: JSON.stringify(lines), language: languageOf(text), recognized_at: now };
}

/** The language of most characters. A Chinese one says as much as a few Latin ones. */
export function languageOf(text: string): TextLanguage {
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return chinese * 3 > latin ? 'zh' : 'en';
}

/** Removes the text of an image, in a unit of writing. It isn't recognised again unless the file changes. */
export async function removeText(queries: Queries, imageId: number): Promise<void> {
  await queries.deleteFrom('image_texts').where('image_id', '=', imageId).execute();
  await queries.updateTable('images').set({ text_state: 'none' }).where('id', '=', imageId).execute();
}

/** The text of an image whose owner hasn't opted out. */
export async function readText(read: Queries, imageId: number): Promise<{ language: TextLanguage; lines: TextLine[] } | undefined> {
  const row = await wantedTexts(read).select(['language', 'lines']).where('image_id', '=', imageId).executeTakeFirst();
  return row && { language: row.language, lines: JSON.parse(row.lines) as TextLine[] };
}

/** Texts that are read at once, in a few milliseconds. */
const AT_ONCE = 50;

/** The texts of some images whose owners haven't opted out, by the images' ids. */
export async function textsOf(read: Queries, images: readonly { id: number }[]): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  for (let from = 0; from < images.length; from += AT_ONCE) {
    const ids = images.slice(from, from + AT_ONCE).map(({ id }) => id);
    const rows = await wantedTexts(read).select(['image_id', 'text']).where('image_id', 'in', ids).execute();
    for (const { image_id, text } of rows) texts.set(image_id, text);
    if (rows.length > 0) await setImmediate();
  }
  return texts;
}

/** The texts of images whose owners haven't opted out. */
const wantedTexts = (read: Queries) =>
  read
    .selectFrom('image_texts')
    .innerJoin('images', 'images.id', 'image_texts.image_id')
    .innerJoin('users', 'users.id', 'images.owner_id')
    .where('users.recognize_text', '=', 1);

/** Images whose text is removed in one unit of writing. */
const BATCH = 200;

/** Images with text of users who have opted out. Literal, identical to the condition of the index `images_with_text`. */
const unwanted = (queries: Queries) =>
  queries
    .selectFrom('images')
    .select('id')
    .where('owner_id', 'in', (image) => image.selectFrom('users').select('users.id').where('recognize_text', '=', 0))
    .where(sql<boolean>`text_state = 'done'`);

/** Removes the texts of a batch of images of users who have opted out, and returns the number of images. */
export async function removeUnwanted(db: WritableDatabase): Promise<number> {
  if (!(await unwanted(db.read).limit(1).executeTakeFirst())) return 0;
  return db.write(async (queries) => {
    const ids = (await unwanted(queries).limit(BATCH).execute()).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await queries.deleteFrom('image_texts').where('image_id', 'in', ids).execute();
    await queries.updateTable('images').set({ text_state: null }).where('id', 'in', ids).execute();
    return ids.length;
  });
}
