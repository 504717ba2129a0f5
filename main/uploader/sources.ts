import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type FormFields, formFields } from '#api/upload.ts';
import { Reason } from '#main/base/reasons.ts';
import { FileFault, type FileToSend } from '#transfer/post-form.ts';

const wishes = z.object({ name: z.string().optional(), fields: formFields.optional() });
/** What somebody has asked for a picture: its name, and how it is to be shared. */
export type Wishes = z.infer<typeof wishes>;

/** A picture to upload: a file of this computer. */
export interface Source {
  path: string;
  name: string;
  /** A capture that we have written ourselves, and that is removed once it is uploaded or discarded. */
  capture: boolean;
  fields?: FormFields | undefined;
}

export function fileSource(path: string, { name = basename(path), fields }: Wishes = {}): Source {
  return { path, name, capture: false, fields };
}

/** Looks at a source that is to be sent. @throws Reason `notAFile`; the system's error when it is not there */
export async function fileToSend({ path, name }: Source): Promise<FileToSend> {
  const found = await stat(path);
  // Opening a pipe would stop everything until somebody writes into it.
  if (!found.isFile()) throw new Reason('notAFile');
  return { path, name, size: found.size };
}

/** Puts what went wrong with the file itself into a {@link Reason}; other errors stay what they are. */
export function readingFailure(error: unknown): unknown {
  if (error instanceof FileFault) return new Reason('fileChanged', { cause: error });
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Reason('fileMissing', { cause: error });
  if (code === 'EACCES' || code === 'EPERM') return new Reason('fileUnreadable', { cause: error });
  return error;
}

/** Captures that wait for their upload, kept as files: what was on the clipboard must not be lost when an upload fails. */
export interface Captures {
  /** `file` names the file that is written, and the picture unless it is asked otherwise. */
  keep(bytes: Uint8Array, file: string, wishes?: Wishes): Promise<Source>;
  /** Takes over a file that was written elsewhere on the same disk. */
  adopt(path: string, wishes: Wishes): Promise<Source>;
  remove(source: Source): Promise<void>;
  /** What an earlier run of the app has left behind. */
  left(): Promise<Source[]>;
}

const WISHES_EXT = '.json';

/** The captures in a folder of their own, readable by this person only. */
export function openCaptures(folder: string): Captures {
  const capture = (file: string, { name = file, fields }: Wishes): Source => ({ path: join(folder, file), name, capture: true, fields });

  async function leftCapture(file: string): Promise<Source> {
    const text = await readFile(join(folder, file + WISHES_EXT), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    return capture(file, text === undefined ? {} : parseWishes(text));
  }

  /** Before the picture is there: a private capture must never be found without its wishes. */
  async function noteWishes(file: string, asked: Wishes) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, file + WISHES_EXT), JSON.stringify(asked), { mode: 0o600, flag: 'wx' });
  }

  return {
    async adopt(path, asked) {
      const file = basename(path);
      await noteWishes(file, asked);
      await rename(path, join(folder, file));
      return capture(file, asked);
    },
    async keep(bytes, file, asked) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (asked) await noteWishes(file, asked);
      await writeFile(join(folder, file), bytes, { mode: 0o600, flag: 'wx' });
      return capture(file, asked ?? {});
    },
    async remove({ path, capture }) {
      if (!capture) return;
      await rm(path, { force: true });
      await rm(path + WISHES_EXT, { force: true });
    },
    async left() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const files = (await readdir(folder)).sort();
      const images = files.filter((file) => !file.endsWith(WISHES_EXT));
      const orphans = files.filter((file) => file.endsWith(WISHES_EXT) && !images.includes(file.slice(0, -WISHES_EXT.length)));
      await Promise.all(orphans.map((file) => rm(join(folder, file), { force: true })));
      return Promise.all(images.map(leftCapture));
    },
  };
}

/** A power cut may have damaged them: the picture then stays with its owner. */
function parseWishes(text: string): Wishes {
  try {
    return wishes.parse(JSON.parse(text));
  } catch (error) {
    console.error('What was asked for a capture cannot be read; it is uploaded as private:', error);
    return { fields: { visibility: 'private' } };
  }
}
