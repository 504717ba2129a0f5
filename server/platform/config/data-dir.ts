import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The absolute path of the data folder of a headless service. */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  return resolve(env.PIXDOCK_DATA_DIR || defaultDataDir(env));
}

/** The data folder unless another one is chosen, for the desktop app and for the headless service. */
export function defaultDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Pixdock', 'data');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Pixdock', 'data');
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'pixdock');
}
