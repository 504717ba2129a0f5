import { createWriteStream, type WriteStream } from 'node:fs';

interface WriteOptions {
  /** Its permissions, less the umask; by default, only this user can read it. */
  readonly mode?: number;
  /** `wx`: @throws when the file exists. Otherwise, it is replaced. */
  readonly flags?: 'w' | 'wx';
  /** Flushes it at its end. */
  readonly flush?: boolean;
}

/**
 * Fills a file by a stream, and closes it before this returns or throws: one whose stream is destroyed while it is being opened
 * would appear after its removal.
 */
export async function writeStream<T>(path: string, options: WriteOptions, write: (file: WriteStream) => Promise<T>): Promise<T> {
  const file = createWriteStream(path, { mode: 0o600, ...options });
  const closed = new Promise<void>((resolve) => file.once('close', resolve));
  file.on('error', () => undefined); // thrown below unless `write` throws it
  try {
    const result = await write(file);
    if (file.errored) throw file.errored;
    return result;
  } finally {
    file.destroy();
    await closed;
  }
}
