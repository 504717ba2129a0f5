import { cleanLine, cutStart } from '#api/plain-text.ts';
import type { NamedFile } from '#renderer/upload/incoming.ts';

/** How the pictures of dropped folders are sorted into albums. */
export type FolderAlbums = 'one' | 'each' | 'none';

/** Files that go into one album; without a title, into none of their own. */
export interface FileGroup {
  title: string | undefined;
  files: NamedFile[];
}

/** Longer titles are refused by the service. */
const MAX_TITLE_LENGTH = 200;

/**
 * Groups files by their folders: one album for each dropped folder with everything in it, or one for each folder that holds pictures.
 * Folders below a dropped one are named by their path, since names such as “raw” repeat.
 */
export function groupByFolder(files: readonly NamedFile[], albums: FolderAlbums): FileGroup[] {
  const groups = new Map<string | undefined, NamedFile[]>();
  for (const file of files) {
    const title = albums === 'none' ? undefined : titleOf(file.folder, albums);
    const group = groups.get(title);
    if (group) group.push(file);
    else groups.set(title, [file]);
  }
  return [...groups].map(([title, group]) => ({ title, files: group }));
}

function titleOf(folder: readonly string[] = [], albums: 'one' | 'each'): string | undefined {
  const title = cleanLine(folder.slice(0, albums === 'one' ? 1 : undefined).join(' / '));
  return cutStart(title, MAX_TITLE_LENGTH) || undefined;
}
