import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { copyPathOf } from '#api/desktop/copy-name.ts';
import type { Preferences } from '#api/desktop/preferences.ts';
import type { Origin } from '#main/journal/batches.ts';
import type { Item } from '#main/journal/item.ts';
import { flushFolder } from '#server/platform/files/durable.ts';
import { writeStream } from '#server/platform/files/write-stream.ts';

interface Options {
  preferences(): Pick<Preferences, 'localCopy' | 'localCopyFolder' | 'localCopyName'>;
  /** Where copies go unless the user has chosen a folder. */
  usualFolder: string;
  /** What names call the source of a picture. */
  sourceName(origin: Origin | undefined): string;
  /** Called for the first copy that fails, and again only after one that didn't. */
  onFailed(name: string, error: unknown): void;
}

/** The folder of local copies. */
export const localCopyFolder = ({ localCopyFolder: chosen }: Pick<Preferences, 'localCopyFolder'>, usual: string): string =>
  chosen ?? usual;

/** Returns a function that saves a copy of an upload that has arrived, if the user wants one. It never rejects. Files of watch folders are in a folder already. */
export function createLocalCopies({ preferences, usualFolder, sourceName, onFailed }: Options) {
  let isFailing = false;
  /** Where the search for a free number begins, by the path that has the number 1; only for those that were taken. */
  const next = new Map<string, number>();

  async function save({ path, name, addedAt }: Item, origin: Origin | undefined) {
    const chosen = preferences();
    const folder = localCopyFolder(chosen, usualFolder);
    const copied = { at: new Date(addedAt), app: sourceName(origin), name };
    const pathOf = (number: number) => join(folder, ...copyPathOf(chosen.localCopyName, copied, number));
    const first = pathOf(1);
    for (let number = next.get(first) ?? 1; ; number += 1) {
      if (!(await place(path, pathOf(number)))) continue;
      if (number > 1) next.set(first, number + 1);
      return;
    }
  }

  return async (item: Item, origin: Origin | undefined): Promise<void> => {
    const { localCopy } = preferences();
    if (localCopy === 'none' || item.folder || (localCopy === 'captures' && !item.spooled)) return;
    try {
      await save(item, origin);
      isFailing = false;
    } catch (error) {
      console.error('Couldn’t save a copy of an uploaded picture:', error);
      if (!isFailing) onFailed(item.name, error);
      isFailing = true;
    }
  };
}

/** Copies a file to a new one; false if there is one already. After a failure, nothing is left. */
async function place(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await writeStream(to, { flags: 'wx', flush: true, mode: 0o666 }, (file) => pipeline(createReadStream(from), file));
    await flushFolder(dirname(to));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    await rm(to, { force: true });
    throw error;
  }
}
