import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { createClient } from '#api/client.ts';
import { listImages, listTags } from '#api/images/images.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { updateSearch } from '#server/core/images/text/search.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { engineFor } from '#server/platform/db/dialect.ts';
import { inspectDatabase } from '#server/platform/db/files.ts';
import { GROUP_DEFAULTS } from '#server/platform/db/group-defaults.ts';
import { migrate, STEPS } from '#server/platform/db/migrate.ts';
import { tableNames } from '#server/platform/db/schema/tables.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeFormerDatabase } from '#test/helpers/service/data/former-database.ts';

/** A database file as the last development version before 0.5 left it. */
function former() {
  const path = join(temporaryFolder(), 'pixdock.db');
  writeFormerDatabase(path);
  return path;
}

async function fresh() {
  const path = join(temporaryFolder(), 'pixdock.db');
  await (await openDatabase(path)).close();
  return path;
}

/** What later steps add to rows. */
const ADDED = {
  groups: { listed: 0, max_video_bytes: 524_288_000, max_video_seconds: 600 },
  images: { duration: null, has_audio: 0, poster_policy_id: null, poster_sha256: null, has_poster: 0 },
  oidc_providers: { groups_claim: '', group_map: '[]' },
  albums: { everyone_role: null, everyone_at: null },
  identities: { claimed_groups: null, claimed_at: null },
};
/** And the tables that they add. */
const ADDED_TABLES: readonly string[] = [
  'album_groups',
  'sendings',
  'sending_images',
  'sending_recipients',
  'album_received',
  'old_addresses',
];

/** All rows of a database file, and the numbers that it has assigned. */
function contentsOf(path: string, added: Readonly<Record<string, object>> = {}) {
  const db = new Sqlite(path, { readonly: true });
  const has = (table: string) => db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined;
  const contents = [...tableNames, 'sqlite_sequence'].map((table) => [
    table,
    (has(table) ? (db.prepare(`select * from "${table}"`).all() as object[]) : [])
      .map((row) => JSON.stringify(Object.entries({ ...added[table], ...row }).sort(([one], [other]) => (one < other ? -1 : 1))))
      .sort(),
  ]);
  db.close();
  return Object.fromEntries(contents);
}

it('takes over a database of the last development version: the same rows and numbers, in the tables of a new one', async () => {
  const path = former();
  const file = new Sqlite(path);
  file.exec("insert into image_search (rowid, tokens) values (3, 'u1x00061')");
  const before = contentsOf(path, ADDED);
  for (const table of tableNames) expect(before[table].length > 0, table).toBe(!ADDED_TABLES.includes(table));
  const db = await openDatabase(path);
  expect(contentsOf(path)).toEqual(before);
  expect(file.prepare('select rowid from image_search where image_search match ?').pluck().all('u1x00061')).toEqual([3]);
  file.close();
  const { id } = await db.as('job').write(async (queries) => {
    const row = await queries.selectFrom('images').selectAll().limit(1).executeTakeFirstOrThrow();
    const copy = { ...row, id: undefined, key: 'aaaaaaaaaaaa', slug: null };
    return queries.insertInto('images').values(copy).returning('id').executeTakeFirstOrThrow();
  });
  // The sixth was deleted.
  expect(id).toBe(7);
  await db.close();
  expect(inspectDatabase(path)).toEqual(inspectDatabase(await fresh()));
});

it('indexes all its pictures again, whose dates of upload the index lacks', async () => {
  const path = former();
  const file = new Sqlite(path);
  file.exec('delete from image_search_queue');
  await (await openDatabase(path)).close();
  const all = file.prepare('select id from images order by id').pluck().all();
  expect(all.length).toBeGreaterThan(1);
  expect(file.prepare('select image_id from image_search_queue order by image_id').pluck().all()).toEqual(all);
  file.close();
});

it('serves the same links, lists and searches from it', async () => {
  const path = former();
  const folder = dirname(path);
  const bytes = Array.from({ length: 5 }, (_, index) => tinyPng(index + 1));
  for (const content of bytes) {
    const sha256 = hash('sha256', content);
    mkdirSync(join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4)), { recursive: true });
    writeFileSync(join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256), content);
  }
  const { context, url, close } = await openTestContext(folder);
  try {
    const { secret } = await createToken(context.db.as('job'), 1, { name: 'test', scope: 'full', expiresIn: 0 });
    const client = createClient({ baseUrl: url, token: secret });
    await updateSearch(context.db.as('job'));
    const names = async (query: object) => (await client.call(listImages, { query })).items.map(({ name }) => name);
    expect(await names({})).toEqual(['limited.png', '北京风景.png', 'Sonne.png', 'sent.png']);
    expect(await names({ q: '风景' })).toEqual(['北京风景.png']);
    expect(await names({ q: 'harbour' })).toEqual(['Sonne.png']);
    expect(await names({ tag: '旅行' })).toEqual(['Sonne.png']);
    expect((await client.call(listTags, { query: {} })).items.map(({ tag }) => tag).sort()).toEqual(['travel', '旅行']);
    const rows = await context.db.read
      .selectFrom('images')
      .select(['key', 'sha256', 'visibility', 'deleted_at', 'password_hash'])
      .execute();
    for (const { key, sha256, visibility, deleted_at, password_hash } of rows) {
      const response = await fetch(`${url}/i/${key}.png`, { headers: password_hash ? { 'x-image-password': 'sesame' } : {} });
      expect([key, response.status]).toEqual([key, deleted_at || visibility === 'private' ? 404 : 200]);
      if (response.ok) expect(hash('sha256', await contentOf(response))).toBe(sha256);
    }
    expect((await fetch(`${url}/i/sesame.png`, { headers: { 'x-image-password': 'sesame' } })).status).toBe(200);
  } finally {
    await close();
  }
});

it.each([
  ['without its last step', "delete from kysely_migration where name = '351-former-slugs'"],
  ['after its first step', "delete from kysely_migration where name <> '001-spine'"],
  ['with a step that it never had', "insert into kysely_migration values ('352-other', '2026')"],
])('refuses a development version %s, and leaves it as it is', async (_what, change) => {
  const path = former();
  const db = new Sqlite(path);
  db.exec(change);
  db.close();
  const before = [inspectDatabase(path), contentsOf(path)];
  await expect(openDatabase(path)).rejects.toThrow('early development version of Pixdock');
  expect([inspectDatabase(path), contentsOf(path)]).toEqual(before);
});

it('changes nothing when taking over fails', async () => {
  const path = former();
  const db = new Sqlite(path);
  // After others have been renamed.
  db.exec('create table former_webhooks (id integer)');
  const before = [inspectDatabase(path), contentsOf(path)];
  await expect(openDatabase(path)).rejects.toThrow('former_webhooks');
  expect([inspectDatabase(path), contentsOf(path)]).toEqual(before);
  db.exec('drop table former_webhooks');
  db.close();
  await (await openDatabase(path)).close();
});

it('creates the groups of a new installation with their defaults', async () => {
  const db = await openDatabase(await fresh());
  const groups = await db.read.selectFrom('groups').selectAll().orderBy('id').execute();
  await db.close();
  expect(groups).toMatchObject(GROUP_DEFAULTS);
});

/** A step that adds a column, and how often it ran. */
function oneMoreStep() {
  const ran: string[] = [];
  const up = async (db: Kysely<unknown>) => {
    ran.push('900-colours');
    await db.schema.alterTable('albums').addColumn('colour', 'text').execute();
  };
  return { ran, steps: { ...STEPS, '900-colours': { up } } };
}

async function migrated(path: string, steps: Parameters<typeof migrate>[1]) {
  const { writer, close } = await engineFor(path).open(path);
  try {
    await migrate(writer, steps);
  } finally {
    await close();
  }
}

it('runs a later step once on a database that exists, and never on a new one, which has its changes', async () => {
  const { ran, steps } = oneMoreStep();
  const path = await fresh();
  await migrated(path, steps);
  await migrated(path, steps);
  expect(ran).toEqual(['900-colours']);
  await migrated(join(temporaryFolder(), 'new.db'), steps);
  expect(ran).toEqual(['900-colours']);
  await expect(openDatabase(path)).rejects.toThrow('newer version of Pixdock');
});

it('changes nothing when a step is interrupted, and can be repeated', async () => {
  const { steps } = oneMoreStep();
  const path = await fresh();
  const before = inspectDatabase(path);
  const fail = async () => Promise.reject(new Error('interrupted'));
  await expect(migrated(path, { ...steps, '901-fails': { up: fail } })).rejects.toThrow('interrupted');
  expect(inspectDatabase(path)).toEqual(before);
  await migrated(path, steps);
});

it('recognises the same tables, whether a step has added a column or not', () => {
  const schemas = [
    ['create table "t" ("id" integer primary key, "b" text default \'a,(b\', "c" integer, constraint "k" unique ("b", "c"))'],
    [
      'create table "t" ("id" integer primary key, "c" integer,\n "b" text default \'a,(b\', constraint "k" unique ("b", "c"))',
      'create table "other" (id)',
      'drop table "other"',
    ],
    [
      'create table "t" ("id" integer primary key, "c" integer, constraint "k" unique ("c"))',
      'alter table "t" add column "b" text default \'a,(b\'',
    ],
  ].map((statements) => {
    const path = join(temporaryFolder(), 'x.db');
    const db = new Sqlite(path);
    for (const statement of statements) db.exec(statement);
    db.close();
    return inspectDatabase(path);
  });
  expect(schemas[1]).toEqual(schemas[0]);
  expect(schemas[2]).not.toEqual(schemas[0]);
});

it('brings the tables of 0.5 to what a new database has', async () => {
  const path = join(temporaryFolder(), 'pixdock.db');
  const db = new Sqlite(path);
  db.pragma('synchronous = OFF');
  db.exec(readFileSync(join(import.meta.dirname, '../../../fixtures/database/0.5.sql'), 'utf8'));
  db.close();
  await (await openDatabase(path)).close();
  expect(inspectDatabase(path)).toEqual(inspectDatabase(await fresh()));
});
