import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeStream } from '#server/platform/files/write-stream.ts';
import { CommandError } from './errors.ts';

/** A file that can be sent repeatedly, and is never in memory as a whole. */
export interface ImageSource {
  /** The file name to send. */
  name: string;
  /** A Buffer if the name isn't valid UTF-8. */
  path: string | Buffer;
  size: number;
  /** Removes its temporary file, if any. */
  dispose(): Promise<void>;
}

const nothingToDispose = () => Promise.resolve();

/** No picture is larger: the service accepts 100 megapixels, which are 800 MB uncompressed. */
const MAX_STREAM_BYTES = 2 ** 30;

/** Opens a file for uploading. Anything but a regular file (a named pipe, `<(command)`) is read to its end first. */
export async function openFile(path: string, signal?: AbortSignal): Promise<ImageSource> {
  const name = basename(path);
  const found = await stat(path);
  if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (!found.isFile()) return spool(createReadStream(path), name, signal);
  return { name, path, size: found.size, dispose: nothingToDispose };
}

/**
 * Copies a stream to a private temporary file, so that the upload can be repeated.
 * @throws CommandError if the stream is empty, or larger than any picture
 */
export async function spool(stream: NodeJS.ReadableStream, name: string, signal?: AbortSignal): Promise<ImageSource> {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'picture');
    await writeStream(path, { flags: 'wx' }, (file) => pipeline(stream, bounded(), file, { signal }));
    const { size } = await stat(path);
    if (size === 0) throw new CommandError('the input is empty; the command before the pipe may have failed');
    return { name, path, size, dispose };
  } catch (error) {
    await dispose();
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
