import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { EncodedForm } from './form.ts';
import type { OpenFile } from './open-file.ts';

/** A file to send as it was when it was opened. */
export interface FileToSend extends Pick<OpenFile, 'handle' | 'size'> {
  /** The name to send. */
  name: string;
}

type FileSource = Pick<FileToSend, 'handle' | 'size'>;

/** The file has changed since, or can't be read to its end. The message continues after the file's name. */
export class FileFault extends Error {
  override name = 'FileFault';
}

export interface PostOptions {
  method?: 'POST' | 'PUT' | undefined;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Called with how many of the file's bytes have left; negative where a repeated attempt takes them back. */
  onBytes: (count: number) => void;
}

export interface UploadResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const CHUNK_BYTES = 128 * 1024;

/**
 * Posts a form whose file is read while it is sent, through one reused buffer: memory doesn't grow with the file. Redirects aren't
 * followed. A kept-alive connection that turns out to be closed is replaced once, immediately (decision 054).
 * @throws FileFault, or the system's error for network failures
 */
export async function postForm(url: URL, form: EncodedForm, file: FileSource, options: PostOptions): Promise<UploadResponse> {
  let sent = 0;
  const onBytes = (count: number) => {
    sent += count;
    options.onBytes(count);
  };
  try {
    return await post(url, form, file, { ...options, onBytes });
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    options.onBytes(-sent);
    // `agent: false` opens a connection of its own: others in the pool may be stale as well.
    return await post(url, form, file, { ...options, agent: false });
  }
}

/** The service closed a kept-alive connection while this request was on its way; no byte of a response had arrived. */
class StaleConnection extends Error {
  override name = 'StaleConnection';
}

const CLOSED = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_DESTROYED'];

async function post(
  url: URL,
  form: EncodedForm,
  { handle, size }: FileSource,
  { method = 'POST', headers, signal, onBytes, agent }: PostOptions & { agent?: false },
): Promise<UploadResponse> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(url, {
    method,
    agent,
    signal,
    headers: { ...headers, 'content-type': form.contentType, 'content-length': form.length },
  });
  let receivedBefore = 0;
  request.once('socket', ({ bytesRead }) => {
    receivedBefore = bytesRead;
  });
  // Errors reject the promise below; a later one has nothing to add, but would end the program.
  request.on('error', () => undefined);
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  try {
    // A refusal may arrive before the whole file has been sent; the rest is then useless.
    const early = responded.then(() => undefined);
    await Promise.race([early, writeBody(request, form, handle, size, onBytes)]);
    const [response] = await responded;
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
  } catch (error) {
    const closed = CLOSED.includes((error as NodeJS.ErrnoException).code ?? '') && request.socket?.bytesRead === receivedBefore;
    if (closed && request.reusedSocket && !signal.aborted) throw new StaleConnection('the connection was closed', { cause: error });
    throw error;
  } finally {
    if (!request.writableEnded) request.destroy();
  }
}

async function writeBody(
  request: ClientRequest,
  form: EncodedForm,
  handle: FileSource['handle'],
  size: number,
  onBytes: PostOptions['onBytes'],
) {
  await write(request, form.head);
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size, 1)));
  for (let left = size; left > 0; ) {
    const { bytesRead } = await readChunk(handle, buffer, left, size - left);
    left -= bytesRead;
    await write(request, buffer.subarray(0, bytesRead));
    onBytes(bytesRead);
  }
  // The length was announced: any other would store a broken image.
  if ((await handle.stat().catch(unreadable)).size !== size) throw new FileFault('changed while it was being uploaded');
  request.end(form.tail);
}

/** From a position of its own, since an attempt to send may be repeated. */
async function readChunk(handle: FileSource['handle'], buffer: Buffer, left: number, position: number) {
  const read = await handle.read(buffer, 0, Math.min(buffer.length, left), position).catch(unreadable);
  if (read.bytesRead === 0) throw new FileFault('changed while it was being uploaded');
  return read;
}

function unreadable(error: Error): never {
  throw new FileFault(`could not be read completely: ${error.message}`, { cause: error });
}

/** Resolves once the bytes have left and their buffer can be reused. */
function write(request: ClientRequest, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    request.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
