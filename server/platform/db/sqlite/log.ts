import { readSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** SQLite's write-ahead log, which stays the same file as long as a connection is open (decision 159). */
export interface Log {
  /**
   * Flushes all commits so far to the disk, in another thread.
   * @throws the system's error; the commits remain, and {@link makeWhole} makes up for it
   */
  flush(): Promise<void>;
  /** If a flush has failed, repeats it with everything that it may have lost. Nothing may be committed before. @throws the system's error */
  makeWhole(): Promise<void>;
  close(): Promise<void>;
}

const REWRITE_BYTES = 1024 * 1024;

/**
 * @param withoutWriters runs `work` while no process writes to the log
 * @param flushFile replaced in tests
 */
export async function openLog(
  path: string,
  withoutWriters: (work: () => void) => void,
  flushFile = (file: FileHandle) => file.datasync(),
): Promise<Log> {
  // At once: a system reports a failure of SQLite's own flushes to all who have the file open then. Windows flushes only what may be written.
  const file = await open(path, 'r+');
  // An earlier process may have ended after a flush had failed.
  let isWhole = false;

  async function flush() {
    if (!isWhole) withoutWriters(() => rewrite(file.fd));
    isWhole = false;
    await flushFile(file);
    isWhole = true;
  }

  const makeWhole = async () => {
    if (!isWhole) await flush();
  };

  return {
    flush,
    makeWhole,
    async close() {
      try {
        await makeWhole();
      } finally {
        await file.close();
      }
    },
  };
}

/**
 * Writes the same bytes again. Of what a flush couldn't write, Linux keeps a copy in memory, which it doesn't try to write again: on the disk, everything
 * after it would be lost, too. Moving the log to the database instead isn't safe, since the power may be cut while the damaged log is still there.
 */
function rewrite(descriptor: number) {
  const buffer = Buffer.allocUnsafe(REWRITE_BYTES);
  for (let at = 0; ; ) {
    const length = readSync(descriptor, buffer, 0, buffer.length, at);
    if (length === 0) return;
    for (let from = 0; from < length; ) from += writeSync(descriptor, buffer, from, length - from, at + from);
    at += length;
  }
}
