import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '#server/platform/config/config.ts';
import type { Database } from '#server/platform/db/database.ts';
import { lockFile } from '#server/platform/db/files.ts';
import { databaseOf, type Place, requireDatabase } from '#server/platform/db/location.ts';
import { createLease, isKept, JOBS_LEASE, type KeptLease, keepLease } from '#server/platform/jobs/lease.ts';

/** @throws ConfigError with a sentence when there is nothing to migrate, or a migration would lead nowhere */
export function requirePlaces(from: Place & { secrets?: string | undefined }, to: Place): void {
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
export async function lockFolders(from: Place, to: Place): Promise<Disposable> {
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
export async function holdDatabase(db: Database, me: string, signal: AbortSignal): Promise<KeptLease | undefined> {
  if (!db.isShared) return undefined;
  const lease = createLease(db.as('start'), JOBS_LEASE, undefined, me);
  await lease.renew();
  const isRunning = !lease.held() && (await isKept(db.read, JOBS_LEASE, (milliseconds) => delay(milliseconds, undefined, { signal })));
  if (!isRunning) await lease.renew();
  if (!lease.held()) throw new ConfigError('A Pixdock service is using the database. Stop all services that use it, then migrate.');
  return keepLease(lease, { warn: () => undefined }); // if it is lost, the migration fails at its end
}
