import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupSummary } from '#api/admin/backup.ts';
import { writeSettings } from '#server/core/settings/settings.ts';
import { isSecretsFile } from '#server/platform/config/secrets.ts';
import type { Database, WritableDatabase } from '#server/platform/db/database.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { flushFolder } from '#server/platform/files/durable.ts';
import { folderOf } from '#server/platform/storage/drivers.ts';
import { summarize } from './archive.ts';
import { type End, refuseBackup } from './format.ts';
import { announceRestore, cancelRestore, RESTORE } from './pending.ts';
import { openRestored, withdraw } from './restored-database.ts';
import { type BackupEntry, unpackBackup } from './unpack.ts';

/** Checks that the service starts on a data folder (`boot/start-check.ts`). Rejects with the reason when it doesn't. */
export type CheckStart = (folder: string) => Promise<void>;

/**
 * Unpacks and verifies a backup and checks that the service starts with it; it replaces everything at the next start. An earlier
 * pending restore is discarded.
 * @param confirm checks that the caller may still do this, once the backup has arrived
 * @throws RequestError with the reason, after removing everything it has unpacked
 */
export async function prepareRestore(
  dataDir: string,
  entries: AsyncIterable<BackupEntry>,
  requireSpace: (bytes: number) => Promise<void>,
  checkStart: CheckStart,
  confirm: () => Promise<void>,
): Promise<BackupSummary> {
  await cancelRestore(dataDir);
  const name = randomUUID();
  const folder = join(dataDir, RESTORE, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { manifest, end } = await unpackBackup(entries, folder, requireSpace);
    const summary = summarize(manifest, end);
    await prepareFolder(dataDir, folder, end, summary, checkStart);
    await confirm();
    await announceRestore(dataDir, name, summary);
    return summary;
  } catch (error) {
    await rm(join(dataDir, RESTORE), { recursive: true, force: true });
    throw error;
  }
}

/** Makes an unpacked backup a data folder that works where it is, tries it, and then readies it for its place. */
async function prepareFolder(dataDir: string, folder: string, end: End, summary: BackupSummary, checkStart: CheckStart) {
  await checkSecrets(folder);
  const db = await openRestored(folder, new Set(end.missing));
  try {
    const withdrawn = await withdraw(db.as('start'));
    // The report is in the database, for the first start with it.
    await db
      .as('start')
      .write((queries) =>
        writeSettings(queries, { restore_report: { ...summary, ...withdrawn, restored_at: null }, restore_failure: null }),
      );
    const moved = await movePolicies(db, folder);
    await placePolicies(db.as('start'), moved, folder);
    await requireStart(folder, checkStart);
    await placePolicies(db.as('start'), moved, dataDir);
  } finally {
    await db.close();
  }
}

async function checkSecrets(folder: string) {
  if (!isSecretsFile(await readFile(join(folder, 'secrets.json'), 'utf8'))) throw refuseBackup('its secrets aren’t valid');
}

/** @throws RequestError when the service doesn't work with an unpacked backup */
export async function requireStart(folder: string, checkStart: CheckStart): Promise<void> {
  await checkStart(folder).catch((error: Error) => {
    throw Object.assign(refuseBackup(`the service couldn’t start from it (${error.message.replace(/\.$/, '')})`), { cause: error });
  });
  // What a start leaves behind.
  for (const name of ['pixdock.lock', 'tmp', 'thumbs']) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Paths of another machine don't apply here: the first policy of the data folder keeps `blobs`, all others get `policies/<id>`.
 * Returns the others.
 */
export async function movePolicies(db: Database, folder: string): Promise<number[]> {
  const policies = await db.read.selectFrom('policies').selectAll().orderBy('id').execute();
  const first = policies.find(isInDataFolder);
  await mkdir(join(folder, 'policies'), { mode: 0o700 });
  if (!first) await mkdir(join(folder, 'blobs'), { mode: 0o700 });
  for (const policy of policies) {
    const place = policy === first ? 'blobs' : placeOf(policy.id);
    const unpacked = join(folder, `blobs-${policy.id}`);
    if (existsSync(unpacked)) await rename(unpacked, join(folder, place));
    else await mkdir(join(folder, place), { recursive: true, mode: 0o700 });
  }
  await flushFolder(folder);
  return policies.filter((policy) => policy !== first).map(({ id }) => id);
}

/** Has policies store below a data folder. */
export async function placePolicies(db: WritableDatabase, ids: readonly number[], dataDir: string) {
  for (const id of ids) {
    const config = JSON.stringify({ folder: join(dataDir, placeOf(id)) });
    await db.write((queries) => queries.updateTable('policies').set({ config, driver: 'local' }).where('id', '=', id).execute());
  }
}

const placeOf = (policyId: number) => join('policies', String(policyId));

const isInDataFolder = (policy: PolicyRow) => policy.driver === 'local' && folderOf(policy) === undefined;
