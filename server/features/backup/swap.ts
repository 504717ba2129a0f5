import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RestoreFailure } from '#api/admin/backup.ts';
import { DAY_MS } from '#api/durations.ts';
import { flushFolder, writeDurably } from '#server/platform/files/durable.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { toJson } from './archive.ts';
import { pendingRestore, RESTORE } from './pending.ts';
import { reasonOf } from './reason.ts';

/** Below the data folder: what restores have replaced, in case it was the wrong backup. */
const REPLACED = 'replaced';
const KEEP_REPLACED_DAYS = 7;

/** Exists from the first move until the service has started with the restored data. */
const TRYING = 'trying.json';
/** The restored data didn't start: the former data must come back before anything is opened. */
const FAILED = 'failed.json';
/** A service that ends this often during its start without an error was killed: by its data, a watchdog or a loss of power. */
const MAX_STARTS = 3;

const trying = z.object({
  /** The files and folders that the former data consisted of. */
  former: z.array(z.string()),
  starts: z.int(),
});
const failed = z.object({ reason: z.string(), failed_at: z.iso.datetime() });

/** The files to replace, in this order: the log of the old database must be gone before the new one is in place. */
const PLACES = ['pixdock.db-wal', 'pixdock.db-shm', 'pixdock.db', 'secrets.json', 'blobs', 'policies'];

/** What was done with a prepared restore: it is in place, or it has failed and the former data is back. */
export type Settled = { applied: string; failure?: never } | { applied?: never; failure: RestoreFailure };

type Move = typeof rename;

/**
 * Moves a prepared restore into place, or moves it out again after it didn't start, before anything is opened. It may be
 * interrupted at any point and resumes at the next start, until {@link finishRestore}.
 * @param move renames; tests interrupt it
 */
export async function settleRestore(dataDir: string, move: Move = rename): Promise<Settled | undefined> {
  const pending = await pendingRestore(dataDir);
  if (!pending) {
    // The process was killed while it prepared a restore, or removed a finished one, whose state must not become that of the next.
    await rm(join(dataDir, RESTORE), { recursive: true, force: true });
    return undefined;
  }
  const prepared = join(dataDir, RESTORE, pending.folder);
  const replaced = join(dataDir, REPLACED, pending.folder);
  await mkdir(replaced, { recursive: true, mode: 0o700 });
  // They are those of other pictures, and are made again when they're needed.
  for (const folder of ['thumbs', 'cache']) await rm(join(dataDir, folder), { recursive: true, force: true });
  const before = await readState(dataDir, TRYING, trying);
  const { former, starts } = before ?? { former: PLACES.filter((place) => existsSync(join(dataDir, place))), starts: 0 };
  if (starts >= MAX_STARTS) await failRestore(dataDir, 'The service stopped several times before it finished starting.');
  const failure = await readState(dataDir, FAILED, failed);
  if (!failure) {
    await writeDurably(join(dataDir, RESTORE, TRYING), toJson({ former, starts: starts + 1 }));
    try {
      await moveIn(dataDir, prepared, replaced, move);
      return { applied: replaced };
    } catch (error) {
      await failRestore(dataDir, `Its files couldn’t be moved: ${reasonOf(error, dataDir)}`);
      throw error;
    }
  }
  await moveBack(dataDir, prepared, replaced, former, move);
  return { failure: { ...failure, created_at: pending.created_at } };
}

async function moveIn(dataDir: string, prepared: string, replaced: string, move: Move) {
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
}

async function moveBack(dataDir: string, prepared: string, replaced: string, former: readonly string[], move: Move) {
  await mkdir(prepared, { recursive: true, mode: 0o700 });
  for (const place of PLACES) {
    const kept = existsSync(join(replaced, place));
    if (former.includes(place) && !kept) continue; // it was never moved away, or is back
    if (existsSync(join(dataDir, place))) await move(join(dataDir, place), join(prepared, place));
    if (kept) await move(join(replaced, place), join(dataDir, place));
  }
  await flushFolder(dataDir);
}

/**
 * Notes that the restored data doesn't start: the next start brings the former data back. Does nothing when no restore is being
 * tried. Only the process that holds the data folder's lock may call it.
 */
export async function failRestore(dataDir: string, reason: string): Promise<void> {
  if (!existsSync(join(dataDir, RESTORE, TRYING)) || hasFailed(dataDir)) return;
  await writeDurably(join(dataDir, RESTORE, FAILED), toJson({ reason, failed_at: new Date().toISOString() }));
}

/** Whether the former data comes back with the next start. */
export const hasFailed = (dataDir: string): boolean => existsSync(join(dataDir, RESTORE, FAILED));

/** Takes back the count of a start that failed for another reason, such as a port in use. */
export async function forgiveStart(dataDir: string): Promise<void> {
  const state = await readState(dataDir, TRYING, trying);
  if (state) await writeDurably(join(dataDir, RESTORE, TRYING), toJson({ ...state, starts: state.starts - 1 }));
}

/** Ends a restore that has been settled: the service has started with what is in place. */
export async function finishRestore(dataDir: string): Promise<void> {
  const pending = await pendingRestore(dataDir);
  const hadFailed = hasFailed(dataDir);
  await rm(join(dataDir, RESTORE, 'ready.json'), { force: true });
  await rm(join(dataDir, RESTORE), { recursive: true, force: true });
  if (pending && hadFailed) await rm(join(dataDir, REPLACED, pending.folder), { recursive: true, force: true });
}

async function readState<T>(dataDir: string, name: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await ifMissing(readFile(join(dataDir, RESTORE, name), 'utf8'), undefined);
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

/** Removes the data that restores replaced more than a week before `now`; returns the number of restores. */
export async function removeReplaced(dataDir: string, now: number): Promise<number> {
  const root = join(dataDir, REPLACED);
  if (!existsSync(root)) return 0;
  let removed = 0;
  const failures: unknown[] = [];
  const removeOld = async (path: string) => {
    if ((await stat(path)).mtimeMs > now - KEEP_REPLACED_DAYS * DAY_MS) return;
    await rm(path, { recursive: true });
    removed++;
  };
  // One that can't be removed must not keep all others on the disk.
  for (const name of await readdir(root)) await removeOld(join(root, name)).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} folders of replaced data could not be removed`);
  return removed;
}
