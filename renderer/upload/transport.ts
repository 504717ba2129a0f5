import { addressOf, NetworkError, parseEnvelope } from '#api/client.ts';
import { IDEMPOTENCY_HEADER } from '#api/constants.ts';
import type { Uploaded } from '#api/upload.ts';
import type { Send } from './types.ts';

/**
 * Uploads one file and reports progress, which takes XMLHttpRequest: fetch can't tell how much of a body has been sent.
 * Rejects with {@link ApiError} if the service refuses, {@link NetworkError} if it can't be reached, and the signal's reason if cancelled.
 */
export const sendFile: Send = ({ idempotencyKey, file, name, user, fields }, onProgress, signal) => {
  return new Promise<Uploaded>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('POST /upload', { query: { as_user: user } }));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader(IDEMPOTENCY_HEADER, idempotencyKey);
    request.upload.addEventListener('progress', (event) => onProgress({ sent: Math.min(event.loaded, file.size), total: file.size }));
    request.upload.addEventListener('load', () => onProgress({ sent: file.size, total: file.size }));
    request.addEventListener('load', () => {
      try {
        resolve(parseEnvelope(request.status, request.responseText, request.getResponseHeader('retry-after')) as Uploaded);
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(new NetworkError('Could not reach the service.')));
    request.addEventListener('abort', () => reject(signal.reason));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', file, name);
    request.send(form);
  });
};
