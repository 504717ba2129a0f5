import type { Readable } from 'node:stream';
import type { UtilityProcess } from 'electron';

/** Called with the output of each new process. */
export type FollowOutput = (output: Readable | null) => void;

/** Electron sends SIGTERM, which a hung process never handles; on Windows it ends the process. One that is starting ends when it has started. */
export function killUtility(child: UtilityProcess) {
  if (child.pid === undefined) {
    child.once('spawn', () => killUtility(child));
    return;
  }
  if (process.platform === 'win32') {
    child.kill();
    return;
  }
  try {
    process.kill(child.pid, 'SIGKILL');
  } catch (error) {
    console.error('Couldn’t kill a utility process, which has probably exited:', error);
  }
}
