import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { NotAFile, OutsideFolders, openInside } from '#transfer/open-file.ts';
import { NotOnDisk, realPlace } from '#transfer/real-path.ts';
import { CommandError, UsageError } from '../errors.ts';
import type { ImageSource } from '../image-source.ts';

/** The folders whose files a program may read. */
export interface ReadableFiles {
  /**
   * Opens a regular file in one of the folders; a relative path starts in the first.
   * @throws CommandError if it is elsewhere, or a link leads out. Whether a file elsewhere exists isn't said
   */
  open(path: string): Promise<ImageSource>;
}

const NONE = 'No files can be read: start `pixdock mcp` with --folder and the folder that has the pictures.';

/** @throws UsageError if a folder doesn't exist */
export async function readableFiles(folders: readonly string[]): Promise<ReadableFiles> {
  const roots = await Promise.all(
    folders.map(async (folder) => {
      const given = resolve(folder);
      const real = await realpath(given).catch(() => undefined);
      if (real === undefined || !(await stat(real)).isDirectory()) throw new UsageError(`${folder} isn’t a folder.`);
      return { given, real };
    }),
  );
  const allowed = roots.map(({ real }) => real);
  const outside = (path: string, cause?: unknown) =>
    new CommandError(`${path} isn’t in a folder that may be read. There are: ${folders.join(', ')}.`, { cause });
  /** What is said of an error: nothing about files elsewhere. */
  const explain = (error: unknown, path: string) => {
    if (error instanceof NotAFile) return new CommandError(`${path} isn’t a file.`, { cause: error });
    if (error instanceof OutsideFolders || error instanceof NotOnDisk) return outside(path, error);
    const { path: at, code = '' } = error as NodeJS.ErrnoException;
    if (at !== undefined && !allowed.some((folder) => isInside(folder, at))) return outside(path, error);
    return ['ENOENT', 'ENOTDIR'].includes(code) ? new CommandError(`There’s no file ${path}.`, { cause: error }) : error;
  };

  return {
    async open(path) {
      const [first] = roots;
      if (!first) throw new CommandError(NONE);
      const wanted = resolve(first.given, path);
      const root = roots.find(({ given, real }) => isInside(given, wanted) || isInside(real, wanted));
      if (!root) throw outside(path);
      try {
        const way = relative(isInside(root.given, wanted) ? root.given : root.real, wanted);
        const place = await realPlace(join(root.real, way), { trusted: allowed });
        return { ...(await openInside(place.path, allowed)), name: basename(place.path) };
      } catch (error) {
        throw explain(error, path);
      }
    },
  };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
