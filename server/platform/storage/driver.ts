import type { Readable, Writable } from 'node:stream';
import type { FileContent } from '#server/platform/files/staged-file.ts';
import type { DiskSpace } from './reserve.ts';

/** A span of bytes, both ends inclusive. */
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

/** A file or object in a storage, stored by Pixdock or not. */
export interface StoredFile {
  /** For `setAside`, and for display. */
  name: string;
  /** Undefined when it isn't a blob in its place. */
  sha256: string | undefined;
}

/**
 * Stores the bytes of images under their SHA-256 (64 hex digits).
 * The suite in test/contracts/ defines what every driver must do.
 */
export interface StorageDriver {
  /** The folder or address that admins know it by. */
  readonly location: string;
  /** Whether it is on another machine, whose faults a restart of the service doesn't end. */
  readonly isRemote: boolean;
  /**
   * Moves a file from `tmp/` (it no longer exists afterwards) or from memory to the blob `sha256`. Once this resolves, the
   * blob survives a power cut. The blob may already exist.
   * @param mime the media type, for storages that serve blobs themselves
   */
  store(sha256: string, file: FileContent, mime?: string): Promise<void>;
  /**
   * @param options.uncached reads the storage itself, past any cache
   * @param options.part what will be read, and the size of the whole blob: remote storages then send nothing else
   * @throws BlobMissingError
   */
  open(sha256: string, options?: { uncached?: boolean; part?: { range: ByteRange; size: number } | undefined }): Promise<OpenBlob>;
  /** A blob's bytes, if they are in memory and this service is to send them. */
  peek(sha256: string): Buffer | undefined;
  /** A readable local file with the blob's bytes, valid while `use` runs. @throws BlobMissingError */
  withFile<T>(sha256: string, use: (path: string) => Promise<T>): Promise<T>;
  has(sha256: string): Promise<boolean>;
  /** Removes a blob if it exists, and what an interrupted `store` has left of it. Once this resolves, a power cut doesn't bring it back. */
  remove(sha256: string): Promise<void>;
  /** Resolves when the storage is usable; @throws with the reason otherwise. */
  check(): Promise<void>;
  /** The space on the disk that it fills; undefined when it has none of its own. */
  space(): Promise<DiskSpace | undefined>;
  /** Where anyone can get a blob without this service; undefined: nowhere. */
  publicUrl(sha256: string): string | undefined;
  /** What a blob is called in the storage, for display. */
  nameOf(sha256: string): string;
  /** Everything in the storage. */
  list(): AsyncGenerator<StoredFile>;
  /** Moves what `list` has named to a local path that doesn't exist yet. */
  setAside(name: string, path: string): Promise<void>;
  /** Frees the place for another policy, once this one is deleted. */
  release(): Promise<void>;
  /** Closes the connections as soon as no request uses them. Later requests still work, and close their own connections. */
  retire(): void;
  /** Ends all requests. */
  close(): Promise<void>;
}
