import { PassThrough, type Readable } from 'node:stream';
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

/**
 * An output of a process from its start to its end. When the process exits, Electron removes everyone who listens to it, although the last
 * lines, which say why, may still be on their way.
 */
export function wholeOutput(child: UtilityProcess, name: 'stdout' | 'stderr'): Readable | null {
  const output = child[name] as Readable | null; // Electron types it as a stream, but it is Node's readable one
  if (!output) return null;
  const whole = new PassThrough();
  const write = (chunk: Buffer) => void whole.write(chunk);
  const end = () => void whole.end();
  const fail = (error: Error) => void whole.destroy(error);
  const listen = () => output.off('data', write).off('end', end).off('error', fail).on('data', write).on('end', end).on('error', fail);
  listen();
  child.once('exit', () => setImmediate(listen));
  return whole;
}
