import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChosenFolder } from '#api/desktop/setup.ts';
import { holdsPixdock } from '#main/base/files/holds-pixdock.ts';
import { Reason } from '#main/base/reasons.ts';
import { hazardOf } from '#server/platform/files/folder-hazard.ts';
import { ifMissing } from '#server/platform/files/missing.ts';

/**
 * Checks a folder that the user chose for a new service, or as the data of an existing one. The service itself checks the rest
 * when it starts: whether another one uses the folder, and whether it is from a newer version.
 */
export async function checkDataFolder(path: string, purpose: 'new' | 'existing', hazardIn = hazardOf): Promise<ChosenFolder> {
  const chosen = await usableFolder(path, purpose);
  if (chosen.problem) return chosen;
  const hazard = await hazardIn(chosen.path);
  if (hazard === 'network') return { ...chosen, problem: 'on_network' };
  return hazard === 'synchronised' ? { ...chosen, synchronised: true } : chosen;
}

/**
 * Checks the folder that a new service gets unless the user chooses one.
 * @throws Reason if it is on a network share
 */
export async function requireUsable(usualFolder: string, hazardIn = hazardOf): Promise<void> {
  if ((await hazardIn(usualFolder)) === 'network') throw new Reason('usualFolderOnNetwork', { detail: usualFolder });
}

async function usableFolder(path: string, purpose: 'new' | 'existing'): Promise<ChosenFolder> {
  const found = pixdockIn(path);
  if (purpose === 'existing' && !found) return { path, problem: 'not_pixdock' };
  if (!(await isWritable(found ?? path))) return { path: found ?? path, problem: 'not_writable' };
  if (found) return { path: found };
  // Among other files, a new service gets a folder of its own.
  return (await isEmpty(path)) ? { path } : ownFolderIn(path);
}

async function ownFolderIn(parent: string): Promise<ChosenFolder> {
  const path = join(parent, 'Pixdock');
  return holdsPixdock(path) || (await isEmpty(path)) ? { path } : { path, problem: 'not_empty' };
}

/** The folder itself, or the `data` folder inside the app's own, which is easily chosen in its place. */
function pixdockIn(path: string): string | undefined {
  return [path, join(path, 'data')].find((candidate) => holdsPixdock(candidate));
}

/** True also for a folder that doesn't exist yet. */
async function isEmpty(path: string) {
  return (await ifMissing(readdir(path), [])).length === 0;
}

async function isWritable(path: string) {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false; // read-only, or not ours
  }
}
