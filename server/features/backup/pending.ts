import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackupSummary, backupSummary } from '#api/admin/backup.ts';
import { writeDurably } from '#server/platform/files/durable.ts';
import { toJson } from './archive.ts';

/** Restores are prepared below the data folder, so that moving them into place is only renaming. */
export const RESTORE = 'restore';
/** Written last: the restore that it names is complete and verified, and waits for the next start. */
const READY = 'ready.json';
const readyPath = (dataDir: string) => join(dataDir, RESTORE, READY);

/** Notes that a restore is ready for the next start. */
export async function announceRestore(dataDir: string, folder: string, summary: BackupSummary): Promise<void> {
  await writeDurably(readyPath(dataDir), toJson({ folder, ...summary }));
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
