import type { Readable, Writable } from 'node:stream';

/** A span of bytes; both ends are inside it. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A blob that is open for reading: it can be sent even when it is removed meanwhile. */
export interface OpenBlob {
  readonly size: number;
  /**
   * Writes the bytes, or a part of them, to `target` and ends it; closes the blob. The fastest way to answer a request.
   * `target` must be done with a chunk when it calls back, as sockets and answers are, since its memory is used again then.
   * @throws when the blob cannot be read, or `target` is gone
   */
  sendTo(target: Writable, range?: ByteRange): Promise<void>;
  /** The same as a stream, which closes the blob when it ends or is destroyed. */
  stream(range?: ByteRange): Readable;
  /** Needed only when nothing was sent and no stream was taken. */
  close(): Promise<void>;
}

/** No blob of that hash is stored, though it should be. */
export class BlobMissingError extends Error {
  override name = 'BlobMissingError';
}

/**
 * Where the bytes of images are kept, named by the SHA-256 (64 hex digits) of what they are.
 * The suite in test/contracts/ says what every driver must do.
 */
export interface StorageDriver {
  /**
   * Takes over the file at `path` (it is gone afterwards) as the blob `sha256`. Once this resolves the blob
   * survives a power cut. Storing what is there already is fine.
   */
  store(sha256: string, path: string): Promise<void>;
  /** @throws BlobMissingError */
  open(sha256: string): Promise<OpenBlob>;
  /** A readable local file with the blob's bytes, valid while `use` runs. @throws BlobMissingError */
  withFile<T>(sha256: string, use: (path: string) => Promise<T>): Promise<T>;
  has(sha256: string): Promise<boolean>;
  /** Removes a blob; one that is not there is fine. */
  remove(sha256: string): Promise<void>;
  /** Resolves when the storage can be used; @throws with the reason otherwise. */
  check(): Promise<void>;
}
