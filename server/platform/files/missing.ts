import { type FileHandle, rmdir, unlink } from 'node:fs/promises';

/** Whether a file operation failed because a file or folder doesn't exist. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** The result of a file operation, or `fallback` when what it needs doesn't exist. */
export async function ifMissing<T, F>(operation: Promise<T>, fallback: F): Promise<T | F> {
  try {
    return await operation;
  } catch (error) {
    if (isMissing(error)) return fallback;
    throw error;
  }
}

/** The size of an open file, which is closed if that can't be read. */
export async function sizeOf(handle: FileHandle): Promise<number> {
  try {
    return (await handle.stat()).size;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Removes a file if it exists. Half the system calls of `rm`, which looks first at what it removes. */
export const removeFile = (path: string): Promise<void> => ifMissing(unlink(path), undefined);

/** Removes an empty folder if it exists. */
export const removeEmptyFolder = (path: string): Promise<void> => ifMissing(rmdir(path), undefined);
