import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { BackupSchedule, BackupSummary } from '#api/admin/backup.ts';
import { HOUR_MS } from '#api/durations.ts';
import type { FolderProblem } from '#api/errors.ts';
import type { Context } from '#server/core/context.ts';
import { tellProgress } from '#server/core/journal/changes.ts';
import { InvalidRequestError, RequestError, requireFound } from '#server/platform/base/errors.ts';
import { flushFolder } from '#server/platform/files/durable.ts';
import { ifMissing, isMissing, sizeOf } from '#server/platform/files/missing.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { writeArchive } from './archive.ts';
import { NO_BACKUP, stampOf } from './format.ts';
import { listSnapshots, pruneSnapshots, writeSnapshot } from './incremental.ts';
import { type BackupSource, withBackupSource } from './source.ts';

type Sources = Pick<Context, 'config' | 'db' | 'blobs' | 'staging' | 'version' | 'settings' | 'diskReserve' | 'log'>;

/** A backup in progress. */
export interface RunningBackup {
  startedAt: number;
  bytes: number;
  totalBytes: number;
}

/** Makes backups, one at a time, while the service keeps running. */
export interface Backups {
  running(): RunningBackup | undefined;
  /** Writes an archive to `target` and ends it. `begin` is called before the first byte, once nothing can refuse it. */
  stream(target: Writable, begin: (createdAt: Date) => void): Promise<BackupSummary>;
  /** Writes an archive to the backups folder. */
  create(): Promise<BackupSummary & { name: string; size: number }>;
  /** Backs up to the schedule's folder. @throws InvalidRequestError when there is no schedule */
  runSchedule(): Promise<BackupSummary & { snapshot: string; new_blobs: number }>;
  /** Runs the schedule if a backup is due, for the job. */
  runScheduleIfDue(now: number): Promise<boolean>;
  /** Aborts the running backup. */
  stop(): void;
}

/** A client that has just received one backup may request the next while the first is still being cleaned up. */
const GRACE_MS = 2_000;
/** How often admins are told of a running backup's progress. */
const TELL_MS = 1_000;

export function createBackups(sources: Sources): Backups {
  const { config, db, settings, diskReserve } = sources;
  const folder = backupFolder(config.dataDir);
  const stopping = new AbortController();
  let running: RunningBackup | undefined;
  let ended: Promise<void> = Promise.resolve();

  /** Tells admins how far the backup is. */
  const tell = () =>
    void db
      .as('note')
      .write(async (queries) => tellProgress(queries, 'backup'))
      .catch(() => undefined);

  async function exclusively<T>(work: (source: BackupSource, progress: (bytes: number) => void) => Promise<T>): Promise<T> {
    await Promise.race([ended, delay(GRACE_MS)]);
    if (running)
      throw new RequestError('conflict', 'A backup is already running. Wait until it’s complete.', { problem: 'backup_running' });
    const state: RunningBackup = { startedAt: Date.now(), bytes: 0, totalBytes: 0 };
    running = state;
    tell();
    const telling = setInterval(tell, TELL_MS);
    const run = withBackupSource(sources, (source) => {
      state.totalBytes = source.manifest.blobs.bytes;
      return work(source, (bytes) => {
        state.bytes = bytes;
      });
    }).finally(() => {
      running = undefined;
      clearInterval(telling);
      tell();
    });
    ended = run.then(
      () => undefined,
      () => undefined, // only the end matters to the next backup
    );
    return run;
  }

  const spaceFor = (path: string, source: BackupSource) =>
    diskReserve.require(path, source.manifest.blobs.bytes + source.manifest.database.size);

  async function createIn(source: BackupSource, progress: (bytes: number) => void) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await spaceFor(folder, source);
    const name = `pixdock-${stampOf(new Date(source.manifest.created_at))}.tar`;
    const part = join(folder, `${name}.part`);
    try {
      const summary = await writeStream(part, { flush: true }, (file) => writeArchive(source, file, { progress, signal: stopping.signal }));
      await rename(part, join(folder, name));
      await flushFolder(folder);
      return { name, size: (await stat(join(folder, name))).size, ...summary };
    } finally {
      await rm(part, { force: true });
    }
  }

  async function runSchedule({ folder: target, keep }: BackupSchedule) {
    return exclusively(async (source, progress) => {
      const made = await writeSnapshot(source, target, stopping.signal, progress);
      await pruneSnapshots(target, keep);
      return made;
    });
  }

  return {
    running: () => running,
    stream: (target, begin) =>
      exclusively((source, progress) => {
        begin(new Date(source.manifest.created_at));
        return writeArchive(source, target, { progress, signal: stopping.signal });
      }),
    create: () => exclusively(createIn),
    async runSchedule() {
      const schedule = settings.current().backup_schedule;
      if (!schedule) throw new InvalidRequestError('Automatic backups are off. Choose a folder for them first.', { field: 'schedule' });
      return runSchedule(schedule);
    },
    async runScheduleIfDue(now) {
      const schedule = settings.current().backup_schedule;
      if (!schedule || running) return false;
      const [latest] = await listSnapshots(schedule.folder);
      if (latest && timeOf(latest) + schedule.every_hours * HOUR_MS > now) return false;
      await runSchedule(schedule);
      return true;
    },
    stop: () => stopping.abort(new Error('the service stops')),
  };
}

/** The time in a snapshot's name, in milliseconds since 1970. */
function timeOf(stamp: string): number {
  return Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:$6Z'));
}

const backupFolder = (dataDir: string) => join(dataDir, 'backups');

/** The archives in the backups folder, latest first. */
export async function listBackups(dataDir: string): Promise<{ name: string; size: number; createdAt: Date }[]> {
  const folder = backupFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = (await readdir(folder)).filter((name) => /^[A-Za-z0-9][\w.-]*\.tar$/.test(name));
  const files = await Promise.all(names.map(async (name) => ({ name, stats: await stat(join(folder, name)) })));
  return files
    .map(({ name, stats }) => ({ name, size: stats.size, createdAt: stats.mtime }))
    .sort((one, two) => two.createdAt.getTime() - one.createdAt.getTime());
}

/** Opens an archive in the backups folder. @throws NotFoundError */
export async function openBackup(dataDir: string, name: string): Promise<{ size: number; stream: Readable }> {
  const path = join(backupFolder(dataDir), name);
  const handle = requireFound(await ifMissing(open(path, 'r'), undefined), NO_BACKUP);
  const size = await sizeOf(handle);
  return { size, stream: createReadStream(path, { fd: handle }) };
}

/** @throws NotFoundError */
export async function removeBackup(dataDir: string, name: string): Promise<void> {
  const folder = backupFolder(dataDir);
  const removed = rm(join(folder, name)).then(() => true);
  const wasThere = await ifMissing(removed, undefined);
  // Also if it was gone: an earlier request may have failed here. Otherwise the archive could reappear after a power cut.
  await ifMissing(flushFolder(folder), undefined);
  requireFound(wasThere, NO_BACKUP);
}

/**
 * Checks that scheduled backups can be stored in a folder, and creates it.
 * @throws InvalidRequestError with the reason
 */
export async function requireBackupFolder(dataDir: string, folder: string): Promise<void> {
  const refuse = (problem: FolderProblem, sentence: string) => new InvalidRequestError(sentence, { field: 'schedule.folder', problem });
  if (!isAbsolute(folder)) throw refuse('folder_not_absolute', 'Enter an absolute path.');
  const inside = relative(dataDir, folder);
  if (!inside.startsWith('..') && !isAbsolute(inside)) throw refuse('folder_in_use', 'Choose a folder outside the data folder.');
  try {
    for (const path of [folder, join(folder, 'snapshots'), join(folder, 'blobs')]) await makeFolder(path);
  } catch (error) {
    if (isMissing(error)) throw refuse('folder_missing', 'The parent folder doesn’t exist.');
    throw refuse('folder_denied', 'Pixdock can’t write to this folder.');
  }
}

/** Without its parent folders: a mistyped path must be noticed, and on some paths Node would retry forever. */
async function makeFolder(path: string) {
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
