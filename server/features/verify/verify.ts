import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { extOf, formatsWith } from '#api/formats.ts';
import { several } from '#server/platform/base/several.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { isSecretsFile, loadSecrets } from '#server/platform/config/secrets.ts';
import { openDatabase, openSnapshot, openUnmigrated, type Queries } from '#server/platform/db/database.ts';
import { checkDatabase, lockFile, rebuildIndices } from '#server/platform/db/files.ts';
import { requireComplete } from '#server/platform/db/incomplete.ts';
import { databaseOf, type Place, requireDatabase } from '#server/platform/db/location.ts';
import { requireCurrent } from '#server/platform/db/migrate.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { isKept, JOBS_LEASE } from '#server/platform/jobs/lease.ts';
import { isRecorded, refOf } from '#server/platform/storage/blob-rows.ts';
import { createDrivers } from '#server/platform/storage/drivers.ts';
import { createFileReader } from '#server/platform/storage/file-reader.ts';
import { filesBelow } from '#server/platform/storage/local.ts';
import type { Checked, Finding, Subject } from './finding.ts';
import { checkRecords } from './records.ts';
import { checkStoredFiles, checkStrayFiles } from './stored-files.ts';

/** Every file is read once. */
const UNCACHED = 1;

/** Where the results go. */
export interface Reporting {
  /** Called with each finding, after its repair where there was one. */
  onFinding(finding: Finding, isRepaired: boolean): void;
  /** Called before files are read, with their number and size. */
  onStart(checked: Checked): void;
  onBytes(bytes: number): void;
}

/** The result: how much was checked, and how many problems remain. */
export interface Verified extends Checked {
  problems: number;
  repaired: number;
}

/**
 * Reads a whole data folder and reports what is wrong: the database, the files against their hashes, references in both directions,
 * counters, thumbnails and leftovers.
 * @param repair repairs what can be repaired; nothing is changed otherwise
 * @throws ConfigError with a sentence when it isn't a data folder, or the service is using it
 */
export async function verifyDataFolder(config: Place, repair: boolean, reporting: Reporting): Promise<Verified> {
  const { dataDir, databaseUrl } = config;
  const database = requireDatabase(config);
  // Without ready.json, the restore was finished, and only not removed.
  if (['ready.json', 'trying.json'].every((name) => existsSync(join(dataDir, 'restore', name))))
    throw new ConfigError('A restore isn’t complete yet. Start Pixdock once to complete it, stop it, then verify again.');
  const lock = lockFile(join(dataDir, 'pixdock.lock'));
  if (!lock) throw new ConfigError(`Pixdock is running with the data folder ${dataDir}. Stop it first, then verify again.`);
  const result = { images: 0, bytes: 0, problems: 0, repaired: 0 };
  const take = async (findings: AsyncIterable<Finding> | Iterable<Finding>) => {
    for await (const finding of findings) {
      const repairing = repair ? finding.repair : undefined;
      await repairing?.run();
      result.problems++;
      if (repairing) result.repaired++;
      reporting.onFinding(finding, repairing !== undefined);
    }
  };
  try {
    if (databaseUrl) await requireUnused(databaseUrl);
    await take(await checkSecrets(dataDir));
    // A database elsewhere checks itself: its server refuses rows that break references.
    if (!databaseUrl) {
      const faults = checkDatabase(database);
      await take(databaseFindings(database, faults));
      if (faults.damage.length > 0) return result;
    }
    await using subject = await openSubject(config, repair, reporting.onBytes);
    Object.assign(result, await measure(subject.read));
    reporting.onStart(result);
    // The database's list first: a file that it regains isn't a stray.
    for (const check of [checkRecords, checkStoredFiles, checkStrayFiles, checkThumbnails, checkTemporary]) await take(check(subject));
    return result;
  } finally {
    lock.release();
  }
}

/** @throws ConfigError when a service, on any machine, is using the database, or none ever has */
async function requireUnused(databaseUrl: string): Promise<void> {
  const { read, close } = await openUnmigrated(databaseUrl);
  try {
    const tables = await read.introspection.getTables();
    if (!tables.some(({ name }) => name === 'leases'))
      throw new ConfigError('The database doesn’t contain the tables of a Pixdock service. Check PIXDOCK_DATABASE_URL.');
    if (await isKept(read, JOBS_LEASE))
      throw new ConfigError('Pixdock is running with this database. Stop all of its services first, then verify again.');
  } finally {
    await close();
  }
}

function databaseFindings(path: string, { damage, indices, references }: ReturnType<typeof checkDatabase>): Finding[] {
  return [
    ...damage.map((text) => ({
      problem: `The database is damaged: ${text}.`,
      advice: 'Restore a backup: start Pixdock with another data folder, and choose the file under Administration → Backup.',
    })),
    ...indices.slice(0, 1).map((text) => ({
      problem: `Some database indexes don’t match their tables: ${text}${indices.length > 1 ? `, and ${indices.length - 1} more` : ''}.`,
      advice: '--repair rebuilds them.',
      repair: { done: 'Rebuilt.', run: async () => rebuildIndices(path) },
    })),
    ...references.map(({ table, parent, rows }) => ({
      problem: `In the database, ${several(rows, 'row')} of ${table} ${rows === 1 ? 'refers' : 'refer'} to rows of ${parent} that don’t exist.`,
      advice: 'Restore a backup from before this happened.',
    })),
  ];
}

async function checkSecrets(dataDir: string): Promise<Finding[]> {
  const path = join(dataDir, 'secrets.json');
  const text = await ifMissing(readFile(path, 'utf8'), undefined);
  if (text !== undefined && isSecretsFile(text)) return [];
  const what = text === undefined ? 'is missing' : 'is damaged';
  return [{ problem: `${path} ${what}.`, advice: 'Restore it from a backup. Without it, stored secrets and deletion links are lost.' }];
}

/** Opens the database: for a repair as the service does, which brings an older schema up to date, otherwise for reading alone. */
async function openSubject(
  { dataDir, databaseUrl }: Place,
  repair: boolean,
  onBytes: Subject['onBytes'],
): Promise<Subject & AsyncDisposable> {
  const database = databaseOf({ dataDir, databaseUrl });
  const { read, write, close } = repair
    ? (await openDatabase(database)).as('start')
    : { ...(databaseUrl ? await openUnmigrated(databaseUrl) : openSnapshot(database)), write: refuseToWrite };
  if (!repair)
    await requireCurrent(read)
      .then(() => requireComplete(read))
      .catch(async (error: unknown) => {
        await close();
        throw error;
      });
  const policies = await read.selectFrom('policies').selectAll().orderBy('id').execute();
  // Damaged secrets are reported already; without them, buckets can't be reached.
  const secrets = (await checkSecrets(dataDir)).length === 0 ? await loadSecrets(dataDir) : { key: () => randomBytes(32) };
  const drivers = createDrivers({
    dataDir,
    secrets,
    reader: createFileReader(UNCACHED),
    hasRoom: async () => false,
    warn: refuseToWrite,
  });
  const storages = new Map(policies.map((policy) => [policy.id, drivers.open(policy)]));
  return {
    dataDir,
    read,
    write: async (work) => void (await write(work)),
    storages,
    onBytes,
    async [Symbol.asyncDispose]() {
      for (const storage of storages.values()) await storage.close();
      await close();
    },
  };
}

async function refuseToWrite(): Promise<never> {
  throw new Error('nothing is changed without a repair');
}

async function measure(read: Queries): Promise<Checked> {
  const { images } = await read
    .selectFrom('images')
    .select((row) => row.fn.countAll<number>().as('images'))
    .executeTakeFirstOrThrow();
  const { bytes } = await read.selectFrom('blobs').select(sql<number>`coalesce(sum(size), 0)`.as('bytes')).executeTakeFirstOrThrow();
  return { images, bytes };
}

const NAMES = new Set<string>(THUMBNAIL_WIDTHS.flatMap((width) => formatsWith('thumbnail').map((type) => `${width}.${extOf(type)}`)));

/** Checks that every thumbnail belongs to a blob. The service replaces damaged ones when they are opened (decision 126). */
async function* checkThumbnails(subject: Subject): AsyncGenerator<Finding> {
  const root = join(subject.dataDir, 'thumbs');
  if (!existsSync(root)) return;
  for await (const path of filesBelow(root)) {
    if (await isOfBlob(subject, path)) continue;
    yield {
      problem: `The thumbnail ${path} doesn’t belong to any picture.`,
      advice: '--repair removes it.',
      repair: { done: 'Removed.', run: () => rm(path) },
    };
  }
}

async function isOfBlob(subject: Subject, path: string): Promise<boolean> {
  const ref = refOf(basename(dirname(path)));
  return ref !== undefined && NAMES.has(basename(path)) && isRecorded(subject, ref);
}

/** Checks that nothing is left of uploads that a crash has interrupted. */
async function* checkTemporary({ dataDir }: Subject): AsyncGenerator<Finding> {
  const folder = join(dataDir, 'tmp');
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    yield {
      problem: `${path} is left over from an interrupted operation.`,
      advice: 'The service removes it when it starts, and so does --repair.',
      repair: { done: 'Removed.', run: () => rm(path, { recursive: true }) },
    };
  }
}
