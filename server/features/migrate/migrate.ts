import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSecrets } from '#server/core/settings/instance-secrets.ts';
import { ConfigError, type ServiceConfig } from '#server/platform/config/config.ts';
import { fingerprintOf, loadSecrets } from '#server/platform/config/secrets.ts';
import {
  type ChangeRow,
  COPIED_TABLES,
  completeCopy,
  copyTable,
  countRows,
  type Databases,
  digestTable,
} from '#server/platform/db/copy-tables.ts';
import { type Database, openDatabase } from '#server/platform/db/database.ts';
import { lockFile } from '#server/platform/db/files.ts';
import { databaseOf, type Place, requireDatabase } from '#server/platform/db/location.ts';
import { createLease, isKept, JOBS_LEASE, type KeptLease, keepLease } from '#server/platform/jobs/lease.ts';
import { copyFiles } from './copy-files.ts';
import type { Amounts, Reporting } from './reporting.ts';
import { beginState, findState, newState, requireUnused } from './state.ts';
import { type Destination, describeDestination, openMoves, planStorages, type Storages } from './storages.ts';

interface Watch {
  signal: AbortSignal;
  reporting: Reporting;
}

export interface Migrated {
  images: number;
  rows: number;
  /** Files that were copied; 0 when all stay where they are. */
  files: number;
  /** Files of pictures that were already missing or damaged. */
  lost: number;
}

/**
 * Copies everything that a stopped service stores into another database and, on request, other storage, and verifies the copy. The source doesn't
 * change. When it is interrupted at any point, the same call resumes it; until it is complete, no service starts with the target.
 * @throws ConfigError or RequestError with a sentence
 */
export async function migrate(
  from: Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'secrets'>,
  to: Place,
  destination: Destination,
  { signal, reporting }: Watch,
): Promise<Migrated> {
  requirePlaces(from, to);
  await using opened = new AsyncDisposableStack();
  opened.use(await lockFolders(from, to));
  const source = await open(opened, databaseOf(from), 'source');
  const secrets = await openSecrets(source.as('start'), from);
  const target = (await open(opened, databaseOf(to), 'target')).as('start');
  const course = JSON.stringify([fingerprintOf(secrets), resolve(to.dataDir), describeDestination(destination)]);
  const resumed = await findState(target, course);
  if (!resumed) await requireUnused(target.read);
  const state = resumed ?? newState(course);
  const holdings = [await hold(opened, source, state.id, signal), await hold(opened, target, state.id, signal)];
  if (!resumed) await beginState(target, state);
  if (resolve(from.dataDir) !== resolve(to.dataDir)) await loadSecrets(to.dataDir, { given: join(from.dataDir, 'secrets.json') });

  const storages = await planStorages({ source, target, destination, state, secrets, from, to });
  await copyRows({ source, target }, storages, { signal, reporting });
  const moves = await openMoves(source, storages, { from, to }, secrets);
  for (const { from: before, to: after } of moves.values()) {
    opened.defer(() => before.close());
    opened.defer(() => after.close());
  }
  const copied = await copyFiles({ source, target, moves, to, state, signal, reporting });
  const rows = await compare({ source, target }, storages, { signal, reporting });
  if (holdings.some((lease) => lease && !lease.held()))
    throw new ConfigError('The connection to the database was lost for too long. Repeat the command to resume the migration.');
  await completeCopy(source, target);
  return { images: await countRows(target.read, 'images'), rows, ...copied };
}

async function open(opened: AsyncDisposableStack, location: string, use: 'source' | 'target'): Promise<Database> {
  const db = await openDatabase(location, use);
  opened.defer(() => db.close());
  return db;
}

async function hold(opened: AsyncDisposableStack, db: Database, me: string, signal: AbortSignal) {
  const lease = await holdDatabase(db, me, signal);
  if (lease) opened.defer(() => lease.stop());
  return lease;
}

async function countAll(source: Database): Promise<Amounts> {
  let size = 0;
  for (const table of COPIED_TABLES) size += await countRows(source.read, table);
  return { files: COPIED_TABLES.length, size };
}

/** Policies get their settings in the target; everything else stays as it is. */
const withStorages =
  (storages: Storages): ChangeRow =>
  (table, row) => {
    if (table !== 'policies') return row;
    const { driver, config } = storages.get(row.id as number) ?? row;
    return { ...row, driver, config };
  };

async function copyRows({ source, target }: Databases, storages: Storages, { signal, reporting }: Watch): Promise<void> {
  reporting.onStart('rows', await countAll(source));
  const onRows = (size: number) => reporting.onProgress({ size });
  for (const table of COPIED_TABLES) {
    await copyTable({ source, target }, table, { change: withStorages(storages), signal, onRows });
    reporting.onProgress({ files: 1 });
  }
}

/** Reads both databases again. @returns the number of rows */
async function compare({ source, target }: Databases, storages: Storages, { signal, reporting }: Watch): Promise<number> {
  reporting.onStart('check', await countAll(source));
  const onRows = (size: number) => reporting.onProgress({ size: size / 2 }); // each row is read twice
  let rows = 0;
  for (const table of COPIED_TABLES) {
    const expected = await digestTable(source.read, table, { change: withStorages(storages), signal, onRows });
    const found = await digestTable(target.read, table, { change: (_table, row) => row, signal, onRows });
    if (found.rows !== expected.rows || found.sha256 !== expected.sha256)
      throw new ConfigError(
        `The copy of the table ${table} differs from its source (${found.rows} rows, ${expected.rows} expected): something else has changed one of the databases. Stop all services, empty the target, and migrate again.`,
      );
    rows += found.rows;
    reporting.onProgress({ files: 1 });
  }
  return rows;
}

/** @throws ConfigError with a sentence when there is nothing to migrate, or a migration would lead nowhere */
function requirePlaces(from: Place & { secrets?: string | undefined }, to: Place): void {
  const { dataDir } = from;
  requireDatabase(from);
  // A service with PIXDOCK_DATABASE_URL never completes one.
  if (!from.databaseUrl && existsSync(join(dataDir, 'restore', 'ready.json')))
    throw new ConfigError('A restore isn’t complete yet. Start Pixdock once to complete it, stop it, then migrate.');
  if (!from.secrets && !existsSync(join(dataDir, 'secrets.json')))
    throw new ConfigError(`${dataDir} has no secrets.json. Restore it from a backup, or set PIXDOCK_SECRETS.`);
  if (databaseOf(from) === databaseOf(to)) throw new ConfigError('Pixdock already uses this database. Specify another one.');
  if (!to.databaseUrl && resolve(dataDir) !== resolve(to.dataDir) && hasForeignFiles(to.dataDir))
    throw new ConfigError(`${to.dataDir} contains other files. Specify an empty folder, or a new one.`);
}

/** Whether a folder has files, but no database, which is checked on its own. */
function hasForeignFiles(folder: string): boolean {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return !names.includes('pixdock.db') && names.some((name) => !name.startsWith('pixdock.lock'));
}

/** Locks the data folders of both places, and creates that of the target. @throws ConfigError when a service is using one of them */
async function lockFolders(from: Place, to: Place): Promise<Disposable> {
  await mkdir(to.dataDir, { recursive: true, mode: 0o700 });
  const locks = new DisposableStack();
  try {
    for (const dataDir of new Set([from.dataDir, to.dataDir].map((path) => resolve(path)))) {
      const lock = lockFile(join(dataDir, 'pixdock.lock'));
      if (!lock) throw new ConfigError(`Pixdock is running with the data folder ${dataDir}. Stop it first, then migrate.`);
      locks.defer(() => lock.release());
    }
    return locks.move();
  } finally {
    locks.dispose();
  }
}

/**
 * Takes the lease of the services on a shared database, which shows that none of them is running, and keeps it. That of a service which
 * was killed is free half a minute later.
 * @param me the same at each attempt, so that none waits for an earlier one
 * @throws ConfigError when a service is running
 */
async function holdDatabase(db: Database, me: string, signal: AbortSignal): Promise<KeptLease | undefined> {
  if (!db.isShared) return undefined;
  const lease = createLease(db.as('start'), JOBS_LEASE, undefined, me);
  await lease.renew();
  const isRunning = !lease.held() && (await isKept(db.read, JOBS_LEASE, (milliseconds) => delay(milliseconds, undefined, { signal })));
  if (!isRunning) await lease.renew();
  if (!lease.held()) throw new ConfigError('A Pixdock service is using the database. Stop all services that use it, then migrate.');
  return keepLease(lease, { warn: () => undefined }); // if it is lost, the migration fails at its end
}
