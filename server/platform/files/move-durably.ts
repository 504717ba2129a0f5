import { copyFile, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { flushFolder } from './durable.ts';

type Rename = (from: string, to: string) => Promise<void>;

/** The path of a copy before it is complete. */
export const unfinishedCopy = (target: string) => `${target}.part`;

/**
 * Flushes a file and moves it so that it is complete at `target` or absent, even after a power cut. Across file systems it is
 * copied beside `target`, flushed, and renamed last.
 */
export async function moveDurably(path: string, target: string, renameFile: Rename = rename): Promise<void> {
  await flushFile(path);
  try {
    await renameFile(path, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyAcross(path, target);
  }
  await flushFolder(dirname(target));
}

async function copyAcross(path: string, target: string) {
  const copy = unfinishedCopy(target);
  try {
    await copyFile(path, copy);
    await flushFile(copy);
    await rename(copy, target);
  } catch (error) {
    await rm(copy, { force: true });
    throw error;
  }
  await rm(path, { force: true });
}

async function flushFile(path: string) {
  const handle = await open(path, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
