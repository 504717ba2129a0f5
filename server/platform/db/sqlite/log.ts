import { type FileHandle, open } from 'node:fs/promises';

/** SQLite's write-ahead log, which stays the same file as long as a connection is open (decision 159). */
export interface Log {
  /**
   * Flushes all commits so far to the disk, in another thread.
   * @throws the system's error; the commits remain, and the next call makes up for it
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param checkpoint moves the commits in the log to the database, flushes that, and empties the log
 * @param flushFile replaced in tests
 */
export function openLog(path: string, checkpoint: () => void, flushFile = (file: FileHandle) => file.datasync()): Log {
  let file: FileHandle | undefined;
  // An earlier process may have ended before it flushed, or after a flush failed.
  let isIncomplete = true;
  return {
    async flush() {
      if (isIncomplete) {
        checkpoint();
        isIncomplete = false;
        return;
      }
      // Windows flushes only what may be written.
      file ??= await open(path, 'r+');
      try {
        await flushFile(file);
      } catch (error) {
        // Linux doesn't write the same pages again: the log on the disk may lack them for ever, and then everything after them is lost, too.
        isIncomplete = true;
        throw error;
      }
    },
    close: async () => file?.close(),
  };
}
