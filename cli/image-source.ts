import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { type OpenFile, openFile } from '#transfer/open-file.ts';
import { pathAsWritten } from '#transfer/real-path.ts';
import { CommandError } from './errors.ts';

/** An open file that can be sent repeatedly, and is never in memory as a whole. Disposing of it also removes a temporary file. */
export interface ImageSource extends OpenFile {
  /** The file name to send. */
  name: string;
}

/** No picture is larger: the service accepts 100 megapixels, which are 800 MB uncompressed. */
const MAX_STREAM_BYTES = 2 ** 30;

/**
 * Opens a file for uploading, which may be named as editors do that take its path from a document. Anything but a regular file (a named pipe,
 * `<(command)`) is read to its end first.
 */
export async function openImage(named: string, tempDir: string, signal?: AbortSignal): Promise<ImageSource> {
  const path = await pathAsWritten(named);
  const name = basename(path);
  const found = await stat(path);
  if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (!found.isFile()) return spool(() => createReadStream(path), { name, tempDir, signal });
  return { ...(await openFile(path)), name };
}

interface Spooling {
  name: string;
  tempDir: string;
  signal?: AbortSignal | undefined;
}

/**
 * Copies a stream to a private temporary file, so that the upload can be repeated.
 * @param open called once its errors are heeded: one without a listener ends the program
 * @throws CommandError if the stream is empty, or larger than any picture
 */
export async function spool(open: () => NodeJS.ReadableStream, { name, tempDir, signal }: Spooling): Promise<ImageSource> {
  const folder = await mkdtemp(join(tempDir, 'pixdock-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'picture');
    await writeStream(path, { flags: 'wx' }, (file) => pipeline(open(), bounded(), file, { signal }));
    const file = await openFile(path);
    const dispose = async () => {
      await file[Symbol.asyncDispose]();
      await remove();
    };
    if (file.size > 0) return { ...file, name, [Symbol.asyncDispose]: dispose };
    await file[Symbol.asyncDispose]();
    throw new CommandError('the input is empty; the command before the pipe may have failed');
  } catch (error) {
    await remove();
    throw error;
  }
}

function bounded() {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > MAX_STREAM_BYTES) done(new CommandError('the input is larger than 1 GB'));
      else done(null, chunk);
    },
  });
}
