import { NetworkError } from '#api/client.ts';
import { API_PREFIX, IDEMPOTENCY_HEADER } from '#api/constants.ts';
import { type FormFields, replaceFile, upload } from '#api/images/upload.ts';
import { encodeForm } from './form.ts';
import { FileFault, type FileToSend, postForm, type UploadResponse } from './post-form.ts';

export interface Service {
  baseUrl: string;
  /** Includes the credentials. */
  headers: Record<string, string>;
}

export interface SendOptions {
  /** Seconds without progress after which the attempt fails. */
  timeout: number;
  signal?: AbortSignal | undefined;
  /** Identifies the upload, so that repeating it returns the same image: 1 to 200 printable ASCII characters. */
  idempotencyKey?: string | undefined;
  /** The key of the image whose file this one replaces; without it, the file becomes a new image. */
  replaces?: string | undefined;
  /** The JPEG that stands for a video. */
  poster?: Uint8Array | undefined;
  /** Called with how many more bytes of the file have left; negative where a repeated attempt takes them back. */
  onBytes?: ((count: number) => void) | undefined;
}

/**
 * One attempt to upload one image, streamed from its open file; the caller parses the response.
 * @throws NetworkError as the typed client does; FileFault if the file can't be read
 */
export async function sendFile(
  { baseUrl, headers }: Service,
  file: FileToSend,
  fields: FormFields,
  { timeout, signal, idempotencyKey, replaces, poster, onBytes }: SendOptions,
): Promise<UploadResponse> {
  const idle = new IdleTimer(timeout);
  // A part's header can't contain raw quotes and control characters; a text field carries any name.
  const name = /["%\\\p{Cc}]/u.test(file.name) ? file.name : undefined;
  const { method, path } = replaces === undefined ? upload : { ...replaceFile, path: replaceFile.path.replace(':key', replaces) };
  try {
    return await postForm(new URL(`${API_PREFIX}${path}`, baseUrl), encodeForm({ ...fields, name }, file, poster), file, {
      method,
      headers: { accept: 'application/json', ...headers, ...(idempotencyKey !== undefined && { [IDEMPOTENCY_HEADER]: idempotencyKey }) },
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
      onBytes(count) {
        idle.touch();
        onBytes?.(count);
      },
    });
  } catch (error) {
    if (!isNetworkFault(error) || signal?.aborted) throw error;
    const reason = idle.signal.aborted ? `no progress for ${timeout} seconds` : error.message || error.code;
    throw new NetworkError(`Could not reach ${baseUrl}: ${reason}`, { cause: error });
  } finally {
    idle.stop();
  }
}

function isNetworkFault(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof FileFault);
}

/** Aborts its signal unless it is touched in time. */
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
