import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseRestore, createBackup } from '#api/admin/backup.ts';
import { ApiError } from '#api/client.ts';
import { openDatabase } from '#server/platform/db/database.ts';
import { inspectDatabase } from '#server/platform/db/files.ts';
import { built } from '#test/helpers/service/built.ts';
import { startChildService } from '#test/helpers/service/child-service.ts';
import { writeFormerDatabase } from '#test/helpers/service/data/former-database.ts';
import { setUp, startTestService } from '#test/helpers/service/service.ts';
import { Model, readPictures } from './model.ts';
import { operate, Refused, startAsOwner } from './operations.ts';
import { Random, setting } from './random.ts';
import { expectSound } from './subject.ts';

const KILLS = setting('KILLS');
const [RESTORES, MIGRATIONS] = [Math.round(KILLS / 5), Math.round(KILLS / 5)];
const OPERATIONS = KILLS - RESTORES - MIGRATIONS;
/** For one kill on a busy computer: two starts and a check. */
const LIMIT_MS = 60_000;

const root = mkdtempSync(join(tmpdir(), 'pixdock-hard-'));
const dataDir = join(root, 'data');
const model = new Model(readPictures);
afterAll(() => rmSync(root, { recursive: true }));

beforeAll(async () => {
  const service = await startChildService(dataDir);
  await setUp(service);
  await service.stop();
});

/** Starts and stops the service on a data folder, as after a crash. */
async function recover(folder: string) {
  const service = await startTestService({ dataDir: folder });
  await service.stop();
}

/** Sends requests from three clients until the service is killed, shortly after a random number of them. Returns how many were acknowledged. */
async function operateUntilKilled({ service, owner }: Awaited<ReturnType<typeof startAsOwner>>, random: Random): Promise<number> {
  const wanted = random.below(15);
  const enough = Promise.withResolvers<void>();
  let [done, alive] = [0, true];
  const client = async () => {
    while (alive) {
      await operate(owner, model, random);
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
    done += await operateUntilKilled(await startAsOwner(dataDir), random);
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
    const { service, owner } = await startAsOwner(dataDir);
    for (let left = 3; left > 0; left--) await operate(owner, model, random);
    const { name } = await owner.client.call(createBackup, {});
    const saved = model.copy();
    for (let left = 3; left > 0; left--) await operate(owner, model, random);
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

/** The pictures of a database of a former version after its migration, and the tables that it has then. */
async function contentsAfter(folder: string, first: (folder: string) => Promise<void>) {
  mkdirSync(folder);
  writeFormerDatabase(join(folder, 'pixdock.db'));
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
