import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, inject, it, onTestFinished } from 'vitest';
import { announce, type Database, openDatabase } from '#server/platform/db/database.ts';
import { databaseFault } from '#server/platform/db/dialect.ts';
import { newPostgresDatabase } from '#test/helpers/service/data/database.ts';
import { PostgresServer, runOn } from '#test/helpers/service/data/postgres-server.ts';
import { setUp, startTestService } from '#test/helpers/service/service.ts';

/** What happens to the next message from the client that contains a text. */
type Cut = 'before' | 'after';

/**
 * A proxy in front of a database server that breaks a connection once: before a message reaches the server, or after the server has
 * responded to it, whose response is lost.
 */
async function startCuttingProxy(target: string) {
  const { hostname, port } = new URL(target);
  let wanted: { text: string; cut: Cut } | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(Number(port), hostname);
    let isLost = false;
    const end = () => [client, onward].forEach((socket) => void socket.destroy());
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (bytes) => {
      const isWanted = wanted !== undefined && bytes.includes(wanted.text);
      if (isWanted && wanted?.cut === 'before') end();
      else onward.write(bytes);
      if (!isWanted) return;
      isLost = true;
      wanted = undefined;
    });
    onward.on('data', (bytes) => (isLost ? end() : client.write(bytes)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    /** Breaks the connection at the next message that contains `text`. */
    cutAt(text: string, cut: Cut) {
      wanted = { text, cut };
    },
    /** Whether it hasn't happened yet. */
    isWaiting: () => wanted !== undefined,
  };
}

async function open(url: string): Promise<Database> {
  const db = await openDatabase(url);
  onTestFinished(() => db.close());
  return db;
}

/** Adds a row; run twice, it would add two. */
const add = (db: Database, name: string) =>
  db
    .as('job')
    .write((queries) =>
      queries
        .insertInto('audit')
        .values({ at: 1, actor_id: null, actor_name: '', action: 'test', target: name, details: '{}', address: '', user_agent: '' })
        .execute(),
    );
const added = async (db: Database) =>
  (await db.read.selectFrom('audit').select('target').where('action', '=', 'test').orderBy('target').execute()).map(({ target }) => target);

const endConnections = (url: string) =>
  runOn(url, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');

it('survives the end of its connections, idle or busy, and runs nothing twice', async () => {
  const url = await newPostgresDatabase();
  const db = await open(url);
  await endConnections(url);
  expect(await added(db)).toEqual([]);
  await endConnections(url);
  const names = Array.from({ length: 200 }, (_, index) => String(index).padStart(3, '0'));
  const results = Promise.all(names.map((name) => add(db, name)));
  await endConnections(url);
  await results;
  expect(await added(db)).toEqual(names);
});

it.each(['before', 'after'] as const)('looks up the outcome when the connection breaks %s the commit', async (cut) => {
  const proxy = await startCuttingProxy(await newPostgresDatabase());
  const db = await open(proxy.url);
  let runs = 0;
  proxy.cutAt('; commit', cut);
  await db.as('job').write(async (queries) => {
    runs++;
    await queries.insertInto('settings').values({ name: 'once', value: '1' }).execute();
  });
  expect([proxy.isWaiting(), runs]).toEqual([false, cut === 'before' ? 2 : 1]);
  expect(await db.read.selectFrom('settings').select('name').where('name', '=', 'once').execute()).toHaveLength(1);
});

it('runs units again after a serialisation failure, including those that shared its commit', async () => {
  const db = await open(await newPostgresDatabase());
  let runs = 0;
  const conflicting = db.as('job').write(async (queries) => {
    if (++runs === 1) await sql`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`.execute(queries);
    return runs;
  });
  await Promise.all([add(db, 'a'), conflicting, add(db, 'b')]);
  expect([await conflicting, await added(db)]).toEqual([2, ['a', 'b']]);
});

it('runs the units of several processes one after another', async () => {
  const url = await newPostgresDatabase();
  const nodes = [await open(url), await open(url), await open(url)];
  await nodes[0]?.as('job').write((queries) => queries.insertInto('settings').values({ name: 'sum', value: '0' }).execute());
  const addOne = (db: Database) =>
    db.as('job').write(async (queries) => {
      const { value } = await queries.selectFrom('settings').select('value').where('name', '=', 'sum').executeTakeFirstOrThrow();
      await queries
        .updateTable('settings')
        .set({ value: String(Number(value) + 1) })
        .where('name', '=', 'sum')
        .execute();
    });
  await Promise.all(nodes.flatMap((db) => Array.from({ length: 40 }, () => addOne(db))));
  const sums = nodes.map(({ read }) => read.selectFrom('settings').select('value').where('name', '=', 'sum').executeTakeFirst());
  expect(await Promise.all(sums)).toEqual(Array(3).fill({ value: '120' }));
});

it('ends statements that take too long', async () => {
  const db = await open(`${await newPostgresDatabase()}?statement_timeout=200`);
  const fault = (work: Promise<unknown>) => work.then(() => 'none', databaseFault);
  expect(await fault(sql`select pg_sleep(60)`.execute(db.read))).toBe('busy');
  expect(await fault(db.as('job').write((queries) => sql`select pg_sleep(60)`.execute(queries)))).toBe('busy');
  await add(db, 'afterwards');
  expect(await added(db)).toEqual(['afterwards']);
});

it('announces to other processes what has been committed, and that something may have been missed', async () => {
  const url = await newPostgresDatabase();
  const [one, other] = [await open(url), await open(url)];
  const heard: (string | undefined)[][] = [[], []];
  one.onAnnouncement((message) => heard[0]?.push(message));
  other.onAnnouncement((message) => heard[1]?.push(message));
  const failed = one.as('job').write(async (queries) => {
    announce(queries, 'never');
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await one.as('job').write(async (queries) => announce(queries, 'it’s done'));
  await expect.poll(() => heard).toEqual([[], ['it’s done']]);
  await endConnections(url);
  // Once when the connection is lost, and once when it is back.
  await expect.poll(() => heard[1]?.slice(1), { timeout: 20_000 }).toEqual([undefined, undefined]);
});

it('refuses requests with 503 while the server is down, and recovers without a restart', async () => {
  const server = await PostgresServer.create();
  onTestFinished(() => server.remove());
  await using service = await startTestService({ databaseUrl: await server.addDatabase('pixdock') });
  const owner = await setUp(service);
  const status = async (path: string) => (await owner.fetch(path)).status;
  const rename = (name: string) =>
    owner.fetch('/api/v1/albums', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  expect((await rename('before')).status).toBe(200);
  await server.stop('SIGQUIT');
  for (const response of [await owner.fetch('/api/v1/images'), await rename('meanwhile')]) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ data: { code: 'unavailable' } });
  }
  expect(await status('/healthz')).toBe(503);
  await server.start();
  await expect.poll(() => status('/api/v1/images'), { timeout: 20_000 }).toBe(200);
  expect((await rename('afterwards')).status).toBe(200);
  const albums = (await (await owner.fetch('/api/v1/albums')).json()) as { data: { items: { name: string }[] } };
  expect(albums.data.items.map(({ name }) => name).sort()).toEqual(['afterwards', 'before']);
});

it('reports a server that can’t be used, without the password', async () => {
  const server = inject('postgres');
  const absent = server.replace('postgres://pixdock@', 'postgres://pixdock:hunter2@').replace(/[^/]*$/, 'absent');
  const reason = await openDatabase(absent).catch((error: Error) => error);
  expect(reason).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(/absent.*does not exist.*PIXDOCK_DATABASE_URL/) });
  expect(String(reason)).not.toContain('hunter2');
  await expect(openDatabase('mysql://host/database')).rejects.toThrow(/PIXDOCK_DATABASE_URL must be/);
});
