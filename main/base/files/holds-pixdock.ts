import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder holds the data of a Pixdock service. */
export function holdsPixdock(folder: string): boolean {
  return existsSync(join(folder, 'pixdock.db'));
}
