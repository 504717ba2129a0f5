import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifMissing } from '#server/platform/files/missing.ts';

/** The total size of all files below a folder, in bytes; 0 if it doesn't exist. Files removed meanwhile don't count. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for await (const path of filesBelow(folder)) bytes += (await ifMissing(stat(path), undefined))?.size ?? 0;
  return bytes;
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await ifMissing(opendir(folder), undefined);
  if (!entries) return;
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
