import { randomUUID } from 'node:crypto';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Where to write a file until it is complete: beside its place, and under a short name, since its own may be as long as the system allows. */
export const draftOf = (path: string): string => join(dirname(path), `.pixdock-${randomUUID()}.part`);

/**
 * Writes a file atomically: after a crash or a full disk, the path has the previous file or the new one.
 * @param mode its permissions, whatever the umask
 */
export async function writeAtomically(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeFile(draft, data, { mode, flag: 'wx', flush: true });
    await chmod(draft, mode);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
