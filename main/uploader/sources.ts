import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { type FormFields, formFields } from '#api/upload.ts';
import { Reason } from '#main/base/reasons.ts';
import { FileFault, type FileToSend } from '#transfer/post-form.ts';

const optionsSchema = z.object({ name: z.string().optional(), fields: formFields.optional() });
/** Options of an upload: its name and sharing options. */
export type SourceOptions = z.infer<typeof optionsSchema>;

/** A picture to upload: a local file. */
export interface Source {
  path: string;
  name: string;
  /** A capture written by the app, removed once it is uploaded or discarded. */
  capture: boolean;
  fields?: FormFields | undefined;
}

export function fileSource(path: string, { name = basename(path), fields }: SourceOptions = {}): Source {
  return { path, name, capture: false, fields };
}

/** Checks a source before it is sent. @throws Reason `notAFile`; the system's error when it doesn't exist */
export async function fileToSend({ path, name }: Source): Promise<FileToSend> {
  const found = await stat(path);
  // Opening a pipe would block until something writes to it.
  if (!found.isFile()) throw new Reason('notAFile');
  return { path, name, size: found.size };
}

/** Translates errors of the file into a {@link Reason}; other errors pass through. */
export function readingFailure(error: unknown): unknown {
  if (error instanceof FileFault) return new Reason('fileChanged', { cause: error });
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Reason('fileMissing', { cause: error });
  if (code === 'EACCES' || code === 'EPERM') return new Reason('fileUnreadable', { cause: error });
  return error;
}

/** Captures that wait for their upload, kept as files: a failed upload must not lose the clipboard's content. */
export interface Captures {
  /** `file` names the file, and the picture unless another name is given. */
  keep(bytes: Uint8Array, file: string, options?: SourceOptions): Promise<Source>;
  /** Takes over a file from elsewhere on the same disk. */
  adopt(path: string, options: SourceOptions): Promise<Source>;
  remove(source: Source): Promise<void>;
  /** Captures left by an earlier run. */
  left(): Promise<Source[]>;
}

const OPTIONS_EXT = '.json';

/** Captures in a private folder that only this user can read. */
export function openCaptures(folder: string): Captures {
  const capture = (file: string, { name = file, fields }: SourceOptions): Source => ({
    path: join(folder, file),
    name,
    capture: true,
    fields,
  });

  async function leftCapture(file: string): Promise<Source> {
    const text = await readFile(join(folder, file + OPTIONS_EXT), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    return capture(file, text === undefined ? {} : parseOptions(text));
  }

  /** Written before the picture: a private capture must never be found without its options. */
  async function noteOptions(file: string, asked: SourceOptions) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, file + OPTIONS_EXT), JSON.stringify(asked), { mode: 0o600, flag: 'wx' });
  }

  return {
    async adopt(path, asked) {
      const file = basename(path);
      await noteOptions(file, asked);
      await rename(path, join(folder, file));
      return capture(file, asked);
    },
    async keep(bytes, file, asked) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (asked) await noteOptions(file, asked);
      await writeFile(join(folder, file), bytes, { mode: 0o600, flag: 'wx' });
      return capture(file, asked ?? {});
    },
    async remove({ path, capture }) {
      if (!capture) return;
      await rm(path, { force: true });
      await rm(path + OPTIONS_EXT, { force: true });
    },
    async left() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const files = (await readdir(folder)).sort();
      const images = files.filter((file) => !file.endsWith(OPTIONS_EXT));
      const orphans = files.filter((file) => file.endsWith(OPTIONS_EXT) && !images.includes(file.slice(0, -OPTIONS_EXT.length)));
      await Promise.all(orphans.map((file) => rm(join(folder, file), { force: true })));
      return Promise.all(images.map(leftCapture));
    },
  };
}

/** A power cut may have damaged them: the picture is then private. */
function parseOptions(text: string): SourceOptions {
  try {
    return optionsSchema.parse(JSON.parse(text));
  } catch (error) {
    console.error('What was asked for a capture cannot be read; it is uploaded as private:', error);
    return { fields: { visibility: 'private' } };
  }
}
