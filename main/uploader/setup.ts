import type { OwnerSession } from '../owner-session.ts';
import { createQueue } from './queue.ts';
import { withRetries } from './retry.ts';
import { sendImage } from './send.ts';
import { type Captures, openCaptures, type Source } from './sources.ts';
import { type Batch, createUploader, type Uploader } from './uploader.ts';

/** Pictures on their way at the same time. */
const PARALLEL = 3;

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
  const queue = createQueue({ parallel: PARALLEL, run: (source: Source) => withRetries(() => sendImage(source, owner)) });
  queue.onChange(({ state }) => state === 'done' && onUploaded());
  const uploader = createUploader({ queue, captures, deliver });
  captures
    .left()
    .then((left) => uploader.resume(left))
    .catch((error: unknown) => console.error('Captures of an earlier run could not be looked for:', error));
  return { uploader, captures };
}
