import { NetworkError } from '#api/client.ts';
import { API_PREFIX } from '#api/constants.ts';
import { type FormFields, upload } from '#api/upload.ts';
import { encodeForm } from './form.ts';
import { type Answer, FileFault, type FileToSend, postForm } from './post-form.ts';

export interface Service {
  baseUrl: string;
  /** What says who sends it. */
  headers: Record<string, string>;
}

export interface SendOptions {
  /** Seconds without any movement after which the attempt counts as failed. */
  timeout: number;
  signal?: AbortSignal | undefined;
  /** Called with how many more bytes of the file have left; negative where a repeated attempt takes them back. */
  onBytes?: ((count: number) => void) | undefined;
}

/**
 * One attempt to upload one picture, streamed from its file; what the service answers is for the caller to read.
 * @throws NetworkError as the typed client does; FileFault or the system's error when the file cannot be read
 */
export async function sendFile(
  { baseUrl, headers }: Service,
  file: FileToSend,
  fields: FormFields,
  { timeout, signal, onBytes }: SendOptions,
): Promise<Answer> {
  const idle = new IdleTimer(timeout);
  // A part's header cannot have quotes and control characters as they are; a text field carries any name whole.
  const name = /["%\\\p{Cc}]/u.test(file.name) ? file.name : undefined;
  try {
    return await postForm(new URL(`${API_PREFIX}${upload.path}`, baseUrl), encodeForm({ ...fields, name }, file), file, {
      headers: { accept: 'application/json', ...headers },
      signal: signal ? AbortSignal.any([signal, idle.signal]) : idle.signal,
      onBytes(count) {
        idle.touch();
        onBytes?.(count);
      },
    });
  } catch (error) {
    if (!isNetworkFault(error) || signal?.aborted) throw error;
    const reason = idle.signal.aborted ? `nothing moved for ${timeout} seconds` : error.message || error.code;
    throw new NetworkError(`Could not reach ${baseUrl}: ${reason}`, { cause: error });
  } finally {
    idle.stop();
  }
}

/** The system's own errors carry the name of the call that failed: `read` on a socket is one, `open` on a file is not. */
function isNetworkFault(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && !(error instanceof FileFault) && (error as NodeJS.ErrnoException).syscall !== 'open';
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
