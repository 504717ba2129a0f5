import { rmdir, unlink } from 'node:fs/promises';

/** Removes a file; one that is not there is fine. Half the calls of `rm`, which first looks what it is. */
export const removeFile = (path: string): Promise<void> => unlessMissing(unlink(path));

/** Removes an empty folder; one that is not there is fine. */
export const removeEmptyFolder = (path: string): Promise<void> => unlessMissing(rmdir(path));

async function unlessMissing(removal: Promise<void>): Promise<void> {
  await removal.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
