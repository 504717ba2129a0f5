import { Buffer, isUtf8 } from 'node:buffer';
import type { Dir, Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import type { Filters } from './filters.ts';

/** A file that is to be uploaded. */
export interface FoundFile {
  /** As the system has it: names need not be valid UTF-8. */
  path: Buffer;
  /** Below the imported folder, with `/` between names; what is not UTF-8 in it is replaced. */
  relative: string;
  /** The folder of that, `''` for the imported folder itself. */
  folder: string;
  size: number;
  /** Nanoseconds since 1970. */
  mtime: bigint;
  /** False where the name had to be changed to be shown and sent. */
  nameIsText: boolean;
}

/** Why something in the folder is no file to upload. */
export type Skip = 'symlink' | 'other_type' | 'hidden' | 'excluded_folder' | 'special';

export interface WalkEvents {
  onSkip(reason: Skip, relative: string): void;
  /** A folder or file that could not be looked at. */
  onError(relative: string, error: Error): void;
}

interface Folder {
  path: Buffer;
  relative: string;
}

const SLASH = Buffer.from('/');

/**
 * Walks a folder and yields its pictures one by one, in the system's order. Symbolic links are not followed, so it ends, and nothing
 * outside the folder is read. Memory holds the folders still to visit, never their files.
 */
export async function* walk(root: string, filters: Filters, events: WalkEvents): AsyncGenerator<FoundFile> {
  const waiting: Folder[] = [{ path: Buffer.from(root), relative: '' }];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const entries = await openFolder(folder, events);
    if (!entries) continue;
    for await (const entry of entries) {
      const name = (entry as unknown as Dirent<Buffer>).name;
      const child = {
        path: Buffer.concat([folder.path, SLASH, name]),
        relative: folder.relative ? `${folder.relative}/${name}` : name.toString(),
      };
      const skip = reasonToSkip(entry, name.toString(), child.relative, filters);
      if (skip) events.onSkip(skip, child.relative);
      else if (entry.isDirectory()) waiting.push(child);
      else {
        const file = await describe(child, folder.relative, isUtf8(name), events);
        if (file) yield file;
      }
    }
  }
}

/** Opens a folder with raw names, which the types of Node do not know for this call. */
async function openFolder({ path, relative }: Folder, events: WalkEvents): Promise<Dir | undefined> {
  try {
    return await opendir(path, { encoding: 'buffer' as BufferEncoding });
  } catch (error) {
    events.onError(relative || '.', error as Error);
    return undefined;
  }
}

function reasonToSkip(entry: Dirent, name: string, relative: string, filters: Filters): Skip | undefined {
  if (filters.isHidden(name)) return 'hidden';
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return filters.recursive && filters.takesFolder(relative) ? undefined : 'excluded_folder';
  if (!entry.isFile()) return 'special';
  return filters.takesFile(relative) ? undefined : 'other_type';
}

async function describe(
  { path, relative }: Folder,
  folder: string,
  nameIsText: boolean,
  events: WalkEvents,
): Promise<FoundFile | undefined> {
  try {
    const { size, mtimeNs } = await lstat(path, { bigint: true });
    return { path, relative, folder, size: Number(size), mtime: mtimeNs, nameIsText };
  } catch (error) {
    events.onError(relative, error as Error);
    return undefined;
  }
}
