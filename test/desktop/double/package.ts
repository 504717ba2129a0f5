import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { userDataFolder } from './machine.ts';

/** The app's folder in a package: its archive, unpacked, since plain Node can't import from one. */
export function unpackedApp(resources: string): string {
  const folder = join(userDataFolder(), 'electron-double', 'app.asar');
  if (!existsSync(folder)) extractAll(join(resources, 'app.asar'), folder);
  return folder;
}
