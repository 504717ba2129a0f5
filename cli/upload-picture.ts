import { NetworkError, parseEnvelope } from '#api/client.ts';
import { API_PREFIX } from '#api/contract.ts';
import { type FormFields, type Uploaded, upload } from '#api/upload.ts';
import { type Connection, RedirectError } from './connection.ts';
import { CommandError } from './errors.ts';
import { encodeForm } from './form.ts';
import { type Answer, postForm } from './http-post.ts';
import type { PictureSource } from './picture-source.ts';

export interface AttemptOptions {
  /** Seconds without any movement after which the attempt counts as failed. */
  timeout: number;
  signal?: AbortSignal | undefined;
  /** Told how many bytes have left; negative when an attempt failed and its bytes do not count. */
  onBytes?: ((count: number) => void) | undefined;
}

/**
 * One attempt to upload one picture, streamed from its file.
 * @throws ApiError, NetworkError as the client does; CommandError or the system's error when the file cannot be read
 */
export async function uploadPicture(
  connection: Pick<Connection, 'baseUrl' | 'token'>,
  picture: PictureSource,
  fields: FormFields,
  { timeout, signal, onBytes }: AttemptOptions,
): Promise<Uploaded> {
  const idle = new IdleTimer(timeout);
  let sent = 0;
  const count = (bytes: number) => {
    sent += bytes;
    idle.touch();
    onBytes?.(bytes);
  };
  try {
    const either = signal ? AbortSignal.any([signal, idle.signal]) : idle.signal;
    return readAnswer(connection.baseUrl, await post(connection, picture, fields, either, count));
  } catch (error) {
    onBytes?.(-sent);
    if (!isNetworkFault(error) || signal?.aborted) throw error;
    const reason = idle.signal.aborted ? `nothing moved for ${timeout} seconds` : error.message || error.code;
    throw new NetworkError(`Could not reach ${connection.baseUrl}: ${reason}`, { cause: error });
  } finally {
    idle.stop();
  }
}

function post(
  { baseUrl, token }: Pick<Connection, 'baseUrl' | 'token'>,
  picture: PictureSource,
  fields: FormFields,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
) {
  // Quotes and line breaks stay escaped in a part's header; a text field carries any name whole.
  const name = /["\r\n%\\]/.test(picture.name) ? picture.name : undefined;
  const headers = { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const url = new URL(`${API_PREFIX}${upload.path}`, baseUrl);
  return postForm(url, encodeForm({ ...fields, name }, picture), picture, { headers, signal, onBytes });
}

function readAnswer(baseUrl: string, { status, headers, text }: Answer): Uploaded {
  if (status >= 300 && status < 400) {
    const error = new RedirectError(headers.location, baseUrl);
    throw new NetworkError(`Could not reach ${baseUrl}: ${error.message}`, { cause: error });
  }
  return parseEnvelope(status, text, headers['retry-after']) as Uploaded;
}

/** The system's own errors carry the name of the call that failed: `read` on a socket is one, `open` on a file is not. */
function isNetworkFault(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || error instanceof CommandError || error instanceof NetworkError || error.name === 'ApiError')
    return false;
  return (error as NodeJS.ErrnoException).syscall !== 'open';
}

/** Fires when nobody has touched it for a while. */
class IdleTimer {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(seconds: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), seconds * 1000);
  }

  get signal() {
    return this.#controller.signal;
  }

  touch() {
    this.#timer.refresh();
  }

  stop() {
    clearTimeout(this.#timer);
  }
}
