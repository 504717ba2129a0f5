import { readFile, realpath } from 'node:fs/promises';
import { ApiError, parseEnvelope } from '#api/client.ts';
import { isVideoName } from '#api/formats.ts';
import { rootOf } from '#main/base/files/inside.ts';
import { Reason } from '#main/base/reasons.ts';
import { type Item, type SentImage, sentImage } from '#main/journal/item.ts';
import { type Account, asAccount } from '#main/service/account.ts';
import { ifMissing } from '#server/platform/files/missing.ts';
import { NotAFile, type OpenFile, OutsideFolders, openFile, openInside } from '#transfer/open-file.ts';
import { FileFault } from '#transfer/post-form.ts';
import { sendFile } from '#transfer/send-file.ts';
import type { Spool } from './spool.ts';

/** The time without progress: the service may process many pictures before this one. */
const IDLE_LIMIT_SECONDS = 300;

/** A watch folder's file isn't the one that was looked at any more. */
export class FileChanged extends Error {
  override name = 'FileChanged';
}

export interface Attempt {
  signal: AbortSignal;
  /** Called with the size of the file, once it is open. */
  onSize(bytes: number): void;
  /** Called with how many more bytes have been sent. */
  onBytes(count: number): void;
}

/** Makes one attempt to send an upload; resolves with the image. */
export type Send = (item: Item, attempt: Attempt) => Promise<SentImage>;

/**
 * Sends uploads over HTTP with an account. The key of the upload makes a repeated request return the first one's image.
 * Throws the client's errors, a {@link Reason} for a file that can't be read, and {@link FileChanged}.
 * @param posterOf where the poster of a video is, if it has one
 */
export function sendWith(account: Account, posterOf: Spool['posterOf']): Send {
  return async (item, { signal, onSize, onBytes }) => {
    try {
      await using opened = await openItem(item);
      onSize(opened.size);
      const file = { ...opened, name: item.name };
      const poster = isVideoName(item.name) ? await readPoster(posterOf(item)) : undefined;
      return await asAccount(account, async ({ url, headers }) => {
        // Another account may have been chosen since: then this upload waits for its own.
        if (account.id() !== item.account) throw new Reason('accountMissing');
        const options = { timeout: IDLE_LIMIT_SECONDS, signal, onBytes, idempotencyKey: item.key, poster };
        const response = await sendFile({ baseUrl: url, headers }, file, item.fields, options);
        return readResult(item, parseEnvelope(response.status, response.text, response.headers['retry-after']));
      });
    } catch (error) {
      throw signal.aborted || error instanceof ApiError ? error : readingFailure(error);
    }
  };
}

/** A video is sent without the poster that can't be read. */
function readPoster(path: string) {
  return ifMissing(readFile(path), undefined).catch((error: unknown) => {
    console.error('Couldn’t read the poster of a video:', error);
    return undefined;
  });
}

/** A person may name a link; a watch folder must not lead out of itself. */
async function openItem({ path, folder, spooled, size, modified }: Item): Promise<OpenFile> {
  // What was drawn from a folder's file isn't there.
  if (!folder || spooled) return openFile(path);
  const file = await openInside(path, [await realpath(rootOf(path, folder.relPath))]).catch((error: unknown) => {
    throw error instanceof OutsideFolders ? new FileChanged(`${path} is elsewhere`, { cause: error }) : error;
  });
  if (file.size === size && file.modified === modified) return file;
  await file[Symbol.asyncDispose]();
  throw new FileChanged(`${path} has changed`);
}

/** Translates errors of the file into a {@link Reason}; other errors pass through. */
export function readingFailure(error: unknown): unknown {
  if (error instanceof FileFault) return new Reason('fileChanged', { cause: error });
  if (error instanceof NotAFile) return new Reason('notAFile', { cause: error });
  if (!(error instanceof Error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new Reason('fileMissing', { cause: error });
  if (code === 'EACCES' || code === 'EPERM') return new Reason('fileUnreadable', { cause: error });
  return error;
}

/** Checks a host's response, which may be of another version: what the journal can't read again must not get into it. */
function readResult({ name }: Item, data: unknown): SentImage {
  const parsed = sentImage.safeParse({ name, ...(data as object) });
  if (!parsed.success) throw new Reason('responseUnknown', { cause: parsed.error });
  return parsed.data;
}
