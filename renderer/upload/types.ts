import type { Uploaded } from '#api/upload.ts';

type UploadState = 'waiting' | 'sending' | 'processing' | 'done' | 'failed' | 'cancelled';

/** One file on its way. A new object for every change, so that React sees it. */
export interface UploadItem {
  readonly id: number;
  readonly file: File;
  readonly name: string;
  /** The id of the account that it is uploaded with, whoever is signed in by then; undefined for a guest's. */
  readonly user: number | undefined;
  /** The album of the uploader's where it is to be filed, whatever page is shown by then. */
  readonly albumId: string | undefined;
  readonly state: UploadState;
  /** Bytes that have left this machine. */
  readonly sent: number;
  /** Bytes per second, smoothed; 0 until there is something to tell. */
  readonly speed: number;
  /** Why it failed. */
  readonly error?: unknown;
  /** What the service answered. */
  readonly image?: Uploaded;
}

export interface Progress {
  sent: number;
  total: number;
}

/** Sends one file; rejects with the client's errors, or with the signal's reason. */
export type Send = (item: UploadItem, onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Uploaded>;

export const isRunning = (item: UploadItem) => item.state === 'sending' || item.state === 'processing';
export const isOpen = (item: UploadItem) => item.state === 'waiting' || isRunning(item);
