import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '#main/texts/en.ts';
import { linesOf, shorten } from './shorten.ts';

/** The uploads as the tray shows them. */
export interface UploadState {
  /** Number of pictures that wait until the user sends them. */
  drafts: number;
  /** Number of those that run or wait, but aren't paused one by one. */
  left: number;
  isPaused: boolean;
  /** They wait for the service or the account. */
  isWaiting: boolean;
  /** Why they wait: a sentence. */
  reason: string | undefined;
  /** How much of what is being sent has been sent, in hundredths; undefined until that is known. */
  percent: number | undefined;
  /** The first of those that have failed, and how many there are. */
  failed: readonly { id: string; name: string; reason: string }[];
  failedCount: number;
}

export interface UploadActions {
  pauseUploads(paused: boolean): void;
  retryUpload(id: string): void;
  retryAllUploads(): void;
  dismissUpload(id: string): void;
  dismissAllUploads(): void;
  showUploads(): void;
}

/** What the uploads are doing, in a line; undefined when there is nothing to say. */
export function uploadLine({ left, isPaused, isWaiting }: UploadState, texts: Texts): string | undefined {
  if (isPaused) return texts.uploadsPaused(left);
  if (left === 0) return undefined;
  return isWaiting ? texts.uploadsWaiting(left) : texts.uploading(left);
}

export function queueItems({ uploads }: { uploads: UploadState }, texts: Texts, actions: UploadActions): MenuItemConstructorOptions[] {
  const line = uploadLine(uploads, texts);
  const { isPaused, drafts } = uploads;
  return [
    ...(drafts > 0 ? [{ label: texts.drafts(drafts), click: actions.showUploads }] : []),
    ...(line ? [{ label: line, enabled: false }] : []),
    ...(line && uploads.isWaiting && !isPaused ? linesOf(uploads.reason ?? '') : []),
    { label: isPaused ? texts.resumeUploads : texts.pauseUploads, click: () => actions.pauseUploads(!isPaused) },
    { label: texts.showUploads, click: actions.showUploads },
  ];
}

export function failedItems({ uploads }: { uploads: UploadState }, texts: Texts, actions: UploadActions): MenuItemConstructorOptions[] {
  const { failed, failedCount } = uploads;
  if (failedCount === 0) return [];
  const each = failed.map(({ id, name, reason }) => ({
    label: shorten(name),
    submenu: [
      ...linesOf(reason),
      { type: 'separator' as const },
      { label: texts.retry, click: () => actions.retryUpload(id) },
      { label: texts.dismiss, click: () => actions.dismissUpload(id) },
    ],
  }));
  const more = failedCount > failed.length ? [{ label: texts.moreFailed(failedCount - failed.length), click: actions.showUploads }] : [];
  const all = [
    { label: texts.retryAll, click: actions.retryAllUploads },
    { label: texts.dismissAll, click: actions.dismissAllUploads },
  ];
  return [{ label: texts.notUploaded(failedCount), submenu: [...each, ...more, { type: 'separator' }, ...all] }];
}
