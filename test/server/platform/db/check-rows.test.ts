import { copyFileSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { verify } from '@node-rs/argon2';
import Sqlite from 'better-sqlite3';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { API_PREFIX } from '#api/constants.ts';
import { hashPassword } from '#server/core/accounts/passwords.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { createOwner } from '#server/features/accounts/setup.ts';
import { findRowFault } from '#server/platform/db/check-rows.ts';
import { passwordHash } from '#server/platform/db/schema/columns.ts';
import { keyOf, TABLES, type TableName, tableNames } from '#server/platform/db/schema/tables.ts';
import { sentenceOf } from '#server/platform/http/errors/field-sentence.ts';
import { tinyPng } from '#test/helpers/pictures/tiny-png.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';
import { writeEmptyDatabase } from '#test/helpers/service/data/empty-database.ts';
import { uploadImage } from '#test/helpers/service/service.ts';
import { good, type Schema } from '#test/server/contract/inputs.ts';

type Row = Record<string, unknown>;

const ALBUM = 'aaaaaaaaaa';
const HASH = await hashPassword('secret');
/** The id of a request link, and of what was sent. */
const REQUEST = 'A'.repeat(22);
/** Each column can store one of these. */
const SAMPLES = [
  1,
  'jpg',
  '[]',
  '{}',
  ALBUM,
  REQUEST,
  'none',
  'aaaaaaaaaaaa',
  'a'.repeat(64),
  HASH,
  '2026-01-02',
  'user',
  'upload',
  'public',
  'pending',
  'local',
  'viewer',
  'waiting',
  '/u/a.png',
  'en',
];
/** What a forged row may contain, whatever its columns are declared as. */
const FORGED = [Buffer.from('x'), 1.5, 0, -1, 2 ** 40, 2 ** 53 - 1, '{}', '[]', '[', null, '', '\0\r\n\u{1f4a3}"<', 'x'.repeat(20_000)];

const folder = temporaryFolder(afterAll);
await writeEmptyDatabase(folder);
for (const page of globSync('renderer/*.html')) copyFileSync(page, join(folder, basename(page)));
/** How many accepted values of each column, the last ones, routes have to read. */
const ROUNDS = 1;

const opened = await openTestContext(folder);
afterAll(async () => {
  db.close();
  await opened.close();
});
const { context, url } = opened;
const owner = await createOwner(context.db.as('job'), { username: 'ada', email: null, password: null });
const { secret: token } = await createToken(context.db.as('job'), owner.id, { name: 'test', scope: 'full', expiresIn: 0 });
const { secret } = await context.db.as('job').write((queries) => openSession(queries, owner.id, { address: '', userAgent: '' }));
const image = await uploadImage(opened, token, tinyPng(1), { title: 'One' }, 'one.png');
const path = join(context.config.dataDir, 'pixdock.db');
const db = new Sqlite(path);
db.pragma('foreign_keys = OFF');
for (const { name } of db.prepare("select name from sqlite_schema where type = 'trigger'").all() as { name: string }[])
  db.exec(`drop trigger ${name}`);

const columnsOf = (table: TableName) => (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
const fault = () => findRowFault(path, sentenceOf);

/** A row of each table that has none. */
for (const table of tableNames) {
  if (db.prepare(`select 1 from "${table}"`).get()) continue;
  const schema = TABLES[table].check;
  const row: Row = { batch_id: 1, image_id: 1, field: 'tags', before: '[]', after: '[]' };
  if (schema instanceof z.ZodObject) {
    for (const name of Object.keys(row)) delete row[name];
    for (const [name, column] of Object.entries<z.ZodType>(schema.shape))
      row[name] = SAMPLES.find((sample) => column.safeParse(sample).success);
  }
  insert(table, row);
}

const document = await (await fetch(`${url}${API_PREFIX}/openapi.json`)).json();
const READS = Object.entries<Record<string, { parameters: { name: string; in: string; required: boolean; schema: Schema }[] }>>(
  document.paths,
).flatMap(([route, methods]) => {
  // A stream never ends.
  if (!methods.get || /\/(stream|events)$/.test(route)) return [];
  const query = methods.get.parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const id = route.includes('/r/') ? REQUEST : /albums|\/a\//.test(route) ? ALBUM : '1';
  const address = route
    .replace('{key}', image.key)
    .replace('{id}', id)
    .replace(/\{(request|file)\}/, REQUEST);
  return `${address.replace(/\{\w+\}/g, '1')}?${new URLSearchParams(query.map(({ name, schema }) => [name, String(good(schema))]))}`;
});
const PAGES = ['/', `/i/${image.key}.png`, `/t/${image.key}.png?w=400`, `/s/${image.key}`, `/a/${ALBUM}`, '/healthz'];

/** The requests that fail with the database as it is. */
async function failures(): Promise<string[]> {
  // The service doesn't notice what another connection writes.
  await context.db.as('note').write((queries) =>
    queries
      .updateTable('images')
      .set((row) => ({ views: row.ref('views') }))
      .execute(),
  );
  const failed: string[] = [];
  for (const address of [...READS, ...PAGES]) {
    const headers: Record<string, string> = address.startsWith('/metrics')
      ? { authorization: `Bearer ${token}` }
      : { cookie: `${SESSION_COOKIE}=${secret}` };
    // A pooled connection may have been closed while the test was busy.
    const response = await fetch(`${url}${address}`, { headers: { ...headers, connection: 'close' }, redirect: 'manual' });
    await response.arrayBuffer();
    if (response.status >= 500) failed.push(`${address}: ${response.status}`);
  }
  return failed;
}

/** Adds a row to a table. */
function insert(table: TableName, row: Row) {
  const names = Object.keys(row);
  db.prepare(`insert into "${table}" (${names.join()}) values (${names.map((name) => `@${name}`).join()})`).run(row);
}

/** Changes the first row of a table, until the result is disposed of. */
function store(table: TableName, values: Row) {
  const [first = {}, ...others] = db.prepare(`select * from "${table}"`).all() as Row[];
  const replace = (rows: Row[]) =>
    db.transaction(() => {
      db.exec(`delete from "${table}"`);
      for (const row of rows) insert(table, row);
      db.exec('update sqlite_sequence set seq = 1000');
    })();
  replace([{ ...first, ...values }, ...others]);
  return { [Symbol.dispose]: () => replace([first, ...others]) };
}

/** Whether a value can be stored at all, and is then accepted. */
async function isAccepted(table: TableName, name: string, value: unknown): Promise<boolean> {
  try {
    using _ = store(table, { [name]: value });
    // Most are refused by the schema alone, and reading the whole file takes a hundred times as long.
    const rows = db.prepare(`select * from "${table}"`).all();
    return rows.every((row) => TABLES[table].check.safeParse(row).success) && (await fault()) === undefined;
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT')) return false;
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_MISMATCH') return false;
    throw error;
  }
}

it('accepts sound rows of every table, which every route can read', async () => {
  expect(await fault()).toBeUndefined();
  expect(await failures()).toEqual([]);
});

it.each(tableNames.filter((table) => table !== 'leases'))('refuses rows of %s that a route cannot read', async (table) => {
  let refused = 0;
  const accepted: [name: string, values: unknown[]][] = [];
  for (const name of columnsOf(table)) {
    const values: unknown[] = [];
    for (const value of FORGED) if (await isAccepted(table, name, value)) values.unshift(value);
    refused += FORGED.length - values.length;
    // With other keys, routes wouldn't find the row.
    if (![...keyOf(table), 'key', 'owner_id', 'user_id', 'secret_hash'].includes(name)) accepted.push([name, values]);
  }
  for (let round = 0; round < ROUNDS; round++) {
    const row = Object.fromEntries(accepted.filter(([, values]) => round < values.length).map(([name, values]) => [name, values[round]]));
    using _ = store(table, row);
    expect(await failures(), `${table} with ${JSON.stringify(row).slice(0, 500)}`).toEqual([]);
  }
  expect(refused).toBeGreaterThan(0);
  expect(await fault()).toBeUndefined();
});

it('accepts no password hash that cannot be checked', async () => {
  const forged = [
    '',
    'x',
    HASH.slice(0, -1),
    `${HASH.slice(0, -1)}B`,
    `${HASH}A`,
    HASH.replace('p=1', 'p=0'),
    HASH.replace('m=8', 'm=7'),
    HASH.replace('m=8', 'm=4194304'),
    HASH.replace('v=19', 'v=18'),
    HASH.replace('argon2id', 'argon2x'),
  ];
  for (const hash of forged)
    expect(passwordHash.check.safeParse(hash).success && (await verify(hash, 'secret').catch(() => 'unreadable')), hash).toBe(false);
  expect(passwordHash.check.safeParse(HASH).success).toBe(true);
});
