import { expect, it } from 'vitest';
import { ALBUM_COUNTS } from '#server/platform/db/album-counts.ts';
import { openDatabase, openUnmigrated } from '#server/platform/db/database.ts';
import { temporaryFolder } from '#test/helpers/programs/folder.ts';
import { newPostgresDatabase } from '#test/helpers/service/data/database.ts';
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
  await runOn(
    server.databaseUrl,
    "delete from kysely_migration where name = '230-album-counts'",
    ...['album_grown', 'album_shrunk', 'album_changed'].map((trigger) => `drop function ${trigger}() cascade`),
    ...ALBUM_COUNTS.map((column) => `alter table albums drop column ${column}`),
  );
  await expect(runMigration({ dataDir }, server)).rejects.toThrow('data from another version of Pixdock');
  const { read, close } = await openUnmigrated(server.databaseUrl);
  const albums = (await read.introspection.getTables()).find(({ name }) => name === 'albums');
  expect(albums?.columns.map(({ name }) => name)).not.toContain(ALBUM_COUNTS[0]);
  await close();
});
