import { addressOf, NetworkError, parseEnvelope } from '#api/client.ts';
import type { Uploaded } from '#api/upload.ts';
import type { Send } from './types.ts';

/**
 * Uploads one file and tells how far it is. The old XMLHttpRequest, because fetch cannot tell how much of a body has left.
 * Throws {@link ApiError} when the service refuses, {@link NetworkError} when it cannot be reached, the signal's reason when cancelled.
 */
export const sendFile: Send = ({ file, name, user, albumId }, onProgress, signal) => {
  return new Promise<Uploaded>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', addressOf('POST /upload', { query: { as_user: user } }));
    request.setRequestHeader('accept', 'application/json');
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
    if (albumId) form.append('album_id', albumId);
    form.append('file', file, name);
    request.send(form);
  });
};
