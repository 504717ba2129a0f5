import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createClient } from '#api/client.ts';
import { listImages, listTags } from '#api/images/images.ts';
import { createToken } from '#server/core/accounts/tokens.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { GROUP_DEFAULTS } from '#server/platform/db/group-defaults.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { openTestContext } from '#test/helpers/service/data/context.ts';

/** Created with only the first schema step: an owner with an album, two pictures and one in the trash. */
const OLD = join(import.meta.dirname, '../../../fixtures/database/001-base-tables.db');

it('migrates a database of an older version without losing data', async () => {
  const folder = temporaryFolder();
  copyFileSync(OLD, join(folder, 'pixdock.db'));
  const { context, url, close } = await openTestContext(folder);
  try {
    const { secret } = await createToken(context.db.as('job'), 1, { name: 'test', scope: 'full', expiresIn: 0 });
    const client = createClient({ baseUrl: url, token: secret });
    const names = async (query: object) => (await client.call(listImages, { query })).items.map(({ name }) => name);
    expect(await names({})).toEqual(['Sonne.png', '北京风景.jpg']);
    expect(await names({ q: '风景' })).toEqual(['北京风景.jpg']);
    expect(await names({ tag: '旅行' })).toEqual(['Sonne.png']);
    expect(await names({ album_id: 'AAAAAAAAAA' })).toEqual(['北京风景.jpg']);
    expect((await client.call(listTags, { query: {} })).items).toEqual([{ tag: '旅行', image_count: 1 }]);
  } finally {
    await close();
  }
});

it('ends the deletion links of disabled accounts, and no others', async () => {
  const nonces = [];
  for (const disabled_at of [null, 1]) {
    const path = join(temporaryFolder(), 'pixdock.db');
    copyFileSync(OLD, path);
    const old = new Sqlite(path);
    old.prepare('update users set disabled_at = ?').run(disabled_at);
    old.close();
    const db = await openDatabase(path);
    nonces.push((await db.read.selectFrom('images').select('deletion_nonce').execute()).map((row) => row.deletion_nonce));
    await db.close();
  }
  expect(nonces).toEqual([
    [0, 0, 0],
    [1, 1, 1],
  ]);
});

it('limits the storage of all guests, but not below what they use', async () => {
  const folder = temporaryFolder();
  const quotas = [];
  for (const used of [0, 4 * 1024 ** 3]) {
    const path = join(folder, `${used}.db`);
    copyFileSync(OLD, path);
    const old = new Sqlite(path);
    if (used) old.prepare('update images set owner_id = null, size = ? where id = (select min(id) from images)').run(used);
    old.close();
    const db = await openDatabase(path);
    quotas.push(await db.read.selectFrom('groups').select('storage_quota_bytes').where('kind', '=', 'guest').executeTakeFirstOrThrow());
    await db.close();
  }
  expect(quotas).toEqual([{ storage_quota_bytes: 5 * 1024 ** 3 }, { storage_quota_bytes: 8 * 1024 ** 3 }]);
});

it('creates the groups of a new installation with their defaults', async () => {
  const db = await openDatabase(join(temporaryFolder(), 'new.db'));
  const groups = await db.read.selectFrom('groups').selectAll().orderBy('id').execute();
  await db.close();
  expect(groups).toMatchObject(GROUP_DEFAULTS);
});

it('produces the same schema as a new database', async () => {
  const folder = temporaryFolder();
  copyFileSync(OLD, join(folder, 'old.db'));
  const schemas = [];
  for (const name of ['old.db', 'new.db']) {
    const db = await openDatabase(join(folder, name));
    schemas.push(await db.read.introspection.getTables({ withInternalKyselyTables: true }));
    await db.close();
  }
  expect(schemas[0]).toEqual(schemas[1]);
});

it('changes nothing when it is interrupted, and can be repeated', async () => {
  const path = join(temporaryFolder(), 'pixdock.db');
  await (await openDatabase(path)).close();
  const db = new Sqlite(path);
  const columns = () => (db.pragma('table_info(oidc_providers)') as { name: string }[]).map(({ name }) => name);
  // The first of this step's two statements succeeds, the second fails.
  db.exec("alter table oidc_providers drop column trust_email; delete from kysely_migration where name >= '130'");
  await expect(openDatabase(path)).rejects.toThrow('duplicate column name: allowed_tenants');
  expect(columns()).not.toContain('trust_email');
  db.close();
});
