import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { holdsPixdock } from '#main/base/files/holds-pixdock.ts';

/** Where the data is, and what the user should know about it. */
export interface DataFolder {
  path: string;
  /** Data of an earlier version stays outside the default folder, because that one holds data too or is on another disk. */
  stays?: true;
}

interface Options {
  /** Chosen with PIXDOCK_DATA_DIR. */
  chosen?: string | undefined;
  /** The default, the same as for the headless service. */
  usual: string;
  /** Where earlier versions of the app kept the data. */
  earlier: string;
}

/**
 * Finds the data folder, and moves the data of an earlier version to the default folder: by one rename, so that a crash leaves it
 * in either place. Data that can't be renamed stays where it is. Call it before the service starts.
 */
export function findDataFolder({ chosen, usual, earlier }: Options): DataFolder {
  if (chosen !== undefined) return { path: chosen };
  if (usual === earlier || !holdsPixdock(earlier)) return { path: usual };
  if (isInUse(earlier)) return { path: earlier }; // the service of a killed app may still be stopping: moved at the next start
  if (!isFree(usual) || lstatSync(earlier).isSymbolicLink()) return { path: earlier, stays: true };
  try {
    mkdirSync(dirname(usual), { recursive: true });
    if (existsSync(usual)) rmdirSync(usual); // Windows renames to nothing that exists
    renameSync(earlier, usual);
    console.info(`Moved the data folder from ${earlier} to ${usual}.`);
    return { path: usual };
  } catch (error) {
    console.error(`Couldn’t move the data folder, which stays in ${earlier}:`, error);
    return { path: earlier, stays: true };
  }
}

/** Whether the folder doesn't exist or is empty. */
function isFree(folder: string) {
  return !existsSync(folder) || readdirSync(folder).length === 0;
}

/** Whether a service holds the folder's lock; see `lockFile` in the service. */
function isInUse(folder: string) {
  const path = join(folder, 'pixdock.lock');
  if (!existsSync(path)) return false;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    lock.exec('rollback');
    return false;
  } catch (error) {
    console.error(`Couldn’t move ${folder}, which is in use:`, error);
    return true;
  } finally {
    lock.close();
  }
}
