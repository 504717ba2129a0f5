import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Whether a program is in one of the folders. */
export function isInstalled(name: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isProgram(join(folder, name)));
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
