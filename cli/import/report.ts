import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Entry } from '#transfer/walk.ts';
import { CommandError, describeError } from '../errors.ts';
import type { Summary } from './summary.ts';

/** The result for one file, or for a folder that couldn't be opened. */
export type FileResult =
  | { status: 'uploaded' | 'reused'; key: string; url: string; album_id: string | null; albums: string[] }
  | { status: 'failed'; error: string }
  | { status: 'copy'; key: string | undefined }
  | { status: 'trashed' | 'gone' | 'other_type' }
  | { status: 'would_upload' };

/** A JSON document about an import, written while the import runs so that memory doesn't grow with it. */
export interface Report extends AsyncDisposable {
  /** Never fails: a report that can't be written doesn't stop the uploads. */
  add(entry: Entry & { size?: number; id?: string }, result: FileResult): Promise<void>;
  /** Completes the document and moves it into place. @throws CommandError if part of it couldn't be written */
  finish(head: Record<string, unknown>, summary: Summary): Promise<void>;
}

/**
 * Starts a report; the file appears under its name once complete.
 * @throws CommandError if it can't be written there
 */
export async function openReport(path: string): Promise<Report> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new CommandError(`Can’t write the report ${path}: it is a folder.`);
  const draft = `${path}.part`;
  const stream = createWriteStream(draft, { encoding: 'utf8', flush: true });
  await once(stream, 'open').catch((error: Error) => {
    throw unwritable(path, error);
  });
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure ??= error;
  });
  const write = async (text: string) => {
    // The listener above keeps a failure, which also ends this wait.
    if (!failure && !stream.write(text)) await once(stream, 'drain').catch(() => undefined);
  };
  let separator = '{\n"files": [\n';
  return {
    async add({ path: raw, relative, size, id }, result) {
      const line = JSON.stringify({ path: relative, ...(!isUtf8(raw) && { path_base64: raw.toString('base64') }), id, size, ...result });
      const before = separator;
      separator = ',\n';
      await write(before + line);
    },
    async finish(head, summary) {
      await write(separator.startsWith('{') ? `${separator}],\n` : '\n],\n');
      await write(JSON.stringify({ ...head, summary }, null, 2).replace(/^\{\n/, ''));
      try {
        if (failure) throw failure;
        await finished(stream.end('\n'));
        await rename(draft, path);
      } catch (error) {
        throw unwritable(path, error);
      }
    },
    /** Removes an unfinished document. */
    async [Symbol.asyncDispose]() {
      stream.destroy();
      await rm(draft, { force: true });
    },
  };
}

function unwritable(path: string, error: unknown) {
  return new CommandError(`Can’t write the report ${path}: ${describeError(error)}`, { cause: error });
}
