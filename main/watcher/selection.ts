import { relative, sep } from 'node:path';
import type { FolderOptions } from '#api/desktop/folders.ts';
import { PICTURE_EXTS, VIDEO_EXTS } from '#api/formats.ts';
import { compileFilters, type Filters } from '#transfer/select.ts';
import { isTemporary } from './temporary-names.ts';

/** Which files of a folder are taken. Paths are relative to it, with `/` between names. */
export interface Selection extends Filters {
  /** Whether a file may be taken, with all folders on the way to it. */
  takes(relPath: string): boolean;
  /** Whether a file is left out without a word: it is hidden, being written, or the app's own. */
  isOutside(relPath: string): boolean;
}

/**
 * The selection of a watch folder. `own`: absolute paths of folders that are never entered, such as Pixdock's data folder, whose
 * pictures would be uploaded again and again. `videos`: whether videos are taken, too.
 * @throws PatternError if a pattern is empty
 */
export function selectionOf(
  root: string,
  { recursive, include, ignore, after }: FolderOptions,
  { own, videos }: { own: readonly string[]; videos: boolean },
): Selection {
  const exts = videos ? [...PICTURE_EXTS, ...VIDEO_EXTS] : PICTURE_EXTS;
  const filters = compileFilters({ recursive, exts, include: include.length ? include : undefined, exclude: ignore });
  const closed = new Set(own.map((path) => toRelPath(root, path)));
  if (after.kind === 'move') closed.add(after.to);
  const takesFolder = (relPath: string) => !closed.has(relPath) && filters.takesFolder(relPath);
  const takesFile = (relPath: string) => !isTemporary(relPath) && filters.takesFile(relPath);

  function parents(relPath: string): string[] {
    const names = relPath.split('/').slice(0, -1);
    return names.map((_, index) => names.slice(0, index + 1).join('/'));
  }
  const isHidden = (relPath: string) => relPath.split('/').some(filters.isHidden);
  const reaches = (relPath: string) => {
    const folders = parents(relPath);
    return (recursive || folders.length === 0) && folders.every(takesFolder);
  };
  return {
    ...filters,
    takesFolder,
    takesFile,
    takes: (relPath) => !isHidden(relPath) && reaches(relPath) && takesFile(relPath),
    isOutside: (relPath) => isHidden(relPath) || isTemporary(relPath) || !reaches(relPath),
  };
}

/** The path of a file in a folder, with `/` between names; `''` for the folder itself. */
export function toRelPath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}
