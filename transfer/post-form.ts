import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { EncodedForm } from './form.ts';

/** A file of this computer, as it was when it was looked at. */
export interface FileToSend {
  /** What the service is told. */
  name: string;
  /** A Buffer where the name is not valid UTF-8. */
  path: string | Buffer;
  /** Bytes. */
  size: number;
}

/** The file has changed since, or cannot be read to its end. The message goes on where the file's name ends. */
export class FileFault extends Error {
  override name = 'FileFault';
}

export interface PostOptions {
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Told how many of the file's bytes have left. */
  onBytes: (count: number) => void;
}

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const CHUNK_BYTES = 128 * 1024;

/**
 * Posts a form whose file is read while it is sent, in one buffer that is used again and again: memory does not grow with the file.
 * Redirects are not followed.
 * @throws FileFault; the system's error when the file cannot be opened, and for network faults
 */
export async function postForm(
  url: URL,
  form: EncodedForm,
  { path, size }: Pick<FileToSend, 'path' | 'size'>,
  { headers, signal, onBytes }: PostOptions,
): Promise<Answer> {
  const handle = await open(path, 'r');
  try {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      method: 'POST',
      signal,
      headers: { ...headers, 'content-type': form.contentType, 'content-length': form.length },
    });
    // Errors reach the promise below; one after the answer has come says nothing new, but would end the program.
    request.on('error', () => undefined);
    const answered = once(request, 'response') as Promise<[IncomingMessage]>;
    try {
      // A refusal may come before the whole file has been sent; the rest is then of no use.
      const early = answered.then(() => undefined);
      await Promise.race([early, writeBody(request, form, handle, size, onBytes)]);
      const [response] = await answered;
      return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
    } finally {
      if (!request.writableEnded) request.destroy();
    }
  } finally {
    await handle.close();
  }
}

async function writeBody(request: ClientRequest, form: EncodedForm, handle: FileHandle, size: number, onBytes: PostOptions['onBytes']) {
  await write(request, form.head);
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size, 1)));
  for (let left = size; left > 0; ) {
    const { bytesRead } = await readChunk(handle, buffer, left);
    left -= bytesRead;
    await write(request, buffer.subarray(0, bytesRead));
    onBytes(bytesRead);
  }
  // The length was announced: anything else would become a broken picture on the server.
  if ((await handle.stat()).size !== size) throw new FileFault('was changed while it was being uploaded');
  request.end(form.tail);
}

async function readChunk(handle: FileHandle, buffer: Buffer, left: number) {
  const read = await handle.read(buffer, 0, Math.min(buffer.length, left)).catch((error: Error) => {
    throw new FileFault(`could not be read to its end: ${error.message}`, { cause: error });
  });
  if (read.bytesRead === 0) throw new FileFault('was changed while it was being uploaded');
  return read;
}

/** Resolves when the bytes have left, and not before: then their buffer can be used again. */
function write(request: ClientRequest, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    request.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
