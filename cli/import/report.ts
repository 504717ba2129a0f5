import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { CommandError } from '../errors.ts';
import type { Summary } from './summary.ts';
import type { FoundFile } from './walk.ts';

/** What became of one file. */
export type FileResult =
  | { status: 'uploaded' | 'reused'; key: string; url: string; album_id: string | null }
  | { status: 'failed'; error: string }
  | { status: 'would_upload' };

/** A JSON document about an import that is written while the import runs, so that memory does not grow with it. */
export interface Report {
  add(file: Pick<FoundFile, 'path' | 'relative' | 'nameIsText' | 'size'>, result: FileResult): Promise<void>;
  /** Ends the document and puts it into its place. */
  finish(head: Record<string, unknown>, summary: Summary): Promise<void>;
  /** Removes what has been written. */
  discard(): Promise<void>;
}

/**
 * Starts a report; the file appears under its name when it is complete.
 * @throws CommandError when it cannot be written there
 */
export async function openReport(path: string): Promise<Report> {
  const draft = `${path}.part`;
  const stream = createWriteStream(draft, { encoding: 'utf8' });
  await once(stream, 'open').catch((error: Error) => {
    throw new CommandError(`The report cannot be written: ${error.message}`, { cause: error });
  });
  const write = async (text: string) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  let separator = '{\n"files": [\n';
  return {
    async add({ path: raw, relative, nameIsText, size }, result) {
      const line = JSON.stringify({ path: relative, ...(!nameIsText && { path_base64: raw.toString('base64') }), size, ...result });
      const before = separator;
      separator = ',\n';
      await write(before + line);
    },
    async finish(head, summary) {
      await write(separator.startsWith('{') ? `${separator}],\n` : '\n],\n');
      await write(JSON.stringify({ ...head, summary }, null, 2).replace(/^\{\n/, ''));
      stream.end('\n');
      await finished(stream);
      await rename(draft, path);
    },
    async discard() {
      stream.destroy();
      await rm(draft, { force: true });
    },
  };
}
