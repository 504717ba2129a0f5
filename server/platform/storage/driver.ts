import type { Readable, Writable } from 'node:stream';

/** A span of bytes; both ends are inside it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A blob open for reading, which can be sent even if it is removed meanwhile. */
export interface OpenBlob {
  readonly size: number;
  /**
   * Writes the bytes, or a part of them, to `target` and ends it; closes the blob. The fastest way to send a response.
   * `target` must be done with a chunk when it calls back, as sockets and responses are, since the memory is then reused.
   * @throws when the blob can't be read, or `target` is gone
   */
  sendTo(target: Writable, range?: ByteRange): Promise<void>;
  /** The same as a stream, which closes the blob when it ends or is destroyed. */
  stream(range?: ByteRange): Readable;
  /** Call it only when nothing was sent and no stream was created. */
  close(): Promise<void>;
}

/** The blob should exist but doesn't. */
export class BlobMissingError extends Error {
  override name = 'BlobMissingError';
}

/**
 * Stores the bytes of images under their SHA-256 (64 hex digits).
 * The suite in test/contracts/ defines what every driver must do.
 */
export interface StorageDriver {
  /**
   * Moves the file at `path` (it no longer exists afterwards) to the blob `sha256`. Once this resolves, the blob
   * survives a power cut. The blob may already exist.
   */
  store(sha256: string, path: string): Promise<void>;
  /** @throws BlobMissingError */
  open(sha256: string): Promise<OpenBlob>;
  /** A readable local file with the blob's bytes, valid while `use` runs. @throws BlobMissingError */
  withFile<T>(sha256: string, use: (path: string) => Promise<T>): Promise<T>;
  has(sha256: string): Promise<boolean>;
  /** Removes a blob if it exists. */
  remove(sha256: string): Promise<void>;
  /** Resolves when the storage is usable; @throws with the reason otherwise. */
  check(): Promise<void>;
}
