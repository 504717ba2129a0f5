import files from 'node:fs';
import { dirname } from 'node:path';
import { faultOf } from '#server/platform/base/faults.ts';
import type { PlaceJob, PlaceResult } from './file-thread.ts';

/** Writes files durably to their places. Blocks: it runs in a thread of its own. */
export function placeFiles(jobs: readonly PlaceJob[]): PlaceResult[] {
  const faults = jobs.map((job) => outcomeOf(() => placeFile(job)));
  const flushed = new Map<string, PlaceResult>();
  return jobs.map((job, i) => {
    if (faults[i]) return faults[i];
    for (const folder of foldersOf(job)) {
      if (!flushed.has(folder))
        flushed.set(
          folder,
          outcomeOf(() => flushFolder(folder)),
        );
      if (flushed.get(folder)) return flushed.get(folder);
    }
    return undefined;
  });
}

function outcomeOf(work: () => void): PlaceResult {
  try {
    work();
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

function placeFile({ path, bytes, target }: PlaceJob) {
  try {
    writeAndFlush(path, bytes);
    files.mkdirSync(dirname(target), { recursive: true });
    files.renameSync(path, target);
  } catch (error) {
    files.rmSync(path, { force: true });
    throw error;
  }
}

function writeAndFlush(path: string, bytes: Uint8Array) {
  const descriptor = files.openSync(path, 'wx', 0o600);
  try {
    for (let from = 0; from < bytes.length; ) from += files.writeSync(descriptor, bytes, from);
    files.fdatasyncSync(descriptor);
  } finally {
    files.closeSync(descriptor);
  }
}

/** From a file's folder up to its root. They are flushed whether or not they are new, so that the work is the same. */
function foldersOf({ target, root }: PlaceJob): string[] {
  const folders: string[] = [];
  for (let folder = dirname(target); folder.length >= root.length; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Windows has no such call; NTFS journals renames. */
function flushFolder(path: string) {
  if (process.platform === 'win32') return;
  const descriptor = files.openSync(path, 'r');
  try {
    files.fsyncSync(descriptor);
  } finally {
    files.closeSync(descriptor);
  }
}
