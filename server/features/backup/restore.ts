import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupSummary } from '#api/backup.ts';
import { backupSummary } from '#api/backup.ts';
import { DAY_MS } from '#api/durations.ts';
import { writeSettings } from '#server/core/settings/settings.ts';
import { isSecretsFile } from '#server/platform/config/secrets.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { flushFolder, writeDurably } from '#server/platform/files/durable.ts';
import { summarize, toJson } from './archive.ts';
import { refuseBackup } from './format.ts';
import { openRestored, withdraw } from './restored-database.ts';
import { type BackupEntry, unpackBackup } from './unpack.ts';

/** Below the data folder: what restores have replaced, in case it was the wrong backup. */
const REPLACED = 'replaced';
const KEEP_REPLACED_DAYS = 7;

/** Restores are prepared below the data folder, so that moving them into place is only renaming. */
const RESTORE = 'restore';
/** Written last: the restore that it names is complete and verified, and waits for the next start. */
const READY = 'ready.json';
const readyPath = (dataDir: string) => join(dataDir, RESTORE, READY);

/**
 * Unpacks and verifies a backup; it replaces everything at the next start. An earlier pending restore is discarded.
 * @throws RequestError with the reason, after removing everything it has unpacked
 */
export async function prepareRestore(
  dataDir: string,
  entries: AsyncIterable<BackupEntry>,
  requireSpace: (bytes: number) => Promise<void>,
): Promise<BackupSummary> {
  await cancelRestore(dataDir);
  const name = randomUUID();
  const folder = join(dataDir, RESTORE, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { manifest, end } = await unpackBackup(entries, folder, requireSpace);
    await checkSecrets(folder);
    const summary = summarize(manifest, end);
    await prepareDatabase(dataDir, folder, new Set(end.missing), summary);
    await writeDurably(readyPath(dataDir), toJson({ folder: name, ...summary }));
    return summary;
  } catch (error) {
    await rm(join(dataDir, RESTORE), { recursive: true, force: true });
    throw error;
  }
}

/** The restore that waits for the next start. */
export async function pendingRestore(dataDir: string): Promise<(BackupSummary & { folder: string }) | undefined> {
  if (!existsSync(readyPath(dataDir))) return undefined;
  const ready = JSON.parse(await readFile(readyPath(dataDir), 'utf8')) as { folder: string };
  return { ...backupSummary.parse(ready), folder: ready.folder };
}

/** Discards the pending restore; false when there is none. */
export async function cancelRestore(dataDir: string): Promise<boolean> {
  const waited = existsSync(readyPath(dataDir));
  await rm(readyPath(dataDir), { force: true });
  await rm(join(dataDir, RESTORE), { recursive: true, force: true });
  return waited;
}

async function checkSecrets(folder: string) {
  if (!isSecretsFile(await readFile(join(folder, 'secrets.json'), 'utf8'))) throw refuseBackup('its secrets aren’t valid');
}

/** Makes the database ready for this data folder. The report of the restore is in it, for its first start. */
async function prepareDatabase(dataDir: string, folder: string, missing: ReadonlySet<string>, summary: BackupSummary) {
  const db = await openRestored(folder, missing);
  try {
    const withdrawn = await withdraw(db);
    const restore_report = { ...summary, ...withdrawn, restored_at: null };
    await db.write((queries) => writeSettings(queries, { restore_report }));
    await placePolicies(db, dataDir, folder);
  } finally {
    await db.close();
  }
}

/** Paths of another machine don't apply here: the first policy of the data folder keeps `blobs`, all others get `policies/<id>`. */
async function placePolicies(db: Database, dataDir: string, folder: string) {
  const policies = await db.read.selectFrom('policies').selectAll().orderBy('id').execute();
  const first = policies.find(isInDataFolder);
  await mkdir(join(folder, 'policies'), { mode: 0o700 });
  if (!first) await mkdir(join(folder, 'blobs'), { mode: 0o700 });
  for (const policy of policies) {
    const place = policy === first ? 'blobs' : join('policies', String(policy.id));
    const unpacked = join(folder, `blobs-${policy.id}`);
    if (existsSync(unpacked)) await rename(unpacked, join(folder, place));
    else await mkdir(join(folder, place), { recursive: true, mode: 0o700 });
    if (policy === first) continue;
    const config = JSON.stringify({ folder: join(dataDir, place) });
    await db.write((queries) => queries.updateTable('policies').set({ config, driver: 'local' }).where('id', '=', policy.id).execute());
  }
  await flushFolder(folder);
}

const isInDataFolder = ({ driver, config }: PolicyRow) => driver === 'local' && !('folder' in (JSON.parse(config) as object));

/** The files to replace, in this order: the log of the old database must be gone before the new one is in place. */
const PLACES = ['pixdock.db-wal', 'pixdock.db-shm', 'pixdock.db', 'secrets.json', 'blobs', 'policies'];

/**
 * Moves a prepared restore into place, before anything is opened; the previous data is kept in `replaced/`. It may be
 * interrupted at any point and resumes at the next start.
 * @param move renames; tests interrupt it
 * @returns the folder with the previous data, if there was a restore
 */
export async function applyRestore(dataDir: string, move: typeof rename = rename): Promise<string | undefined> {
  const pending = await pendingRestore(dataDir);
  if (!pending) return undefined;
  const prepared = join(dataDir, RESTORE, pending.folder);
  const replaced = join(dataDir, REPLACED, pending.folder);
  await mkdir(replaced, { recursive: true, mode: 0o700 });
  // If the new database is in place, so are the files before it in the list, and the log there is its own.
  const begun = !existsSync(join(prepared, 'pixdock.db'));
  for (const place of PLACES) {
    if (place.startsWith('pixdock.db') && begun) continue;
    const isNew = existsSync(join(prepared, place));
    if (!isNew && !place.startsWith('pixdock.db-')) continue;
    if (existsSync(join(dataDir, place))) await move(join(dataDir, place), join(replaced, place));
    if (isNew) await move(join(prepared, place), join(dataDir, place));
  }
  await flushFolder(replaced);
  await flushFolder(dataDir);
  await rm(readyPath(dataDir));
  await rm(join(dataDir, RESTORE), { recursive: true, force: true });
  return replaced;
}

/** Removes the data that restores replaced more than a week before `now`; returns the number of restores. */
export async function removeReplaced(dataDir: string, now: number): Promise<number> {
  const root = join(dataDir, REPLACED);
  if (!existsSync(root)) return 0;
  let removed = 0;
  for (const name of await readdir(root)) {
    const { mtimeMs } = await stat(join(root, name));
    if (mtimeMs > now - KEEP_REPLACED_DAYS * DAY_MS) continue;
    await rm(join(root, name), { recursive: true });
    removed++;
  }
  return removed;
}
