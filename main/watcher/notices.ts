import type { Clock } from '#main/base/clock.ts';
import type { Failure } from '#main/base/reasons.ts';
import { type Notify, namesInNotice } from '#main/base/system/notifications.ts';
import type { Texts } from '#main/texts/en.ts';
import type { BatchResult } from '#main/uploader/uploader.ts';

/** The time in which results are combined into one notification. */
const BATCH_DELAY_MS = 5_000;

interface Options {
  clock: Clock;
  texts(): Texts;
  notify: Notify;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  /** Shows the window, on a page of the application. */
  open(page: string): void;
}

/** Notifies the user of uploads from watch folders: one notification for many files. Returns false: no link is copied. */
export function createFolderNotices({ clock, texts, notify, describe, open }: Options): (result: BatchResult) => false {
  let done: string[] = [];
  let failed: string[] = [];
  let planned = false;

  function send() {
    planned = false;
    const onClick = () => open('/folders');
    const bodyOf = (lines: readonly string[]) => `${namesInNotice(lines, texts().andMore)}\n${texts().fromWatchFolders}`;
    if (failed.length > 0)
      notify({ title: texts().failedTitle(failed.length), body: bodyOf(failed), failure: true, type: 'folders', onClick });
    if (done.length > 0) notify({ title: texts().uploadedWithoutCopy(done.length), body: bodyOf(done), type: 'folders', onClick });
    done = [];
    failed = [];
  }

  return (result) => {
    done.push(...result.done.map(({ name }) => name));
    failed.push(...result.failed.map(({ name, failure }) => texts().labelled(name, describe(failure))));
    if (!planned) clock.after(BATCH_DELAY_MS, send);
    planned = true;
    return false;
  };
}
