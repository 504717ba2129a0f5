import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Whether a path is a folder or below it, by their names. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/**
 * Whether the folder that holds a file is `root` or below it once links are followed: a subfolder may have been replaced by a link to
 * somewhere else. The file itself may be a link. @throws the system's error, even where there is no such folder
 */
export async function isHeldBy(root: string, path: string): Promise<boolean> {
  const [holder, folder] = await Promise.all([realpath(dirname(path)), realpath(root)]);
  return isInside(holder, folder);
}

/** The folder in which a file has the path `relPath`, with `/` as separator. */
export function rootOf(path: string, relPath: string): string {
  return join(path, ...relPath.split('/').map(() => '..'));
}
