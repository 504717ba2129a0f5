import type { Uploaded } from '#api/images/upload.ts';
import { canSucceed } from './refusal.ts';
import type { Work } from './time-left.ts';
import { isOpen, type UploadItem } from './types.ts';

/** The uploads in figures. Bytes are those of the current batch, without failed and cancelled files. */
export interface Summary extends Work {
  /** Files that wait or run. */
  open: number;
  failed: number;
  /** Failed files that may succeed on another attempt. */
  retryable: number;
  /** Pictures that these uploads have added. */
  added: number;
  /** Pictures that were there before. */
  known: number;
  /** Files whose picture is counted already: copies of each other. */
  copies: number;
  /** The pictures of all finished files, each once. */
  images: readonly Uploaded[];
  sentBytes: number;
}

export function summarise(items: readonly UploadItem[]): Summary {
  const batch = items.reduce((latest, item) => Math.max(latest, item.batch), 0);
  const count = { open: 0, failed: 0, retryable: 0 };
  const bytes = { totalBytes: 0, doneBytes: 0, processingBytes: 0, sentBytes: 0 };
  for (const item of items) {
    if (isOpen(item)) count.open += 1;
    if (item.state === 'failed') {
      count.failed += 1;
      if (canSucceed(item.error)) count.retryable += 1;
    }
    if (item.batch !== batch || item.state === 'failed' || item.state === 'cancelled') continue;
    bytes.totalBytes += item.size;
    bytes.sentBytes += item.sent;
    if (item.state === 'processing') bytes.processingBytes += item.sent;
    else bytes.doneBytes += item.sent;
  }
  return { ...count, ...bytes, ...countPictures(items) };
}

function countPictures(items: readonly UploadItem[]) {
  const images = new Map<string, Uploaded>();
  const added = new Set<string>();
  let files = 0;
  for (const { image, reused } of items) {
    if (!image) continue;
    files += 1;
    images.set(image.key, image);
    if (!reused) added.add(image.key);
  }
  return { added: added.size, known: images.size - added.size, copies: files - images.size, images: [...images.values()] };
}

/** How much of the current batch has been sent, from 0 to 1. */
export const shareDone = ({ sentBytes, totalBytes }: Summary) => (totalBytes ? sentBytes / totalBytes : 0);

const URGENCY: readonly UploadItem['state'][][] = [['failed'], ['sending', 'processing'], ['waiting'], ['done', 'cancelled']];

/** The items as they are listed: failures first, then what runs, waits and has ended. */
export function byUrgency(items: readonly UploadItem[]): UploadItem[] {
  return URGENCY.flatMap((states) => items.filter(({ state }) => states.includes(state)));
}
