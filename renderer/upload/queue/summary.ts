import type { Uploaded } from '#api/images/upload.ts';
import { canSucceed } from './refusal.ts';
import type { Work } from './time-left.ts';
import { isOpen, type Stored, type UploadItem } from './types.ts';

/** The uploads in figures. Bytes are those of the current batch, without failed and cancelled files. */
export interface Summary<Result extends Stored = Uploaded> extends Work {
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
  images: readonly Result[];
  /** Those of the current batch. */
  batchImages: readonly Result[];
  sentBytes: number;
}

export function summarise<Result extends Stored>(items: readonly UploadItem<Result>[]): Summary<Result> {
  const batch = latestBatch(items);
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
  const inBatch = items.filter((item) => item.batch === batch);
  return { ...count, ...bytes, ...countPictures(items), batchImages: picturesOf(inBatch) };
}

const latestBatch = (items: readonly Pick<UploadItem, 'batch'>[]) => items.reduce((latest, item) => Math.max(latest, item.batch), 0);

const picturesOf = <Result extends Stored>(items: readonly UploadItem<Result>[]) => [
  ...new Map(items.flatMap(({ image }) => (image ? [[image.key, image] as const] : []))).values(),
];

function countPictures<Result extends Stored>(items: readonly UploadItem<Result>[]) {
  const images = picturesOf(items);
  const added = new Set<string>();
  let files = 0;
  for (const { image, reused } of items) {
    if (!image) continue;
    files += 1;
    if (!reused) added.add(image.key);
  }
  return { added: added.size, known: images.length - added.size, copies: files - images.length, images };
}

/** How much of the current batch has been sent, from 0 to 1. */
export const shareDone = ({ sentBytes, totalBytes }: Summary) => (totalBytes ? sentBytes / totalBytes : 0);

const RANKS: Record<UploadItem['state'], number> = { failed: 0, sending: 1, processing: 1, waiting: 2, done: 3, cancelled: 3 };

/** The items as they are listed: failures first, then what runs, waits and has ended; then the same of earlier batches, the latest first. */
export function byUrgency(items: readonly UploadItem[]): UploadItem[] {
  const batch = latestBatch(items);
  const rank = (item: UploadItem) => RANKS[item.state] + (isOpen(item) ? 0 : 4 * (batch - item.batch));
  return items.toSorted((one, other) => rank(one) - rank(other));
}
