import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from './errors.ts';

/** A file that can be sent, again and again if need be, without ever being in memory as a whole. */
export interface ImageSource {
  /** File name that the server is told. */
  name: string;
  /** A Buffer where the name is not valid UTF-8. */
  path: string | Buffer;
  size: number;
  /** Removes what was put aside for it. */
  dispose(): Promise<void>;
}

const nothingToDispose = () => Promise.resolve();

/** No picture is larger: the service refuses more than 100 megapixels, which uncompressed are 800 MB. */
const LARGEST_STREAM = 2 ** 30;

/** Opens a file for uploading. What is no regular file (a named pipe, `<(command)`) is read to its end first. */
export async function openFile(path: string, signal?: AbortSignal): Promise<ImageSource> {
  const name = basename(path);
  const found = await stat(path);
  if (found.isDirectory()) throw Object.assign(new Error('is a folder'), { code: 'EISDIR' });
  if (!found.isFile()) return spool(createReadStream(path), name, signal);
  return { name, path, size: found.size, dispose: nothingToDispose };
}

/**
 * Puts a stream aside in a private temporary file, so that the upload can be repeated.
 * @throws CommandError when nothing arrives, or more than any picture has
 */
export async function spool(stream: NodeJS.ReadableStream, name: string, signal?: AbortSignal): Promise<ImageSource> {
  const folder = await mkdtemp(join(tmpdir(), 'pixdock-'));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'picture');
    await pipeline(stream, bounded(), createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal });
    const { size } = await stat(path);
    if (size === 0) throw new CommandError('nothing arrived; the command before the pipe may have failed');
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
      if (size > LARGEST_STREAM) done(new CommandError('is larger than 1 GiB, which no picture is'));
      else done(null, chunk);
    },
  });
}
