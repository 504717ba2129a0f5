import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { formFields } from '#api/images/upload.ts';
import type { Item, NewItem } from '#main/journal/item.ts';
import { flushFolder, writeAll, writeDurably } from '#server/platform/files/durable.ts';

export const sourceOptions = z.object({ name: z.string().optional(), fields: formFields.optional() });
/** Options of an upload: its name and sharing options. */
export type SourceOptions = z.infer<typeof sourceOptions>;

/** Files that exist nowhere else, such as the clipboard's content: kept until they are uploaded or discarded. */
export interface Spool {
  /** `file` gives the extension, and the name of the image unless the options do. Resolves once a power cut can't lose it. */
  keep(bytes: Uint8Array, file: string, options?: SourceOptions): Promise<NewItem>;
  /** The absolute path of a new file, which grows. `file` gives the extension. */
  newFile(file: string): Promise<string>;
  /** The same for a file elsewhere on this disk, which is moved. */
  adopt(path: string, options?: SourceOptions): Promise<NewItem>;
  /** Begins a file that is written in parts. */
  begin(file: string): Promise<SpoolWriter>;
  /** Removes a file, if it is the spool's own. */
  remove(path: string): Promise<void>;
  /** Where the poster of a video is, if it has one: beside a file of the spool, else under the id of the upload. */
  posterOf(item: Pick<Item, 'id' | 'path' | 'spooled'>): string;
  /** Keeps a JPEG as a poster, at one of the paths of {@link posterOf}. */
  keepPoster(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes what a crash left behind: files that the journal doesn't need. `needed`: paths, and ids of uploads whose files aren't here. */
  clean(needed: readonly string[]): Promise<void>;
}

/** A file of the spool that is being written. What isn't finished is removed at the next start. */
export interface SpoolWriter {
  /** Absolute path. */
  path: string;
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** As for {@link Spool.keep}. Nothing can be written afterwards. */
  finish(): Promise<NewItem>;
  /** Removes it. */
  abandon(): Promise<void>;
}

/** The names that the spool gives. Whatever else is in its folder isn't touched. */
const OWN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[0-9a-z]{1,8})?(\.poster\.jpg)?(\.new)?$/;
/** What follows the name of a file in that of its poster. */
const POSTER = '.poster.jpg';
/** Where the poster of a file of the spool is, if it has one. */
export const posterBeside = (path: string): string => path + POSTER;

/** An item for a file that stays where it is. */
export function fileItem(path: string, { name = basename(path), fields }: SourceOptions = {}): NewItem {
  return { path, name, spooled: false, fields };
}

/** The spool in a folder that only this user can read. */
export function openSpool(folder: string): Spool {
  const ready = () => mkdir(folder, { recursive: true, mode: 0o700 });
  /** Names of this run: the journal may not know them yet. */
  const own = new Set<string>();
  async function newFile(file: string) {
    await ready();
    const name = randomUUID() + extensionOf(file);
    own.add(name);
    return join(folder, name);
  }

  return {
    async keep(bytes, file, { name = file, fields } = {}) {
      const path = await newFile(file);
      await writeDurably(path, bytes);
      return { path, name, spooled: true, fields, size: bytes.byteLength };
    },
    newFile,
    async adopt(from, { name = basename(from), fields } = {}) {
      const path = await newFile(name);
      await using handle = await open(from, 'r+');
      await handle.sync();
      const { size } = await handle.stat();
      await rename(from, path);
      await flushFolder(folder);
      return { path, name, spooled: true, fields, size };
    },
    async begin(name) {
      const path = await newFile(name);
      const handle = await open(path, 'wx', 0o600);
      return {
        path,
        write: (bytes, position) => writeAll(handle, bytes, position),
        async finish() {
          await handle.sync();
          const { size } = await handle.stat();
          await handle.close();
          await flushFolder(folder);
          return { path, name, spooled: true, size };
        },
        async abandon() {
          await handle.close();
          await rm(path, { force: true });
          own.delete(basename(path));
        },
      };
    },
    async remove(path) {
      if (path !== join(folder, basename(path)) || !OWN_NAME.test(basename(path))) return;
      await rm(path, { force: true });
      own.delete(basename(path));
    },
    posterOf: ({ id, path, spooled }) => posterBeside(spooled ? path : join(folder, id)),
    async keepPoster(path, bytes) {
      await ready();
      own.add(basename(path, POSTER));
      await writeDurably(path, bytes);
    },
    async clean(needed) {
      await ready();
      const keep = new Set(needed.flatMap((path) => [basename(path), basename(path) + POSTER]));
      const left = (await readdir(folder)).filter(
        (name) => OWN_NAME.test(name) && !keep.has(name) && !own.has(name.replace(/(\.poster\.jpg)?(\.new)?$/, '')),
      );
      await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    },
  };
}

function extensionOf(file: string) {
  const ext = extname(file).toLowerCase();
  return /^\.[0-9a-z]{1,8}$/.test(ext) ? ext : '';
}
