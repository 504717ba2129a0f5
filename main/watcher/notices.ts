import type { Clock } from '#main/base/clock.ts';
import type { Notify } from '#main/base/system/notifications.ts';
import type { Texts } from '#main/texts/en.ts';
import type { BatchResult } from '#main/uploader/uploader.ts';

/** The time in which results are combined into one notification. */
const BATCH_DELAY_MS = 5_000;

interface Options {
  clock: Clock;
  texts(): Texts;
  notify: Notify;
  /** Shows the window, on a page of the application. */
  open(page: string): void;
}

/** Notifies the user of uploads from watch folders: one notification for many files. Returns false: no link is copied. */
export function createFolderNotices({ clock, texts, notify, open }: Options): (result: BatchResult) => false {
  let done = 0;
  let failed = 0;
  let planned = false;

  function send() {
    planned = false;
    const onClick = () => open('/folders');
    const body = texts().fromWatchFolders;
    if (failed > 0) notify({ title: texts().failedTitle(failed), body, failure: true, type: 'folders', onClick });
    if (done > 0) notify({ title: texts().uploadedWithoutCopy(done), body, type: 'folders', onClick });
    done = 0;
    failed = 0;
  }

  return (result) => {
    done += result.done.length;
    failed += result.failed.length;
    if (!planned) clock.after(BATCH_DELAY_MS, send);
    planned = true;
    return false;
  };
}
