import { parseEnvelope, RedirectError } from '#api/client.ts';
import type { FormFields, Uploaded } from '#api/upload.ts';
import { type Answer, FileFault } from '#transfer/post-form.ts';
import { type SendOptions, sendFile } from '#transfer/send-file.ts';
import type { Connection } from './connection.ts';
import { CommandError } from './errors.ts';
import type { ImageSource } from './image-source.ts';

/**
 * One attempt to upload one picture, streamed from its file. `onBytes` is told a negative count when it has failed and its bytes
 * do not count.
 * @throws ApiError, NetworkError as the client does; CommandError or the system's error when the file cannot be read
 */
export async function uploadImage(
  { baseUrl, token }: Pick<Connection, 'baseUrl' | 'token'>,
  image: ImageSource,
  fields: FormFields,
  options: SendOptions,
): Promise<Uploaded> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  let sent = 0;
  const onBytes = (bytes: number) => {
    sent += bytes;
    options.onBytes?.(bytes);
  };
  try {
    return readAnswer(baseUrl, await sendFile({ baseUrl, headers }, image, fields, { ...options, onBytes }));
  } catch (error) {
    options.onBytes?.(-sent);
    throw error instanceof FileFault ? new CommandError(error.message, { cause: error }) : error;
  }
}

function readAnswer(baseUrl: string, { status, headers, text }: Answer): Uploaded {
  if (status >= 300 && status < 400) throw new RedirectError(headers.location, baseUrl);
  return parseEnvelope(status, text, headers['retry-after']) as Uploaded;
}
