import type { FileContent } from '#server/platform/files/staged-file.ts';
import type { StripPlan } from '#server/platform/imaging/metadata/plan.ts';

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

/** A file as it was sent, complete. */
export interface SentFile {
  size: number;
  /** SHA-256 as 64 hex digits. */
  sha256: string;
  /** The file with these bytes. */
  original(): Promise<StagedFile>;
  /** A JPEG that was written without its metadata while it arrived (decision 157). */
  readonly stripped?: StrippedFile | undefined;
}

export interface StrippedFile {
  /** The plan of `planStrip` for the bytes that were sent. */
  readonly plan: StripPlan;
  /** The file without metadata. The original can't be had any more. */
  take(): Promise<StagedFile>;
}

/** A file of a client that is being written. */
export interface SentFileWriter extends Omit<StagedWriter, 'finish'> {
  finish(): Promise<SentFile>;
}

/** A file that was written as it was sent. */
export function sentAsIs<T extends StagedFile>(file: T): T & SentFile {
  return Object.assign(file, { original: async () => file });
}
