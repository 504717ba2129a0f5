import { chmod, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file atomically: after a crash or a full disk, the path has the previous file or the new one.
 * @param mode its permissions, whatever the umask
 */
export async function replaceFile(path: string, data: string | Uint8Array, mode: number): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, data, { mode, flag: 'wx', flush: true });
    await chmod(draft, mode);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
