import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, expect, it } from 'vitest';
import type { Uploaded } from '#api/images/upload.ts';
import { verifyDataFolder } from '#server/features/verify/verify.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { writeFormerDatabase } from '#test/helpers/service/data/former-database.ts';
import { setUp, startTestService, uploadImage } from '#test/helpers/service/service.ts';

let dataDir: string;
let image: Uploaded;

/** The data folder of a service that has stopped, with a picture and its thumbnail. */
beforeEach(async () => {
  dataDir = temporaryFolder();
  await writeEmptyDatabase(dataDir);
  const service = await startTestService({ dataDir });
  const owner = await setUp(service);
  image = await uploadImage(service, await owner.token('upload'), await photoJpeg(), {}, 'cat.jpg');
  await (await fetch(`${service.url}/t/${image.key}.jpg`)).arrayBuffer();
  await service.stop();
});

const blob = () => join(dataDir, 'blobs', image.sha256.slice(0, 2), image.sha256.slice(2, 4), image.sha256);
const thumbnail = () => join(dataDir, 'thumbs', image.sha256.slice(0, 2), image.sha256.slice(2, 4), `1-${image.sha256}`, '400.jpg');

function change(statement: string) {
  const db = new Sqlite(join(dataDir, 'pixdock.db'));
  db.unsafeMode().pragma('foreign_keys = OFF');
  db.pragma('writable_schema = ON');
  db.exec(statement);
  db.close();
}

async function verify(repair = false) {
  const lines: string[] = [];
  let bytes = 0;
  const result = await verifyDataFolder({ dataDir }, repair, {
    onStart: () => undefined,
    onBytes: (read) => {
      bytes += read;
    },
    onFinding: ({ problem, advice, repair: repaired }, isRepaired) => lines.push(`${problem} ${isRepaired ? repaired?.done : advice}`),
  });
  return { ...result, lines, bytes };
}

it('asks for a start when the folder is from an older version, and brings it up to date only for a repair', async () => {
  rmSync(join(dataDir, 'pixdock.db'));
  writeFormerDatabase(join(dataDir, 'pixdock.db'));
  await expect(verify()).rejects.toThrow(/older version of Pixdock. Start Pixdock once/);
  await verify(true);
  await verify();
});

it('leaves damaged thumbnails to the service, which replaces them', async () => {
  writeFileSync(thumbnail(), '');
  expect(await verify()).toMatchObject({ lines: [], problems: 0 });
});

it('finds nothing wrong in a sound folder, reads every file and changes nothing', async () => {
  const before = readFileSync(join(dataDir, 'pixdock.db'));
  expect(await verify()).toEqual({ lines: [], images: 1, bytes: image.size, problems: 0, repaired: 0 });
  expect(readFileSync(join(dataDir, 'pixdock.db')).equals(before)).toBe(true);
});

it('finds nothing wrong with a file that was being deleted when the service crashed, and that the next start deletes', async () => {
  change('delete from images; update blobs set unused_since = 1; update users set image_count = 0, storage_used_bytes = 0');
  for (const lose of [() => undefined, () => rmSync(blob())]) {
    lose();
    expect((await verify()).lines.filter((line) => !line.includes('thumbnail'))).toEqual([]);
  }
});

const stray = () => join(dataDir, 'blobs', 'ab', 'cd', `abcd${'0'.repeat(60)}`);
function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

it.each<[string, () => void, RegExp, RegExp]>([
  [
    'a file of no picture',
    () => write(stray(), 'x'),
    /doesn’t belong to any picture\. --repair moves it/,
    /Moved to .*set-aside.1.[0-9a-f]{64}\.$/,
  ],
  ['another file', () => write(join(dataDir, 'blobs', 'notes.txt'), 'x'), /notes\.txt doesn’t belong/, /Moved to/],
  [
    'a thumbnail of no picture',
    () => write(join(dataDir, 'thumbs', 'ab', 'cd', 'x', '1.jpg'), 'x'),
    /thumbnail .* doesn’t belong/,
    /Removed/,
  ],
  ['a leftover', () => write(join(dataDir, 'tmp', 'x.part'), 'x'), /x\.part is left/, /Removed/],
  [
    'wrong counters',
    () => change('update users set image_count = 5, storage_used_bytes = 0'),
    /counters for ada say 5 pictures and 0 bytes, but there are 1 picture and/,
    /Recounted/,
  ],
  [
    'wrong counters of an album',
    () =>
      change(
        "insert into albums (id, owner_id, name, description, visibility, position, open_count, created_at, updated_at) values ('lake', 1, 'Lake', '', 'public', 1, 3, 0, 0)",
      ),
    /counters of the album “Lake” don’t match its pictures\. --repair/,
    /Lake.* Recounted/,
  ],
  [
    'an album that knows too little of its pictures',
    () =>
      change(
        `insert into albums (id, owner_id, name, description, visibility, position, created_at, updated_at) values ('lake', 1, 'Lake', '', 'public', 1, 0, 0);
        update images set album_id = 'lake'; update album_images set state = 2, uploaded_at = 5`,
      ),
    /“Lake” has outdated information about its pictures\. --repair/,
    /Lake.* Updated/,
  ],
  ['a wrong size', () => change('update blobs set size = 1'), /but the database says 1 byte/, /Corrected/],
  ['a picture whose file is not listed', () => change('delete from blobs'), /doesn’t list the file for “cat\.jpg”/, /Added it/],
  ['a file that no picture uses', () => change('delete from images'), /isn’t used by any picture/, /will delete it/],
  [
    'an index that does not match',
    () => change(`update sqlite_schema set sql = replace(sql, '"input_sha256"', '"name"') where name = 'images_by_input'`),
    /Some database indexes don’t match/,
    /Rebuilt/,
  ],
])('reports %s, and repairs it', async (what, damage, sentence, repaired) => {
  damage();
  const found = await verify();
  expect([found.lines.some((line) => sentence.test(line)), found.repaired], found.lines.join('\n')).toEqual([true, 0]);
  const fixed = await verify(true);
  expect(
    fixed.lines.some((line) => repaired.test(line)),
    fixed.lines.join('\n'),
  ).toBe(true);
  expect(fixed.repaired).toBe(fixed.problems);
  expect(await verify(), what).toMatchObject({ lines: [], problems: 0 });
});

it('keeps what it moves aside, even when it is moved twice', async () => {
  for (const text of ['one', 'two']) {
    write(stray(), text);
    await verify(true);
  }
  const aside = readdirSync(join(dataDir, 'set-aside', '1'));
  expect(aside.map((name) => readFileSync(join(dataDir, 'set-aside', '1', name), 'utf8')).sort()).toEqual(['one', 'two']);
});

it.each<[string, () => void, RegExp]>([
  ['a lost file', () => rmSync(blob()), /, the file for “cat\.jpg” \(\w{12}\), is missing\. Restore it from a backup/],
  ['a damaged file', () => appendFileSync(blob(), 'x'), /, the file for “cat\.jpg” \(\w{12}\), is damaged: its contents don’t match/],
  ['a lost folder', () => rmSync(join(dataDir, 'blobs'), { recursive: true }), /blobs, the folder of a storage policy, is missing/],
  ['a lost file that is not listed either', () => change(`update images set sha256 = '${'ab'.repeat(32)}'`), /There’s no such file either/],
  ['broken references', () => change('update images set owner_id = 99'), /1 row of images refers to rows of users that don’t exist/],
  ['invalid settings', () => change("insert or replace into settings values ('site_name', '5')"), /settings aren’t valid \(site_name\)/],
  ['lost secrets', () => rmSync(join(dataDir, 'secrets.json')), /secrets\.json is missing/],
  ['damaged secrets', () => writeFileSync(join(dataDir, 'secrets.json'), '{'), /secrets\.json is damaged/],
  ['a damaged database', () => writeFileSync(join(dataDir, 'pixdock.db'), 'x'.repeat(9000)), /The database is damaged/],
])('reports %s, which it can’t repair, and says what to do', async (_what, damage, sentence) => {
  damage();
  for (const repair of [false, true]) {
    const { lines, problems, repaired } = await verify(repair);
    expect(lines.join('\n')).toMatch(sentence);
    expect(problems).toBeGreaterThan(repaired);
  }
  expect(existsSync(join(dataDir, 'pixdock.db'))).toBe(true);
});

it('refuses a folder that the service is using, and one without a database', async () => {
  const service = await startTestService({ dataDir });
  await expect(verify()).rejects.toThrow('Pixdock is running with the data folder');
  await service.stop();
  write(join(dataDir, 'restore', 'trying.json'), '{}');
  await expect(verify()).resolves.toMatchObject({ problems: 0 }); // the restore was finished, but not removed
  write(join(dataDir, 'restore', 'ready.json'), '{}');
  await expect(verify()).rejects.toThrow('A restore isn’t complete yet.');
  dataDir = temporaryFolder();
  await expect(verify()).rejects.toThrow('isn’t a Pixdock data folder');
});
