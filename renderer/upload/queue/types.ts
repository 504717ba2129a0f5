import type { FormFields, Uploaded } from '#api/images/upload.ts';

type UploadState = 'waiting' | 'sending' | 'processing' | 'done' | 'failed' | 'cancelled';

/** Something to upload: a file, or the address of a picture on the web. */
export interface NewUpload {
  source: File | string;
  name: string;
}

/** One file in the queue. Every change creates a new object, so that React sees it. */
export interface UploadItem {
  readonly id: number;
  /** Identifies the upload to the service, so that a retry after a lost response makes no second image. */
  readonly idempotencyKey: string;
  /** What to send: a file, or the address that the service fetches it from. */
  readonly source: File | string;
  readonly name: string;
  /** Bytes; 0 for an address until it has been fetched. */
  readonly size: number;
  /** The id of the user who added it, even if another one signs in before it is sent; undefined for guests. */
  readonly user: number | undefined;
  /** The options of the upload, with its album, whatever page is shown by then. */
  readonly fields: FormFields;
  /** Numbers the batches: everything added before the queue was empty belongs together. */
  readonly batch: number;
  readonly state: UploadState;
  /** Bytes sent so far. */
  readonly sent: number;
  /** Bytes per second, smoothed; 0 until known. */
  readonly speed: number;
  readonly error?: unknown;
  readonly image?: Uploaded;
  /** Whether the image existed before this upload. */
  readonly reused?: boolean;
}

export interface Progress {
  sent: number;
  total: number;
}

/** Sends one file. Rejects with the client's errors or the signal's reason. */
export type Send = (item: UploadItem, onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Uploaded>;

export const isRunning = (item: UploadItem) => item.state === 'sending' || item.state === 'processing';
export const isOpen = (item: UploadItem) => item.state === 'waiting' || isRunning(item);
