import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from './data-dir.ts';

const WRITABLE_BY_OTHERS = 0o022;

/**
 * Keeps compiled code in the data folder for the next start. Call it before the service is loaded. Node's own choice, the system's folder
 * for temporary files, is empty at every start under systemd's `PrivateTmp`, and elsewhere another user could put code there first.
 */
export function keepCompiled(env: NodeJS.ProcessEnv = process.env): void {
  const dataDir = dataDirOf(env);
  const folder = join(dataDir, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(dataDir) || !isOwn(folder)) return; // the service makes the data folder private: the next start may use it
  } catch {
    return; // the service reports why it can't use the folder
  }
  enableCompileCache(folder);
}

/** Whether only this user could have put files into a folder. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return !process.getuid || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0);
}
