import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The sizes of all files below a folder together, in bytes; 0 when it is not there. Files that go meanwhile count nothing. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for await (const path of filesBelow(folder)) bytes += (await orIfMissing(stat(path)))?.size ?? 0;
  return bytes;
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await orIfMissing(opendir(folder));
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

async function orIfMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
