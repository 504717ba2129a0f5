import { openAsBlob } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Reason } from '../reasons.ts';

/** A picture to upload: a file of this computer. */
export interface Source {
  path: string;
  name: string;
  /** A capture that we have written ourselves, and that is removed once it is uploaded or discarded. */
  capture: boolean;
}

export function fileSource(path: string): Source {
  return { path, name: basename(path), capture: false };
}

/** Opens a source for sending; its bytes are read only as they are sent. Throws a {@link Reason} when it cannot be read. */
export async function openSource({ path }: Source): Promise<Blob> {
  try {
    if ((await stat(path)).isDirectory()) throw new Reason('notAFile');
    return await openAsBlob(path);
  } catch (error) {
    throw readingFailure(error);
  }
}

function readingFailure(error: unknown) {
  if (error instanceof Reason || !(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Reason('fileMissing', { cause: error });
  if (code === 'EACCES' || code === 'EPERM') return new Reason('fileUnreadable', { cause: error });
  return error;
}

/** Captures that wait for their upload, kept as files: what was on the clipboard must not be lost when an upload fails. */
export interface Captures {
  keep(bytes: Uint8Array, name: string): Promise<Source>;
  remove(source: Source): Promise<void>;
  /** What an earlier run of the app has left behind. */
  left(): Promise<Source[]>;
}

/** The captures in a folder of their own, readable by this person only. */
export function openCaptures(folder: string): Captures {
  return {
    async keep(bytes, name) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, name);
      await writeFile(path, bytes, { mode: 0o600, flag: 'wx' });
      return { path, name, capture: true };
    },
    async remove({ path, capture }) {
      if (capture) await rm(path, { force: true });
    },
    async left() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return (await readdir(folder)).sort().map((name) => ({ path: join(folder, name), name, capture: true }));
    },
  };
}
