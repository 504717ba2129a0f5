import type { FormFields, Uploaded } from '#api/images/upload.ts';

type UploadState = 'waiting' | 'sending' | 'processing' | 'done' | 'failed' | 'cancelled';

/** What the service returns for a file, whatever else that is. */
export type Stored = Pick<Uploaded, 'key' | 'size' | 'created_at' | 'reused'>;

/** Something to upload: a file, or the address of a picture on the web. */
export interface NewUpload {
  source: File | string;
  name: string;
}

/** One file in the queue. Every change creates a new object, so that React sees it. */
export interface UploadItem<Result extends Stored = Uploaded> {
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
  readonly image?: Result;
  /** Whether the image existed before this upload. */
  readonly reused?: boolean;
}

export interface Progress {
  sent: number;
  total: number;
}

/** Sends one file. Rejects with the client's errors or the signal's reason. */
export type Send<Result extends Stored = Uploaded> = (
  item: UploadItem<Result>,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
) => Promise<Result>;

export const isRunning = (item: Pick<UploadItem, 'state'>) => item.state === 'sending' || item.state === 'processing';
export const isOpen = (item: Pick<UploadItem, 'state'>) => item.state === 'waiting' || isRunning(item);
