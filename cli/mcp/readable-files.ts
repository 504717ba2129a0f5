import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { NotAFile, OutsideFolders, openInside } from '#transfer/open-file.ts';
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
  const outside = (path: string) => new CommandError(`${path} isn’t in a folder that may be read. There are: ${folders.join(', ')}.`);
  return {
    async open(path) {
      const [first] = roots;
      if (!first) throw new CommandError(NONE);
      const wanted = resolve(first.given, path);
      if (!roots.some(({ given, real }) => isInside(given, wanted) || isInside(real, wanted))) throw outside(path);
      const real = await realpath(wanted).catch(() => undefined);
      if (real === undefined) throw new CommandError(`There’s no file ${path}.`);
      const folders = roots.map((root) => root.real);
      const file = await openInside(real, folders).catch((error: unknown) => {
        if (error instanceof OutsideFolders) throw outside(path);
        throw error instanceof NotAFile ? new CommandError(`${path} isn’t a file.`, { cause: error }) : error;
      });
      return { ...file, name: basename(real) };
    },
  };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
