import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseRestore, createBackup } from '#api/admin/backup.ts';
import { ApiError } from '#api/client.ts';
import { trashImage } from '#api/images/images.ts';
import { purgeTrash, restoreTrash } from '#api/images/trash.ts';
import { openSession, SESSION_COOKIE } from '#server/core/accounts/sessions.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { inspectDatabase } from '#server/platform/db/files.ts';
import { photoJpeg } from '#test/helpers/pictures/images.ts';
import { built } from '#test/helpers/service/built.ts';
import { type ChildService, startChildService } from '#test/helpers/service/child-service.ts';
import { type SignedIn, setUp, signedIn, startTestService } from '#test/helpers/service/service.ts';
import { Model } from './model.ts';
import { Random, setting } from './random.ts';
import { expectSound } from './subject.ts';

const KILLS = setting('KILLS');
const [RESTORES, MIGRATIONS] = [Math.round(KILLS / 5), Math.round(KILLS / 5)];
const OPERATIONS = KILLS - RESTORES - MIGRATIONS;
/** For one kill on a busy computer: two starts and a check. */
const LIMIT_MS = 60_000;
const OLD_DATABASE = join(import.meta.dirname, '../fixtures/database/001-base-tables.db');

const root = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const dataDir = join(root, 'data');
const model = new Model();
let number = 0;
afterAll(() => rmSync(root, { recursive: true }));

beforeAll(async () => {
  const service = await startChildService(dataDir);
  await setUp(service);
  await service.stop();
});

/** Starts the service and signs in as its owner: a restore ends the sessions before. */
async function start(): Promise<{ service: ChildService; owner: SignedIn }> {
  const service = await startChildService(dataDir);
  const db = await openDatabase(join(dataDir, 'pixdock.db'));
  const { secret } = await db.write((queries) => openSession(queries, 1, { address: '127.0.0.1', userAgent: 'test' }));
  await db.close();
  return { service, owner: signedIn(service, `${SESSION_COOKIE}=${secret}`) };
}

/** Starts and stops the service on a data folder, as after a crash. */
async function recover(folder: string) {
  const service = await startTestService({ dataDir: folder });
  await service.stop();
}

async function form(): Promise<FormData> {
  const body = new FormData();
  // With metadata to remove, and each different: the service would return the existing picture for known bytes.
  const bytes = await photoJpeg({ width: 120, height: 80, seed: ++number, gps: true });
  body.append('file', new Blob([new Uint8Array(bytes)]), `${number}.jpg`);
  return body;
}

/** Sends a form, and returns the picture. Rejects with the response if it's a refusal. */
async function send(owner: SignedIn, method: string, path: string): Promise<{ key: string; sha256: string }> {
  const response = await owner.fetch(`/api/v1${path}`, { method, body: await form() });
  const text = await response.text();
  if (!response.ok) throw new Refused(`${method} ${path}: ${text}`);
  return JSON.parse(text).data;
}

/** The service has responded, but not as it should. */
class Refused extends Error {}

/** One random request that changes pictures. */
async function operate(owner: SignedIn, random: Random): Promise<void> {
  const { client } = owner;
  const kind = random.below(10);
  const [library, trash] = [model.keysIn('library'), model.keysIn('trash')];
  if (kind < 4 && library.length > 5) {
    const key = random.pick(library);
    if (kind < 2) return model.change(key, 'trash', async () => void (await client.call(trashImage, { params: { key } })));
    return model.change(key, 'library', async () => (await send(owner, 'PUT', `/images/${key}/file`)).sha256, true);
  }
  if (kind < 6 && trash.length) {
    const key = random.pick(trash);
    if (kind === 4) return model.change(key, 'library', async () => void (await client.call(restoreTrash, { body: { keys: [key] } })));
    return model.change(key, 'nowhere', async () => void (await client.call(purgeTrash, { body: { keys: [key] } })));
  }
  const { key, sha256 } = await send(owner, 'POST', '/upload');
  model.stored(key, sha256);
}

/** Sends requests from three clients until the service is killed, shortly after a random number of them. Returns how many were acknowledged. */
async function operateUntilKilled({ service, owner }: Awaited<ReturnType<typeof start>>, random: Random): Promise<number> {
  const wanted = random.below(15);
  const enough = Promise.withResolvers<void>();
  let [done, alive] = [0, true];
  const client = async () => {
    while (alive) {
      await operate(owner, random);
      if (++done >= wanted) enough.resolve();
    }
  };
  const clients = Promise.allSettled([client(), client(), client()]);
  await Promise.race([enough.promise, clients]);
  await wait(random.below(30));
  alive = false;
  await service.kill();
  for (const result of await clients)
    if (result.status === 'rejected' && (result.reason instanceof Refused || result.reason instanceof ApiError)) throw result.reason;
  return done;
}

it(`keeps every acknowledged change and nothing half done when killed ${OPERATIONS} times during uploads, deletions and replacements`, {
  timeout: OPERATIONS * LIMIT_MS,
}, async () => {
  const random = new Random('operations');
  let done = 0;
  for (let kill = 1; kill <= OPERATIONS; kill++) {
    done += await operateUntilKilled(await start(), random);
    await recover(dataDir);
    await expectSound(dataDir, `after kill ${kill}`);
    await model.expectIn(join(dataDir, 'pixdock.db'), `after kill ${kill}`);
  }
  console.log(`${OPERATIONS} kills, ${done} acknowledged changes, ${model.keysIn('library').length} pictures`);
  expect(done).toBeGreaterThan(OPERATIONS);
});

it(`has the data of either before or after when killed ${RESTORES} times during the restore of a backup`, {
  timeout: RESTORES * LIMIT_MS,
}, async () => {
  const random = new Random('restores');
  const counts = { restored: 0, kept: 0 };
  for (let kill = 1; kill <= RESTORES; kill++) {
    const { service, owner } = await start();
    for (let left = 3; left > 0; left--) await operate(owner, random);
    const { name } = await owner.client.call(createBackup, {});
    const saved = model.copy();
    for (let left = 3; left > 0; left--) await operate(owner, random);
    const chosen = owner.client.call(chooseRestore, { body: { name } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError) throw error;
        return false;
      },
    );
    // Half of the kills come while the backup is being checked, the others during the start that carries it out.
    if (random.chance(0.5)) await wait(random.below(800));
    else await chosen;
    await service.kill();
    const isPending = existsSync(join(dataDir, 'restore/ready.json'));
    if (await chosen) expect(isPending).toBe(true);
    if (isPending) await killDuringStart(dataDir, random, 'restore/trying.json');
    await recover(dataDir);
    if (isPending) model.reset(saved);
    counts[isPending ? 'restored' : 'kept']++;
    await expectSound(dataDir, `after restore ${kill}`);
    await model.expectIn(join(dataDir, 'pixdock.db'), `after restore ${kill}`);
    for (const folder of ['backups', 'replaced']) rmSync(join(dataDir, folder), { recursive: true, force: true });
  }
  console.log(`${RESTORES} kills: ${JSON.stringify(counts)}`);
});

it(`has the data of the old version when killed ${MIGRATIONS} times during its migration`, { timeout: MIGRATIONS * LIMIT_MS }, async () => {
  const random = new Random('migrations');
  const expected = await contentsAfter(join(root, 'unkilled'), async () => undefined);
  for (let kill = 1; kill <= MIGRATIONS; kill++)
    expect(
      await contentsAfter(join(root, `migration-${kill}`), (folder) => killDuringStart(folder, random, 'pixdock.db-wal')),
      `after kill ${kill}`,
    ).toEqual(expected);
});

/** The pictures of a database of the first version after its migration, and the tables that it has then. */
async function contentsAfter(folder: string, first: (folder: string) => Promise<void>) {
  mkdirSync(folder);
  copyFileSync(OLD_DATABASE, join(folder, 'pixdock.db'));
  await first(folder);
  await recover(folder);
  const path = join(folder, 'pixdock.db');
  const db = await openDatabase(path);
  const images = await db.read.selectFrom('images').select(['key', 'name', 'deleted_at', 'deletion_nonce']).orderBy('id').execute();
  await db.close();
  rmSync(join(folder, 'pixdock.lock'), { force: true });
  return { images, database: inspectDatabase(path) };
}

/** Starts the service and kills it at a random moment after a file of its data folder has appeared. */
async function killDuringStart(folder: string, random: Random, file: string) {
  const child = spawn(process.execPath, [built('server/bin.js')], {
    env: { ...process.env, PIXDOCK_DATA_DIR: folder, PIXDOCK_PORT: '0' },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  while (!existsSync(join(folder, file)) && child.exitCode === null) await wait(1);
  await wait(random.below(250));
  child.kill('SIGKILL');
  await exited;
}
