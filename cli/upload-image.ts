import { parseEnvelope, RedirectError } from '#api/client.ts';
import type { FormFields, UploadResult } from '#api/images/upload.ts';
import { FileFault, type UploadResponse } from '#transfer/post-form.ts';
import { type SendOptions, sendFile } from '#transfer/send-file.ts';
import type { Connection } from './connection.ts';
import { CommandError } from './errors.ts';
import type { ImageSource } from './image-source.ts';

/**
 * One attempt to upload one image, streamed from its file. If it fails, `onBytes` is called with a negative count that takes back its bytes.
 * @throws ApiError, NetworkError as the client does; CommandError or the system's error if the file can't be read
 */
export async function uploadImage(
  { baseUrl, token, explain }: Pick<Connection, 'baseUrl' | 'token' | 'explain'>,
  image: ImageSource,
  fields: FormFields,
  options: SendOptions,
): Promise<UploadResult> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  let sent = 0;
  const onBytes = (bytes: number) => {
    sent += bytes;
    options.onBytes?.(bytes);
  };
  try {
    return parseResponse(baseUrl, await sendFile({ baseUrl, headers }, image, fields, { ...options, onBytes }));
  } catch (error) {
    options.onBytes?.(-sent);
    throw error instanceof FileFault ? new CommandError(error.message, { cause: error }) : explain(error);
  }
}

function parseResponse(baseUrl: string, { status, headers, text }: UploadResponse): UploadResult {
  if (status >= 300 && status < 400) throw new RedirectError(headers.location, baseUrl);
  return parseEnvelope(status, text, headers['retry-after']) as UploadResult;
}
