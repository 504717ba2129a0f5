import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extractAll } from '@electron/asar';
import { RELEASE, UNPACKED_APP } from '../../packages/places.ts';

/**
 * The app's folder in a package: its archive, unpacked, since plain Node can't import from one. All starts share it: compiled code is cached
 * by path.
 */
export function unpackedApp(resources: string): string {
  if (existsSync(UNPACKED_APP)) return UNPACKED_APP;
  const own = mkdtempSync(join(RELEASE, 'app-'));
  extractAll(join(resources, 'app.asar'), own);
  try {
    renameSync(own, UNPACKED_APP);
  } catch (error) {
    if (!existsSync(UNPACKED_APP)) throw error;
    rmSync(own, { recursive: true }); // another start was faster
  }
  return UNPACKED_APP;
}
