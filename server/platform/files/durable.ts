import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Flushes a folder's entries to the disk, so that renames and removals in it survive a power cut.
 * Windows has no such call; NTFS journals renames.
 */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Flushes a folder and those above it, up to `root`: any of them may be new. */
export async function flushFolders(path: string, root: string): Promise<void> {
  for (let folder = path; folder.length >= root.length; folder = dirname(folder)) await flushFolder(folder);
}

/** Writes all bytes at a position: a single write may take only some of them. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.byteLength; )
    written += (await file.write(bytes, written, bytes.byteLength - written, position + written)).bytesWritten;
}

/** Writes a small file atomically: after a crash it is either complete or absent. */
export async function writeDurably(path: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  const aside = `${path}.new`;
  const handle = await open(aside, 'w', mode);
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(aside, path);
  await flushFolder(dirname(path));
}
