import { join, resolve } from 'node:path';
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
import { databaseOf, type Place } from '#server/platform/db/location.ts';
import { copyFiles } from './copy-files.ts';
import { holdDatabase, lockFolders, requirePlaces } from './place.ts';
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
