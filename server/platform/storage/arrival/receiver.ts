import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { KeptRights } from '#server/platform/imaging/metadata/plan.ts';
import { type StripOutcome, stripArriving } from './strip-arriving.ts';

/** What is known of a file that has arrived. */
export interface Received extends StripOutcome {
  /** Of the bytes that were sent. */
  readonly size: number;
  readonly sha256: string;
}

/** A file that is being written and hashed. Its calls block: it runs in a thread of its own. */
export interface Receiver {
  /** Appends; the bytes may be used again afterwards. */
  write(bytes: Buffer): Promise<void>;
  /** Hands the rest to the system, and closes the file. */
  finish(): Promise<Received>;
  /** Closes an unfinished file. */
  discard(): Promise<void>;
}

/** @param rights of a JPEG whose other metadata are to be removed; undefined: every file is written as it is */
export function openReceiver(path: string, rights: KeptRights | undefined): Receiver {
  const descriptor = openSync(path, 'wx', 0o600);
  const hashed = createHash('sha256');
  const stripping = rights && stripArriving(rights);
  let size = 0;
  let isOpen = true;

  function append(parts: readonly Uint8Array[]) {
    for (const part of parts) for (let from = 0; from < part.length; ) from += writeSync(descriptor, part, from);
  }

  function close() {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  }

  return {
    async write(bytes) {
      hashed.update(bytes);
      size += bytes.length;
      append(stripping ? await stripping.take(bytes) : [bytes]);
    },
    async finish() {
      try {
        const rest = await stripping?.end();
        if (rest) append(rest.toWrite);
        return { size, sha256: hashed.digest('hex'), ...rest?.outcome };
      } finally {
        close();
      }
    },
    async discard() {
      close();
      await stripping?.abandon();
    },
  };
}
