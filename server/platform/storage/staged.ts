import type { FileContent } from '#server/platform/files/staged-file.ts';

/** A file in `tmp/` or in memory that is complete, but not yet anybody's; it is flushed when it is stored. */
export interface StagedFile extends FileContent {
  size: number;
  /** SHA-256 as 64 hex digits. */
  sha256: string;
  /** The media type, where it is known. */
  mime?: string;
}

/** A staged file that is being written: hashed on the way. Disposing of it removes the file, finished or not, and frees its bytes. */
export interface StagedWriter extends AsyncDisposable {
  /** Appends; the array may be reused once this has resolved. @throws RequestError `storage_full`, as `finish` does */
  write(bytes: Uint8Array): Promise<void>;
  /** Hands the rest to the system. */
  finish(): Promise<StagedFile>;
}
