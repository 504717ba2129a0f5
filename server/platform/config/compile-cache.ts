import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from './data-dir.ts';

/**
 * Keeps compiled code in the data folder for the next start. Call it before the service is loaded. Node's own choice, the system's folder
 * for temporary files, is empty at every start under systemd's `PrivateTmp`, and elsewhere another user could put code there first.
 */
export function keepCompiled(env: NodeJS.ProcessEnv = process.env): void {
  const dataDir = dataDirOf(env);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch {
    return; // the service reports why it can't use the folder
  }
  enableCompileCache(join(dataDir, 'compiled'));
}
