import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase, openUnmigrated } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { newPostgresDatabase } from '#test/helpers/service/data/database.ts';
import { FORMER_STEPS, writeFormerDatabase, writeFormerTo } from '#test/helpers/service/data/former-database.ts';
import { looksOf } from '#test/helpers/service/data/looks.ts';
import { digests, runMigration, startLibrary } from '#test/helpers/service/data/migrating.ts';
import { runOn } from '#test/helpers/service/data/postgres-server.ts';
import { newSession } from '#test/helpers/service/log-in.ts';
import { OWNER, startTestService } from '#test/helpers/service/service.ts';

it('copies a server to a database server and back: the same rows, numbers, links and bytes', async () => {
  const { service, images, looks } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const before = await digests({ dataDir });
  const server = { dataDir, databaseUrl: await newPostgresDatabase() };
  expect(await runMigration({ dataDir }, server)).toMatchObject({ images: 4, files: 0, lost: 0, steps: ['rows', 'check'] });
  expect(await digests(server)).toEqual(before);
  expect(await digests({ dataDir })).toEqual(before);

  const back = { dataDir: temporaryFolder() };
  expect(await runMigration(server, back)).toMatchObject({
    images: 4,
    files: expect.any(Number),
    lost: 0,
    steps: ['rows', 'files', 'check'],
  });
  expect(await digests(back)).toEqual(before);

  for (const place of [server, back]) {
    await using started = await startTestService({ databaseUrl: undefined, ...place });
    const [open, locked] = images;
    expect((await fetch(`${started.url}/i/${open?.key}.jpg`)).status).toBe(200);
    const headers = { 'x-image-password': 'sesame' };
    expect((await fetch(`${started.url}/i/${locked?.key}.jpg`, { headers })).status).toBe(200);
    expect(await looksOf(await newSession(started, OWNER.username, OWNER.password))).toEqual(looks);
    await started.stop();
    const db = await openDatabase(place === server ? server.databaseUrl : `${back.dataDir}/pixdock.db`);
    const row = await db.read.selectFrom('images').selectAll().limit(1).executeTakeFirstOrThrow();
    const copy = { ...row, id: undefined, key: 'another' };
    const { id } = await db
      .as('job')
      .write((queries) => queries.insertInto('images').values(copy).returning('id').executeTakeFirstOrThrow());
    // Five pictures came before it, of which the last one was deleted.
    expect(id).toBe(6);
    await db.close();
  }
});

it('refuses to run while a service uses the database on another machine', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const server = { dataDir, databaseUrl: await newPostgresDatabase() };
  await runMigration({ dataDir }, server);
  const running = await startTestService(server);
  const elsewhere = { dataDir: temporaryFolder(), databaseUrl: server.databaseUrl, secrets: `${dataDir}/secrets.json` };
  await expect(runMigration(elsewhere, { dataDir: temporaryFolder() })).rejects.toThrow('A Pixdock service is using the database');
  await running.stop();
});

it('resumes after an interruption, and doesn’t start with an incomplete database meanwhile', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const server = { dataDir, databaseUrl: await newPostgresDatabase() };
  const stop = new AbortController();
  let calls = 0;
  const stopping = () => void (++calls === 40 && stop.abort(new Error('stopped')));
  await expect(runMigration({ dataDir }, server, 'unchanged', stop.signal, stopping)).rejects.toThrow('stopped');
  await expect(openDatabase(server.databaseUrl)).rejects.toThrow('This database is incomplete');
  await expect(runMigration({ dataDir }, server, 'data-folder')).rejects.toThrow('from another source or with other options');
  await runMigration({ dataDir }, server);
  expect(await digests(server)).toEqual(await digests({ dataDir }));
  await expect(runMigration({ dataDir }, server)).rejects.toThrow('already contains accounts or pictures');
});

it('leaves a database of another version of Pixdock as it is', async () => {
  const { service } = await startLibrary();
  await using _ = service;
  const { dataDir } = service;
  const server = { dataDir, databaseUrl: await newPostgresDatabase() };
  await runMigration({ dataDir }, server);
  await runOn(server.databaseUrl, 'delete from kysely_migration', FORMER_STEPS);
  await expect(runMigration({ dataDir }, server)).rejects.toThrow('data from another version of Pixdock');
  const { read, close } = await openUnmigrated(server.databaseUrl);
  expect(
    await read
      .selectFrom('kysely_migration' as 'settings')
      .select('name')
      .where('name', '=', '001-spine')
      .execute(),
  ).toHaveLength(1);
  await close();
});

/** The parts of a schema that PostgreSQL lists, in a stable order. */
async function schemaOf(url: string) {
  const { read, close } = await openUnmigrated(url);
  const texts = async (query: string) => (await sql.raw<{ text: string }>(query).execute(read)).rows.map(({ text }) => text).sort();
  const parts = {
    columns:
      await texts(`select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity) as text
      from information_schema.columns where table_schema = 'public'`),
    constraints: await texts(`select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`),
    indexes: await texts(`select indexdef as text from pg_indexes where schemaname = 'public'`),
    triggers: await texts('select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal'),
    functions: await texts(`select concat_ws(' ', proname, regexp_replace(prosrc, '\\s+', ' ', 'g')) as text
      from pg_proc where pronamespace = 'public'::regnamespace`),
  };
  await close();
  return parts;
}

it('takes over a database of the last development version: the same rows and numbers, in the tables of a new one', async () => {
  const databaseUrl = await newPostgresDatabase();
  const expected = await schemaOf(databaseUrl);
  expect(expected.triggers).toHaveLength(17);
  await runOn(databaseUrl, 'drop schema public cascade', 'create schema public');
  await writeFormerTo(databaseUrl);
  const path = join(temporaryFolder(), 'pixdock.db');
  writeFormerDatabase(path);
  // Two services at once.
  const opened = await Promise.all([openDatabase(databaseUrl), openDatabase(databaseUrl)]);
  expect(await digests({ dataDir: '', databaseUrl })).toEqual(await digests({ dataDir: dirname(path) }));
  const row = await opened[0].read.selectFrom('images').selectAll().limit(1).executeTakeFirstOrThrow();
  const { id } = await opened[0].as('job').write((queries) =>
    queries
      .insertInto('images')
      .values({ ...row, id: undefined, key: 'aaaaaaaaaaaa', slug: null })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  expect(id).toBe(7);
  for (const db of opened) await db.close();
  expect(await schemaOf(databaseUrl)).toEqual(expected);
});

it('refuses an older development version', async () => {
  const databaseUrl = await newPostgresDatabase();
  await runOn(databaseUrl, 'delete from kysely_migration', FORMER_STEPS, "delete from kysely_migration where name = '351-former-slugs'");
  await expect(openDatabase(databaseUrl)).rejects.toThrow('early development version of Pixdock');
});
