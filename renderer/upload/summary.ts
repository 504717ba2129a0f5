import { isOpen, type UploadItem } from './types.ts';

/** The uploads in figures. Bytes exclude failed and cancelled items. */
export function summarise(items: readonly UploadItem[]) {
  let sentBytes = 0;
  let totalBytes = 0;
  let speed = 0;
  const count = { running: 0, done: 0, failed: 0 };
  for (const item of items) {
    if (item.state === 'failed') count.failed += 1;
    if (item.state === 'done') count.done += 1;
    if (isOpen(item)) {
      count.running += 1;
      speed += item.speed;
    }
    if (item.state === 'failed' || item.state === 'cancelled') continue;
    sentBytes += item.sent;
    totalBytes += item.file.size;
  }
  return { ...count, sentBytes, totalBytes, secondsLeft: speed > 0 ? (totalBytes - sentBytes) / speed : undefined };
}
