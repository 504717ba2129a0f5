import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { BackupDrill } from '#api/admin/backup.ts';
import type { Context } from '#server/core/context.ts';
import { recordAudit } from '#server/core/journal/audit.ts';
import { RequestError } from '#server/platform/base/errors.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { folderEntries } from './folder-entries.ts';
import { blobFile, listSnapshots } from './incremental.ts';
import { BY_ITSELF } from './outcome.ts';
import { reasonOf } from './reason.ts';
import { type CheckStart, movePolicies, placePolicies, requireStart } from './restore.ts';
import { openRestored } from './restored-database.ts';
import { type Pace, unpackBackup } from './unpack.ts';

type Sources = Pick<Context, 'config' | 'settings' | 'staging' | 'diskReserve' | 'log'> & {
  checkStart: CheckStart;
  /** Called with the reason when the backup can't be restored. */
  onBackupFault: ((reason: string) => void) | undefined;
};

/** A trial restore leaves most of the disk's bandwidth to everyone else. */
const BYTES_PER_SECOND = 32 * 1024 * 1024;

/**
 * Waits whenever more was read than the rate allows, and rejects once `signal` aborts.
 * @param wait milliseconds; tests replace it
 */
export function createPace(bytesPerSecond: number, signal: AbortSignal, wait = pause, now = () => performance.now()): Pace {
  const startedAt = now();
  let total = 0;
  return async (bytes) => {
    signal.throwIfAborted();
    total += bytes;
    const ahead = (total / bytesPerSecond) * 1000 - (now() - startedAt);
    if (ahead > 0) await wait(ahead, signal);
  };
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> => setTimeout(milliseconds, undefined, { signal });

/**
 * The trial restore of the latest scheduled backup, unless it was done before: reads every file and compares its hash, copies and
 * checks the database, and checks that the service starts with it. Takes the space of the database only. The interface and the
 * stored settings call it `drill`.
 * @returns the result, which admins see; undefined when there was nothing to do
 */
export async function tryLatestBackup(sources: Sources, signal: AbortSignal): Promise<BackupDrill | undefined> {
  const { settings, log } = sources;
  const { backup_schedule: schedule, backup_drill: last } = settings.current();
  const [snapshot] = schedule ? await listSnapshots(schedule.folder) : [];
  if (!schedule || !snapshot || last?.snapshot === snapshot) return undefined;
  const startedAt = Date.now();
  const outcome = await tryRestore(sources, schedule.folder, snapshot, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    log.error({ err: error, snapshot }, 'the trial restore of a scheduled backup failed');
    return { images: 0, blobs: 0, bytes: 0, fault: error instanceof RequestError ? error.message : reasonOf(error, schedule.folder) };
  });
  const isLatest = (await listSnapshots(schedule.folder))[0] === snapshot;
  // A service that stops tries it again; a snapshot that a newer one has replaced needs no result.
  if (!outcome || !isLatest) return undefined;
  const result = { snapshot, finished_at: new Date().toISOString(), seconds: Math.round((Date.now() - startedAt) / 1000), ...outcome };
  await settings.changeWith('job', { backup_drill: result }, async (queries) => {
    const failed = { action: 'backup.drill_failed', target: snapshot, details: { reason: outcome.fault } } as const;
    if (outcome.fault !== null) await recordAudit(queries, BY_ITSELF, failed);
  });
  if (outcome.fault === null) log.info(result, 'the trial restore of a scheduled backup succeeded');
  else sources.onBackupFault?.(outcome.fault);
  return result;
}

async function tryRestore({ config, staging, diskReserve, checkStart }: Sources, source: string, snapshot: string, signal: AbortSignal) {
  // Emptied at every start.
  const folder = join(staging.folder, `trial-restore-${randomUUID()}`);
  try {
    await mkdir(folder, { mode: 0o700 });
    const room = (bytes: number) => diskReserve.require(config.dataDir, bytes);
    const pace = createPace(BYTES_PER_SECOND, signal);
    const { manifest, end } = await unpackBackup(folderEntries(source, snapshot), folder, room, pace);
    const sizeOf = async (blob: Parameters<typeof blobFile>[1]) => (await ifMissing(stat(blobFile(source, blob)), undefined))?.size;
    const db = await openRestored(folder, new Set(end.missing), sizeOf);
    try {
      await placePolicies(db.as('job'), await movePolicies(db, folder), folder);
      await requireStart(folder, checkStart);
    } finally {
      await db.close();
    }
    return { images: manifest.images, blobs: end.blobs, bytes: end.bytes, fault: null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
