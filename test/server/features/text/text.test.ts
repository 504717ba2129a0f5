import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';
import { batchImages } from '#api/images/changes.ts';
import { countImages, listImages } from '#api/images/images.ts';
import { deleteText, getText } from '#api/images/text.ts';
import { getTimeline } from '#api/images/timeline.ts';
import { languageOf, newestWaiting, removeUnwanted, storeRecognition, type TextSource } from '#server/core/images/text/recognized.ts';
import { lineWith } from '#server/core/images/text/text-hit.ts';
import { indexChangedImages } from '#server/platform/db/dialect.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { giveText } from '#test/helpers/service/data/texts.ts';
import { addUser, withDatabase } from '#test/helpers/service/data/users.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

const { service, owner } = await startFileService();
const other = await addUser(service, 'olga');
let seed = 900;

async function add(name: string, text?: string): Promise<string> {
  const { key } = await uploadImage(service, await owner.token('full'), await photoJpeg({ seed: ++seed, width: 60, height: 40 }), { name });
  if (text !== undefined) await withDatabase(service, (db) => giveText(db, key, text));
  return key;
}

const find = (q: string, who = owner) => who.client.call(listImages, { query: { q } });
const names = async (q: string, who = owner) => (await find(q, who)).items.map(({ name }) => name);
const read = (key: string, who = owner) => who.client.call(getText, { params: { key } });
/** What the tables and the search index hold of recognised text. */
const stored = () => withDatabase(service, async (db) => (await db.read.selectFrom('image_texts').select('image_id').execute()).length);

it('finds a picture by the text in it, wherever lists are searched, and says where', async () => {
  await add('receipt.jpg', 'Grand total 42.17\nThank you, come again');
  await add('menu.jpg', '欢迎光临小店\n今日特价');
  await add('totals-by-name.jpg');
  const { items } = await find('total');
  expect(items.map(({ name, matched_text, text_snippet }) => [name, matched_text, text_snippet])).toEqual([
    ['totals-by-name.jpg', undefined, undefined],
    ['receipt.jpg', true, 'Grand total 42.17'],
  ]);
  expect(await names('come grand')).toEqual(['receipt.jpg']);
  expect(await names('receipt thank')).toEqual(['receipt.jpg']);
  expect(await names('receipt absent')).toEqual([]);
  expect(await names('特价')).toEqual(['menu.jpg']);
  expect(await names('光')).toEqual(['menu.jpg']);
  expect((await owner.client.call(getTimeline, { query: { q: '42.17' } })).count).toBe(1);
  const { count, as_of } = await owner.client.call(countImages, { query: { q: 'grand' } });
  expect(count).toBe(1);
  const body = { action: 'favourite' as const, favourite: true, query: { q: 'grand', as_of } };
  expect((await owner.client.call(batchImages, { body })).processed).toBe(1);
  expect(await names('total', other)).toEqual([]);
});

it('keeps the order of the list: a hit in the text is only marked', async () => {
  await add('pier-1.jpg', 'nothing');
  await add('b.jpg', 'the old pier');
  await add('pier-2.jpg', 'nothing');
  expect(await names('pier')).toEqual(['pier-2.jpg', 'b.jpg', 'pier-1.jpg']);
});

it('returns the lines with their places, to the owner only', async () => {
  const key = await add('note.jpg', 'Buy milk\nand bread');
  const { status, language, lines } = await read(key);
  expect({ status, language, texts: lines.map(({ text }) => text) }).toEqual({
    status: 'done',
    language: 'en',
    texts: ['Buy milk', 'and bread'],
  });
  expect(lines[0]?.box).toEqual([10, 10, 64, 16]);
  expect(lines[0]?.words?.map(({ text }) => text)).toEqual(['Buy', 'milk']);
  await expect(read(key, other)).rejects.toMatchObject({ status: 404 });
  expect((await fetch(`${service.url}/api/v1/images/${key}/text`)).status).toBe(401);
  const upload = await fetch(`${service.url}/api/v1/images/${key}/text`, {
    headers: { authorization: `Bearer ${await owner.token('upload')}` },
  });
  expect(upload.status).toBe(403);
  await expect(other.client.call(deleteText, { params: { key } })).rejects.toMatchObject({ status: 404 });
  expect((await read(key)).status).toBe('done');
});

it('removes text permanently on request, and doesn’t find it any more', async () => {
  const key = await add('letter.jpg', 'dear quincy');
  await owner.client.call(deleteText, { params: { key } });
  expect((await read(key)).status).toBe('none');
  expect(await names('quincy')).toEqual([]);
  expect(await names('letter')).toEqual(['letter.jpg']);
  expect(await withDatabase(service, (db) => giveText(db, key, 'dear quincy'))).toBe(false);
});

it('doesn’t recognise what was removed again after the picture was in the trash', async () => {
  const key = await add('diploma.jpg', 'summa cum laude');
  await owner.client.call(deleteText, { params: { key } });
  await owner.client.call(batchImages, { body: { action: 'trash', keys: [key] } });
  await owner.client.call(batchImages, { body: { action: 'restore', keys: [key] } });
  expect(await withDatabase(service, (db) => giveText(db, key, 'summa cum laude'))).toBe(false);
});

it('indexes only a few long texts at once, so that other requests get their turn', async () => {
  const keys: string[] = [];
  for (let at = 0; at < 5; at++) keys.push(await add(`long-${at}.jpg`, `walrus ${'abcdefghi '.repeat(900)}`));
  await find('anything');
  // In one unit of writing, so that the service doesn't index them meanwhile.
  const indexed = await withDatabase(service, (db) =>
    db.as('job').write(async (queries) => {
      const images = await queries.selectFrom('images').select('id as image_id').where('key', 'in', keys).execute();
      await queries.deleteFrom('image_search_queue').execute();
      await queries.insertInto('image_search_queue').values(images).execute();
      const counts: number[] = [];
      do counts.push(await indexChangedImages(queries, 200));
      while (counts.at(-1) !== 0);
      return counts;
    }),
  );
  expect(indexed).toEqual([2, 2, 1, 0]);
  expect(await names('walrus')).toHaveLength(5);
});

it('removes text in the commit that replaces the file or moves it to the trash, and waits for it again', async () => {
  const replaced = await add('badge.jpg', 'secret zebra');
  const trashed = await add('card.jpg', 'secret zebra');
  const before = await stored();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await photoJpeg({ seed: ++seed, width: 60, height: 40 }))]), 'covered.jpg');
  const response = await fetch(`${service.url}/api/v1/images/${replaced}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${await owner.token('full')}` },
    body: form,
  });
  expect(response.status).toBe(200);
  expect(await stored()).toBe(before - 1);
  await owner.client.call(batchImages, { body: { action: 'trash', keys: [trashed] } });
  expect(await stored()).toBe(before - 2);
  expect(await names('zebra')).toEqual([]);
  await expect(read(trashed)).rejects.toMatchObject({ status: 404 });
  await owner.client.call(batchImages, { body: { action: 'restore', keys: [trashed] } });
  // The version that was replaced is in the trash, and has no text either.
  const states = await withDatabase(service, ({ read }) =>
    read.selectFrom('images').select('text_state').where('key', 'in', [replaced, trashed]).execute(),
  );
  expect(states).toEqual([{ text_state: null }, { text_state: null }]);
  const versions = await withDatabase(service, ({ read }) =>
    read.selectFrom('images').select('text_state').where('version_of', '=', replaced).execute(),
  );
  expect(versions).toEqual([{ text_state: null }]);
});

it('hides the text of users who opt out at once, and then removes it', async () => {
  const key = await add('diary.jpg', 'dear diary walnut');
  await owner.client.call('PATCH /user', { body: { recognize_text: false } });
  expect((await owner.client.call('GET /user', {})).recognize_text).toBe(false);
  expect(await names('walnut')).toEqual([]);
  expect((await read(key)).status).toBe('none');
  const left = await withDatabase(service, async (db) => {
    while ((await removeUnwanted(db.as('job'))) > 0);
    return { texts: (await db.read.selectFrom('image_texts').selectAll().execute()).length, waiting: await newestWaiting(db.read) };
  });
  expect(left).toEqual({ texts: 0, waiting: undefined });
  await owner.client.call('PATCH /user', { body: { recognize_text: true } });
  expect(await names('walnut')).toEqual([]);
  const next = await withDatabase(service, (db) => newestWaiting(db.read));
  expect(next?.key).toBe(key);
});

it('tells only admins of the progress', async () => {
  await expect(other.client.call('GET /admin/text', {})).rejects.toMatchObject({ status: 403 });
  const { pictures, waiting, pause } = await owner.client.call('GET /admin/text', {});
  expect(pause).toBe('off');
  expect(waiting).toBeGreaterThan(0);
  expect(pictures).toBeGreaterThanOrEqual(waiting);
});

it('counts the pictures of a user that searches can’t find by their text yet', async () => {
  const counter = await addUser(service, 'cara');
  const unread = () => counter.client.call('GET /user/text', {});
  for (const width of [61, 62])
    await uploadImage(service, await counter.token('full'), await photoJpeg({ seed: ++seed, width, height: 40 }));
  expect(await unread()).toEqual({ waiting: 0 });
  service.setOnBattery(true);
  await owner.client.call('PATCH /admin/settings', { body: { ocr_enabled: true } });
  expect(await unread()).toEqual({ waiting: 2 });
  await counter.client.call('PATCH /user', { body: { recognize_text: false } });
  expect(await unread()).toEqual({ waiting: 0 });
  await owner.client.call('PATCH /admin/settings', { body: { ocr_enabled: false } });
  service.setOnBattery(false);
});

it('takes the newest pictures of all users first', async () => {
  const mine = await add('older.jpg');
  const { key } = await uploadImage(service, await other.token('full'), await photoJpeg({ seed: ++seed, width: 60, height: 40 }));
  const next = () => withDatabase(service, (db) => newestWaiting(db.read));
  expect((await next())?.key).toBe(key);
  await withDatabase(service, (db) => giveText(db, key, 'x'));
  expect((await next())?.key).toBe(mine);
});

it('stores nothing for a picture whose file has been replaced meanwhile', async () => {
  const key = await add('busy.jpg');
  const stale = await withDatabase(service, (db) => newestWaiting(db.read));
  await withDatabase(service, (db) =>
    db.as('job').write((queries) =>
      queries
        .updateTable('images')
        .set({ sha256: 'f'.repeat(64) })
        .where('key', '=', key)
        .execute(),
    ),
  );
  const done = await withDatabase(service, (db) =>
    db.as('job').write((queries) => storeRecognition(queries, stale as TextSource, { state: 'none' }, Date.now())),
  );
  expect(done).toBe(false);
});

it('tells the language by its characters', () => {
  expect([languageOf('Hello there'), languageOf('你好，世界'), languageOf('打开设置 Settings'), languageOf('42')]).toEqual([
    'en',
    'zh',
    'zh',
    'en',
  ]);
});

it('shows the line that was found, shortened around it', () => {
  expect(lineWith('one two\nthree four', [['four']])).toBe('three four');
  expect(lineWith('one two', [['three'], ['tw']])).toBe('one two');
  expect(lineWith('one two', [['one', 'five']])).toBeUndefined();
  const long = `${'x'.repeat(300)} needle ${'y'.repeat(300)}`;
  const snippet = lineWith(long, [['needle']]);
  expect(snippet).toContain('needle');
  expect(snippet?.length).toBeLessThan(170);
});

it('recognises waiting pictures once an admin has turned that on, and not on battery', { timeout: 300_000 }, async () => {
  const picture = await readFile(new URL('../../../fixtures/text/english.png', import.meta.url));
  const { key } = await uploadImage(service, await owner.token('full'), picture, {}, 'failed.png');
  const damaged = await add('damaged.jpg');
  const lost = await add('lost.jpg');
  await withDatabase(service, async (db) => {
    // Everything that the other tests have left.
    await db
      .as('job')
      .write((queries) => queries.updateTable('images').set({ text_state: 'none' }).where('key', 'not in', [key, damaged, lost]).execute());
    for (const gone of [damaged, lost]) {
      const { sha256 } = await db.read.selectFrom('images').select('sha256').where('key', '=', gone).executeTakeFirstOrThrow();
      const file = join(service.dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
      if (gone === lost) await rm(file);
      else await writeFile(file, 'not a picture');
    }
  });
  await owner.client.call('PATCH /admin/settings', { body: { ocr_enabled: true } });
  service.setOnBattery(true);
  expect(await owner.client.call('GET /admin/text', {})).toMatchObject({ waiting: 3, pause: 'battery' });
  expect((await read(key)).status).toBe('waiting');
  service.setOnBattery(false);
  await vi.waitFor(async () => expect((await owner.client.call('GET /admin/text', {})).waiting).toBe(0), {
    timeout: 280_000,
    interval: 200,
  });
  const { status, lines } = await read(key);
  expect({ status, texts: lines.map(({ text }) => text) }).toEqual({
    status: 'done',
    texts: ['The upload failed after three attempts', 'Check your network connection'],
  });
  expect([(await read(damaged)).status, (await read(lost)).status]).toEqual(['failed', 'failed']);
  expect(await names('attempts')).toEqual(['failed.png']);
});

it('reads a picture of this computer without storing anything', { timeout: 300_000 }, async () => {
  const before = await stored();
  const lines = await service.readText(fileURLToPath(new URL('../../../fixtures/text/english.png', import.meta.url)));
  expect(lines.map(({ text }) => text)).toEqual(['The upload failed after three attempts', 'Check your network connection']);
  expect(await stored()).toBe(before);
});
