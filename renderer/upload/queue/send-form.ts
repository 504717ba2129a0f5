import { addressOf, NetworkError, parseEnvelope } from '#api/client.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import type { FormFields, Uploaded } from '#api/images/upload.ts';
import { loadAlone } from '#renderer/service/connection.ts';
import { LocalRefusal } from '#renderer/service/explain.ts';
import { isVideoFile } from './refusal.ts';
import type { Progress } from './types.ts';

/** A file to send, and what it is for. */
interface FileForm {
  method: 'POST' | 'PUT';
  /** Path and query of the route. */
  address: string;
  /** The same for each attempt, so that a retry after a lost response does nothing twice. */
  idempotencyKey: string;
  file: Blob;
  name: string;
  fields?: FormFields | { from: string } | undefined;
  headers?: Readonly<Record<string, string>>;
  /** How long a video may be; 0: as long as it likes. */
  maxSeconds?: number | undefined;
}

interface SendOptions {
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

/** 128 random bits; `randomUUID` isn't available on plain HTTP. */
export const randomKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Sends one file, a video with a poster, and reports progress, which takes XMLHttpRequest: fetch can't tell how much of a body has been sent.
 * Rejects with {@link ApiError} if the service refuses, {@link LocalRefusal} if it would because a video is too long, {@link NetworkError} if
 * it can't be reached, the signal's reason if cancelled.
 */
export async function sendForm<Result = Uploaded>(
  { method, address, idempotencyKey, file, name, fields = {}, headers = {}, maxSeconds = 0 }: FileForm,
  { onProgress, signal }: SendOptions,
) {
  const { poster, seconds = 0 } = isVideoFile({ name, type: file.type })
    ? await (await loadAlone(() => import('./poster.ts'))).readVideo(file)
    : {};
  // Sound may end a little later than the video.
  if (maxSeconds > 0 && seconds > maxSeconds + 1) throw new LocalRefusal({ code: 'video_too_long', max_seconds: maxSeconds });
  return new Promise<Result>((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader(IDEMPOTENCY_HEADER, idempotencyKey);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.addEventListener('progress', (event) => onProgress({ sent: Math.min(event.loaded, file.size), total: file.size }));
    request.upload.addEventListener('load', () => onProgress({ sent: file.size, total: file.size }));
    request.addEventListener('load', () => {
      try {
        resolve(parseEnvelope(request.status, request.responseText, request.getResponseHeader('retry-after')) as Result);
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(new NetworkError('Could not reach the service.')));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    if (poster) form.append('poster', poster, 'poster.jpg');
    form.append('file', file, name);
    request.send(form);
  });
}

/** A file that takes the place of a picture's, and the key of this replacement. */
export interface Replacement {
  file: Blob;
  name: string;
  idempotencyKey: string;
}

/** Puts another file behind the links of an image. `reused` in the result: it was the same file already. */
export const sendReplacement = (key: string, replacement: Replacement, options: SendOptions): Promise<Uploaded> =>
  sendForm({ ...replacement, method: 'PUT', address: addressOf('PUT /images/:key/file', { params: { key } }) }, options);
