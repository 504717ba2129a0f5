import { setTimeout as delay } from 'node:timers/promises';
import { withRetries } from '#api/retry.ts';
import type { Account } from '#main/service/account.ts';
import { createQueue } from './queue.ts';
import { sendImage } from './send.ts';
import { type Captures, openCaptures, type Source } from './sources.ts';
import { type Batch, createUploader, type Uploader } from './uploader.ts';

/** Number of parallel uploads. */
const PARALLEL = 3;

/** Maximum `Retry-After` in seconds; with a longer one the upload fails and can be retried from the tray. */
const MAX_WAIT = 10;

interface Options {
  /** Absolute path of the folder for captures. */
  captureFolder: string;
  account: Account;
  deliver(batch: Batch): Promise<boolean>;
  /** Called for each uploaded picture. */
  onUploaded(): void;
}

/** Main's uploader. Captures that an earlier run couldn't send are queued again. */
export function setupUploader({ captureFolder, account, deliver, onUploaded }: Options): { uploader: Uploader; captures: Captures } {
  const captures = openCaptures(captureFolder);
  const send = (source: Source) =>
    withRetries(
      () => sendImage(source, account),
      { maxWait: MAX_WAIT },
      ({ seconds }) => delay(seconds * 1000),
    );
  const queue = createQueue({ parallel: PARALLEL, run: send });
  queue.onChange(({ state }) => state === 'done' && onUploaded());
  const uploader = createUploader({ queue, captures, deliver });
  captures
    .left()
    .then((left) => uploader.resume(left))
    .catch((error: unknown) => console.error('Captures of an earlier run could not be looked for:', error));
  return { uploader, captures };
}
