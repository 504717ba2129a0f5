import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

/** What is known of a file that has arrived. */
export interface ArrivedFile {
  readonly size: number;
  readonly sha256: string;
}

/** A file that is being written and hashed. Its calls block: it runs in a thread of its own. */
export interface Receiver {
  /** Appends; the bytes may be used again afterwards. */
  write(bytes: Buffer): void;
  /** Hands the rest to the system, and closes the file. */
  finish(): ArrivedFile;
  /** Closes an unfinished file. */
  discard(): void;
}

export function openReceiver(path: string): Receiver {
  const descriptor = openSync(path, 'wx', 0o600);
  const hashed = createHash('sha256');
  let size = 0;
  return {
    write(bytes) {
      hashed.update(bytes);
      size += bytes.length;
      for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
    },
    finish() {
      closeSync(descriptor);
      return { size, sha256: hashed.digest('hex') };
    },
    discard: () => closeSync(descriptor),
  };
}
