import { Buffer, isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { type OpenFile, openInside } from './open-file.ts';
import { FileFault } from './post-form.ts';
import type { Filters } from './select.ts';

/** A file or folder in the walked folder, or that folder itself. */
export interface Entry {
  /** Raw, because names needn't be valid UTF-8. */
  path: Buffer;
  /** Relative to the walked folder, with `/` between names, `''` for that folder itself; invalid UTF-8 is replaced. */
  relative: string;
}

/** A file to upload. */
export interface FoundFile extends Entry {
  /** The walked folder. */
  root: string;
  /** The folder of `relative`, `''` for the walked folder itself. */
  folder: string;
  size: number;
  /** Nanoseconds since 1970. */
  mtime: bigint;
  /** When the entry itself last changed, for example was moved: nanoseconds since 1970. */
  ctime: bigint;
  /** The file system's number of it. */
  inode: bigint;
  /** False if the name had to be changed to be shown and sent. */
  nameIsText: boolean;
}

/** Why an entry is skipped. */
export type Skip = 'symlink' | 'other_type' | 'hidden' | 'excluded_folder' | 'special';

export interface WalkEvents {
  onSkip(reason: Skip, relative: string): void;
  /** Called for a file or folder that can't be read. */
  onError(entry: Entry, error: Error): Promise<void>;
}

/** A string if it is UTF-8: a folder may have 100,000 names, and strings take a tenth of the memory. */
type Name = string | Buffer;

/** The entries of one folder to upload or visit, in order. */
interface Listing {
  files: Name[];
  folders: Name[];
}

const SLASH = Buffer.from('/');
/** Names read at once. */
const BATCH = 256;

/**
 * Walks a folder and yields its images: those of each folder in the order of their names, then its subfolders in theirs.
 * Symbolic links aren't followed, so the walk ends and nothing outside the folder is read. Memory holds the names of one folder and the
 * folders still to visit.
 * @param start the subfolder to walk, relative to `root`; default: all of it
 */
export async function* walk(root: string, filters: Filters, events: WalkEvents, start = ''): AsyncGenerator<FoundFile> {
  const waiting: Entry[] = [{ path: Buffer.from(start ? `${root}/${start}` : root), relative: start }];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const { files, folders } = await list(folder, filters, events);
    for (const name of files) {
      const file = await describe(below(folder, name), folder.relative, typeof name === 'string', events);
      if (file) yield { root, ...file };
    }
    // The next one is taken from the end.
    for (const name of folders.reverse()) waiting.push(below(folder, name));
  }
}

/**
 * Opens a file that a walk has found, without following links out of the walked folder, which must be a real path.
 * @throws FileFault if it is another one by now, NotAFile, OutsideFolders, or the system's error
 */
export async function openFound({ path, root, size }: Pick<FoundFile, 'path' | 'root' | 'size'>): Promise<OpenFile> {
  const file = await openInside(path, [root]);
  if (file.size === size) return file;
  await file[Symbol.asyncDispose]();
  throw new FileFault('changed since it was found');
}

async function list(folder: Entry, filters: Filters, events: WalkEvents): Promise<Listing> {
  const listing: Listing = { files: [], folders: [] };
  try {
    // Node's types for this call don't know raw names.
    for await (const entry of await opendir(folder.path, { encoding: 'buffer' as BufferEncoding, bufferSize: BATCH })) {
      const raw = (entry as unknown as Dirent<Buffer>).name;
      const name = isUtf8(raw) ? raw.toString() : raw;
      const { relative } = below(folder, name);
      const skip = reasonToSkip(entry, name.toString(), relative, filters);
      if (skip) events.onSkip(skip, relative);
      else (entry.isDirectory() ? listing.folders : listing.files).push(name);
    }
  } catch (error) {
    await events.onError(folder, error as Error);
  }
  listing.files.sort(inOrder);
  listing.folders.sort(inOrder);
  return listing;
}

function below({ path, relative }: Entry, name: Name): Entry {
  const raw = typeof name === 'string' ? Buffer.from(name) : name;
  return { path: Buffer.concat([path, SLASH, raw]), relative: relative ? `${relative}/${name}` : name.toString() };
}

/** The same order in every locale; numbers compare as numbers, so that 9 comes before 10. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

function inOrder(a: Name, b: Name): number {
  return COLLATOR.compare(a.toString(), b.toString()) || Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function reasonToSkip(entry: Dirent, name: string, relative: string, filters: Filters): Skip | undefined {
  if (filters.isHidden(name)) return 'hidden';
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return filters.recursive && filters.takesFolder(relative) ? undefined : 'excluded_folder';
  if (!entry.isFile()) return 'special';
  return filters.takesFile(relative) ? undefined : 'other_type';
}

async function describe(
  entry: Entry,
  folder: string,
  nameIsText: boolean,
  events: WalkEvents,
): Promise<Omit<FoundFile, 'root'> | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await lstat(entry.path, { bigint: true });
    return { ...entry, folder, size: Number(size), mtime: mtimeNs, ctime: ctimeNs, inode: ino, nameIsText };
  } catch (error) {
    await events.onError(entry, error as Error);
    return undefined;
  }
}
