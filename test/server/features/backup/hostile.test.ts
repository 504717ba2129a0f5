import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { extract, type Header, pack } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { getBackups } from '#api/admin/backup.ts';
import { tableNames } from '#server/platform/db/schema/tables.ts';
import { contentOf } from '#test/helpers/network/content.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { FORMER_STEPS, writeFormerDatabase } from '#test/helpers/service/data/former-database.ts';
import { startFileService } from '#test/helpers/service/file-service.ts';
import { uploadImage } from '#test/helpers/service/service.ts';

interface File {
  header: Partial<Header> & { name: string };
  body: Buffer;
}

const { service, owner } = await startFileService();
const token = await owner.token('upload');
for (let seed = 1; seed <= 3; seed++) await uploadImage(service, token, await photoJpeg({ width: 90, height: 60, seed }));
const archive = await contentOf(owner.fetch('/api/v1/admin/backup/stream'));
const files: File[] = [];
for await (const entry of Readable.from([archive]).pipe(extract()))
  files.push({ header: { name: entry.header.name }, body: await buffer(entry) });
const secrets = readFileSync(join(service.dataDir, 'secrets.json'), 'utf8');

const file = (name: string, body: Buffer | string = 'x', header: Partial<Header> = {}): File => ({
  header: { name, ...header },
  body: Buffer.from(body),
});
const find = (name: string) => files.find(({ header }) => header.name === name) as File;
const blobs = () => files.filter(({ header }) => header.name.startsWith('blobs/'));
const replace = (name: string, body: Buffer | string) => files.map((one) => (one.header.name === name ? file(name, body) : one));
const without = (name: string) => files.filter(({ header }) => header.name !== name);
const beforeEnd = (...added: File[]) => [...files.slice(0, -1), ...added, ...files.slice(-1)];

async function toTar(list: File[]): Promise<Buffer> {
  const tar = pack();
  for (const { header, body } of list) tar.entry(header, header.type && header.type !== 'file' ? Buffer.alloc(0) : body);
  tar.finalize();
  return buffer(tar);
}

const ELSEWHERE = `${'../'.repeat(20)}etc/hostname`;

/** Makes a row refer to a file outside the storage. */
const outside = (table: 'images' | 'blobs') =>
  `update ${table} set sha256 = '${ELSEWHERE}' where rowid = (select min(rowid) from ${table})`;

const setting = (name: string, value: string) => `insert or replace into settings values ('${name}', '${value}')`;

/** Two more accounts. */
const USERS = [71, 72]
  .map(
    (id) => `insert into users (id, username, username_key, email_source, role, is_owner, group_id, created_at)
    values (${id}, 'user${id}', 'user${id}', 'admin', 'user', 0, 2, 0);`,
  )
  .join('');

const DELIVERY = `insert into webhooks (id, name, url, events, secret, enabled, created_at) values (1, 'x', 'https://x.example', '[]', 'x', 0, 0);
  insert into webhook_deliveries (webhook_id, message_id, type, data, state, next_attempt_at, created_at)
  values (1, 'x', 'image.created', '[', 'failed', 0, 0)`;

/** The manifest with some values changed. */
function manifest(change: (values: Record<string, unknown> & { blobs: { count: number; bytes: number } }) => object): File[] {
  const values = JSON.parse(String(find('manifest.json').body));
  return replace('manifest.json', JSON.stringify(change(values)));
}

/** An archive with a database changed by SQL and a matching manifest. */
function withDatabase(change: string): File[] {
  const path = join(temporaryFolder(), 'x.db');
  writeFileSync(path, find('pixdock.db').body);
  const db = new Sqlite(path).unsafeMode();
  db.pragma('writable_schema = ON');
  db.pragma('foreign_keys = OFF');
  db.exec(change);
  db.close();
  return withDatabaseBytes(readFileSync(path));
}

function withDatabaseBytes(bytes: Buffer): File[] {
  const list = manifest((values) => ({ ...values, database: { sha256: hash('sha256', bytes), size: bytes.length } }));
  return list.map((one) => (one.header.name === 'pixdock.db' ? file('pixdock.db', bytes) : one));
}

const restore = (body: Uint8Array) =>
  owner.fetch('/api/v1/admin/restore', { method: 'POST', headers: { 'content-type': 'application/x-tar' }, body: new Uint8Array(body) });

async function expectRefusal(body: Uint8Array, status = 400) {
  const response = await restore(body);
  const { message, data } = await response.json();
  expect([response.status, data.code, message]).toEqual([
    status,
    status === 400 ? 'invalid_request' : 'storage_full',
    expect.stringMatching(/^[A-Z].{20,200}\.$/),
  ]);
  expect(message).not.toContain(service.dataDir);
  // The archive leaves nothing behind and changes nothing.
  expect(existsSync(join(service.dataDir, 'restore'))).toBe(false);
  expect((await owner.client.call(getBackups, {})).restore).toBeNull();
  expect(readFileSync(join(service.dataDir, 'secrets.json'), 'utf8')).toBe(secrets);
  expect(existsSync(join(service.dataDir, '..', 'evil'))).toBe(false);
  return message as string;
}

it('accepts the archive that the others are made from', async () => {
  expect((await restore(await toTar(files))).status).toBe(200);
  expect((await owner.fetch('/api/v1/admin/restore', { method: 'DELETE' })).status).toBe(200);
});

/** The same rows in a database as the last development version before 0.5 left it. */
function former(change = ''): File[] {
  const path = join(temporaryFolder(), 'former.db');
  const current = join(temporaryFolder(), 'current.db');
  writeFileSync(current, find('pixdock.db').body);
  writeFormerDatabase(path, (db) => {
    db.exec(`attach '${current}' as current`);
    // Later steps add tables and columns.
    for (const table of tableNames) {
      const columns = db.prepare("select '\"' || name || '\"' from pragma_table_info(?)").pluck().all(table);
      if (columns.length === 0) continue;
      db.exec(`insert into "${table}" (${columns}) select ${columns} from current."${table}"`);
    }
    db.exec(`${FORMER_STEPS} detach current; ${change}`);
  });
  return withDatabaseBytes(readFileSync(path));
}

it('accepts a backup of the last development version, of which it takes only the rows, and none of an older one', async () => {
  const trigger = 'create trigger "e""v.il" after insert on sessions begin delete from users; end';
  expect((await restore(await toTar(former(trigger)))).status).toBe(200);
  expect((await owner.fetch('/api/v1/admin/restore', { method: 'DELETE' })).status).toBe(200);
  expect(await expectRefusal(await toTar(former("delete from kysely_migration where name > '3'")))).toMatch(/early development version/);
  expect(await expectRefusal(await toTar(former('create table evil (id)')))).toMatch(/unexpected objects/);
});

it("refuses files that aren't archives, and an archive cut off anywhere", async () => {
  for (const body of ['', 'x', '{"a": 1}', 'PK\x03\x04'.repeat(500), '\0'.repeat(20_000)]) await expectRefusal(Buffer.from(body));
  for (let tenth = 1; tenth <= 9; tenth++) await expectRefusal(archive.subarray(0, Math.floor((archive.length * tenth) / 10)));
});

/** Tests that each archive is refused with its reason. */
function refuses(cases: readonly [string, () => File[], RegExp][]) {
  it.each(cases)('refuses %s', async (_what, list, reason) => {
    expect(await expectRefusal(await toTar(list()))).toMatch(reason);
  });
}

describe('an archive with other entries than a backup has', () => {
  refuses([
    ['a path that leads out', () => beforeEnd(file('../evil')), /isn’t part of a backup/],
    ['a path that leads out of the blobs', () => beforeEnd(file('blobs/1/../../../evil')), /isn’t part of a backup/],
    ['an absolute path', () => beforeEnd(file('/tmp/evil')), /isn’t part of a backup/],
    ['a Windows path', () => beforeEnd(file('C:\\evil')), /isn’t part of a backup/],
    [
      'a symbolic link',
      () => beforeEnd(file(`blobs/1/${'ab'.repeat(32)}`, '', { type: 'symlink', linkname: '/etc/passwd' })),
      /contains a symlink/,
    ],
    ['a hard link', () => beforeEnd(file('x', '', { type: 'link', linkname: 'secrets.json' })), /contains a link/],
    ['a folder', () => beforeEnd(file('blobs', '', { type: 'directory' })), /contains a directory/],
    ['a device', () => beforeEnd(file('x', '', { type: 'character-device' })), /contains a character-device/],
    ['a file that does not belong there', () => beforeEnd(file('thumbs/x')), /isn’t part of a backup/],
    ['a name with control characters', () => beforeEnd(file('a\u001b[31m\nb')), /“a\?\[31m\?b”/],
  ]);
});

describe('an archive that is damaged, incomplete or inconsistent', () => {
  refuses([
    ['a blob twice', () => manifest((m) => ({ ...m, blobs: { count: 9, bytes: 1e6 } })).toSpliced(-1, 0, blobs()[0] as File), /twice/],
    ['the database twice', () => beforeEnd(find('pixdock.db')), /twice/],
    ['a blob that does not match its name', () => replace(blobs()[0]?.header.name as string, 'other'), /damaged/],
    ['a changed database', () => replace('pixdock.db', Buffer.from(find('pixdock.db').body).fill(1, 5000, 5010)), /damaged/],
    ['more pictures than announced', () => beforeEnd(file(`blobs/1/${hash('sha256', 'x')}`)), /more pictures/],
    ['a picture missing', () => without(blobs()[0]?.header.name as string), /incomplete/],
    [
      'a picture missing, and the end forged',
      () => without(blobs()[0]?.header.name as string).map(forgeEnd),
      /listed in its database are missing/,
    ],
    ['no end', () => without('end.json'), /incomplete/],
    ['something after its end', () => [...files, file('x')], /data after its end/],
    [
      'a manifest that announces no bytes',
      () => manifest((m) => ({ ...m, blobs: { ...m.blobs, bytes: 0 } })),
      /larger than its manifest says/,
    ],
  ]);
});

describe('the manifest and the secrets', () => {
  refuses([
    ['no manifest', () => without('manifest.json'), /manifest/],
    ['a manifest of a later format', () => manifest((m) => ({ ...m, format_version: 2 })), /newer version/],
    ['an invalid manifest', () => replace('manifest.json', '[]'), /manifest/],
    ['no database', () => without('pixdock.db'), /incomplete/],
    ['no secrets', () => without('secrets.json'), /incomplete/],
    ['invalid secrets', () => secretsAre('{"master": 1}'), /secrets/],
    ['secrets of 100 MB', () => manifest((m) => ({ ...m, secrets: { sha256: hash('sha256', ''), size: 1e8 } })), /secrets/],
  ]);
});

describe('the structure of the database', () => {
  refuses([
    ['a file that is not a database', () => withDatabaseBytes(Buffer.from('no database'.repeat(1000))), /damaged/],
    ["another program's database", () => withDatabaseBytes(otherDatabase()), /isn’t from Pixdock|unexpected objects/],
  ]);

  it.each([
    ['a migration of a later version', "insert into kysely_migration values ('999-later', '2099')", /newer version/],
    ['a trigger', "create trigger evil after insert on sessions begin update users set role = 'admin'; end", /unexpected objects/],
    [
      'another trigger of the same name',
      "drop trigger images_deleted; create trigger images_deleted after delete on images begin update users set role = 'admin'; end",
      /unexpected objects/,
    ],
    ['a view', 'drop table sessions; create view sessions as select 1', /unexpected objects|isn’t from/],
    ['another column', "alter table users add column evil text default 'x'", /unexpected objects/],
    [
      'a column of another type',
      "update sqlite_schema set sql = replace(sql, '\"scope\" text', '\"scope\" blob') where name = 'tokens'",
      /unexpected objects/,
    ],
    [
      'an index of the same name on other columns',
      'drop index tokens_by_user; create index tokens_by_user on tokens (name)',
      /unexpected objects/,
    ],
    ['an index over an expression', 'create index evil on users (abs(id))', /unexpected objects/],
    ['a table of the same name for migrations', 'alter table kysely_migration_lock add column evil text', /unexpected objects/],
  ])('refuses %s', async (_what, change, reason) => {
    expect(await expectRefusal(await toTar(withDatabase(change)))).toMatch(reason);
  });
});

describe('the rows of the database', () => {
  it.each([
    [
      'a picture without a storage policy',
      'update images set policy_id = 99',
      /its table “images” isn’t valid \(a row refers to one in “policies” that/,
    ],
    ['a delivery that is not JSON', DELIVERY, /its table “webhook_deliveries” isn’t valid \(data: it isn’t valid JSON\)/],
    ['a password hash that cannot be checked', "update users set password_hash = 'x'", /its table “users” isn’t valid \(password_hash: /],
    ['a group with a storage policy that does not exist', "update groups set policy_ids = '[99]'", /“groups” isn’t valid \(policy_ids: /],
    [
      'no group for guests',
      "update groups set kind = 'custom' where kind = 'guest'",
      /“groups” isn’t valid \(a built-in group is missing\)/,
    ],
    [
      'an owner who is about to be deleted',
      'insert into account_deletions select id, null, 0, 0 from users where is_owner = 1',
      /“account_deletions” isn’t valid \(it deletes an account that is in use\)/,
    ],
    [
      'another account that is about to be deleted, but in use',
      `${USERS} insert into account_deletions values (71, null, 0, 0)`,
      /it deletes an account that is in use/,
    ],
    [
      'accounts that would get each other’s pictures',
      `${USERS} update users set disabled_at = 1 where id > 70; insert into account_deletions values (71, 72, 0, 0), (72, 71, 0, 0)`,
      /“account_deletions” isn’t valid \(heir_id: this account is being deleted itself\)/,
    ],
    ['no owner', 'update users set is_owner = 0', /“users” isn’t valid \(it has no owner who can sign in\)/],
    ['an owner who is disabled', 'update users set disabled_at = 1', /it has no owner who can sign in/],
    ['an owner who may not administer', "update users set role = 'user'", /it has no owner who can sign in/],
    ['an owner whom no user name finds', "update users set username_key = 'other'", /it has no owner who can sign in/],
    [
      'pictures that move around in a circle',
      `insert into policies select 71, name, driver, config, keep_metadata, max_side, convert_to, quality, heic_to, cache_seconds, created_at from policies;
       insert into policy_moves values (1, 71, '', 0, 0, null), (71, 1, '', 0, 0, null)`,
      /“policy_moves” isn’t valid \(to_policy: pictures move away from this storage policy\)/,
    ],
    ['numbers that new rows cannot have', 'update sqlite_sequence set seq = 9223372036854775807', /“sqlite_sequence” isn’t valid/],
    ['pictures of another format', "update images set ext = 'html'", /pictures of an unknown format/],
    ['a setting of the wrong type', setting('site_name', '5'), /its settings aren’t valid/],
    ['an address that links cannot start with', setting('base_url', '"nonsense"'), /couldn’t start from it \(Links can’t start with/],
    [
      'storage policies that are not valid',
      "update policies set config = '['",
      /its table “policies” isn’t valid \(config: it isn’t valid JSON\)/,
    ],
    ['a setting that is not JSON', setting('former_hosts', '['), /its table “settings” isn’t valid \(value: it isn’t valid JSON\)/],
    [
      'a picture that is another file of the machine',
      outside('images'),
      /its table “images” isn’t valid \(sha256: it has the wrong format\)/,
    ],
  ])('refuses %s', async (_what, change, reason) => {
    expect(await expectRefusal(await toTar(withDatabase(change)))).toMatch(reason);
  });

  refuses([
    [
      'a blob that is another file of the machine',
      () => withDatabase(outside('blobs')).map(forgeMissing),
      /its table “blobs” isn’t valid \(sha256: it has the wrong format\)/,
    ],
  ]);
});

/** Lists the file as missing in the end marker. */
function forgeMissing(one: File): File {
  if (one.header.name !== 'end.json') return one;
  return file('end.json', JSON.stringify({ ...JSON.parse(String(one.body)), missing: [`1/${ELSEWHERE}`] }));
}

function forgeEnd(one: File): File {
  if (one.header.name !== 'end.json') return one;
  const end = JSON.parse(String(one.body));
  return file('end.json', JSON.stringify({ ...end, blobs: end.blobs - 1 }));
}

function secretsAre(text: string): File[] {
  const list = manifest((values) => ({ ...values, secrets: { sha256: hash('sha256', text), size: text.length } }));
  return list.map((one) => (one.header.name === 'secrets.json' ? file('secrets.json', text) : one));
}

function otherDatabase(): Buffer {
  const path = join(temporaryFolder(), 'x.db');
  const db = new Sqlite(path);
  db.exec('create table users (id integer); create table images (x)');
  db.close();
  return readFileSync(path);
}

it("refuses an archive that doesn't fit on the disk before writing it", async () => {
  await expectRefusal(await toTar(manifest((m) => ({ ...m, blobs: { count: 1, bytes: 2 ** 52 } }))), 507);
});

it("doesn't hold the oversized header of a hostile archive in memory", async () => {
  const hidden = Buffer.from((await toTar([file('PaxHeader', 'x')])).subarray(0, 512));
  const size = 3 * 1024 ** 3;
  hidden.write('x', 156);
  hidden.write(`${size.toString(8).padStart(11, '0')} `, 124);
  hidden.fill(' ', 148, 156);
  hidden.write(
    `${hidden
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const before = process.memoryUsage().rss;
  const body = Buffer.concat([hidden, Buffer.alloc(8 * 1024 * 1024, 'a')]);
  expect(await expectRefusal(body)).toMatch(/isn’t a Pixdock backup/);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

it('still works after all refusals', async () => {
  await service.restart();
  expect((await owner.fetch('/api/v1/images')).status).toBe(200);
  expect(readdirSync(service.dataDir)).not.toContain('replaced');
});
