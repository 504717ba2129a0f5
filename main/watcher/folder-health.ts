import { access, constants, stat } from 'node:fs/promises';
import { type Failure, failureOf, Reason } from '#main/base/reasons.ts';
import type { Folder } from '#main/journal/folders.ts';
import { isMissing } from './files/content.ts';
import { canBe, identify } from './volume.ts';

/** Why a folder can't be read. `waiting`: it may come back; `problem`: the user has to act. */
export interface Trouble {
  state: 'waiting' | 'problem';
  reason: Failure;
}

/** Why a folder can't be read now; undefined: it can. */
export async function troubleOf({ path, volume }: Folder): Promise<Trouble | undefined> {
  try {
    if (!(await stat(path)).isDirectory()) return { state: 'problem', reason: failureOf(new Reason('folderIsFile')) };
    await access(path, constants.R_OK);
    return canBe(volume, await identify(path)) ? undefined : { state: 'waiting', reason: failureOf(new Reason('otherDrive')) };
  } catch (error) {
    if (isMissing(error)) return { state: 'waiting', reason: failureOf(new Reason('folderMissing')) };
    return { state: 'problem', reason: failureOf(new Reason('folderUnreadable', { cause: error as Error })) };
  }
}
