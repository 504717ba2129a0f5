import { setTimeout as delay } from 'node:timers/promises';
import { withRetries } from '#api/retry.ts';
import type { OwnerSession } from '#main/service/owner-session.ts';
import { createQueue } from './queue.ts';
import { sendImage } from './send.ts';
import { type Captures, openCaptures, type Source } from './sources.ts';
import { type Batch, createUploader, type Uploader } from './uploader.ts';

/** Pictures on their way at the same time. */
const PARALLEL = 3;

/** The longest wait that the service may ask for, in seconds; after a longer one the upload fails, and can be retried from the tray. */
const MAX_WAIT = 10;

interface Options {
  /** The folder for captures, absolute. */
  captureFolder: string;
  owner: OwnerSession;
  deliver(batch: Batch): Promise<boolean>;
  /** Called for each picture that the service has taken. */
  onUploaded(): void;
}

/** Main's uploader, with the captures that an earlier run could not send queued again. */
export function setupUploader({ captureFolder, owner, deliver, onUploaded }: Options): { uploader: Uploader; captures: Captures } {
  const captures = openCaptures(captureFolder);
  const send = (source: Source) =>
    withRetries(
      () => sendImage(source, owner),
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
