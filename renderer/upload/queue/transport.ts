import { addressOf } from '#api/client.ts';
import { type Conversion, IDEMPOTENCY_HEADER, type SlugChoice } from '#api/constants.ts';
import type { Uploaded, Visibility } from '#api/images/upload.ts';
import { client } from '#renderer/service/client.ts';
import type { KnownLimits } from './refusal.ts';
import { sendForm } from './send-form.ts';
import type { Progress, UploadItem } from './types.ts';

type OnProgress = (progress: Progress) => void;

/** Sends one upload. Rejects with {@link ApiError} if the service refuses, {@link NetworkError} if it can't be reached. */
export const sendUpload = (
  item: UploadItem,
  onProgress: OnProgress,
  signal: AbortSignal,
  limits?: Pick<KnownLimits, 'max_video_seconds'>,
) =>
  typeof item.source === 'string'
    ? sendAddress(item, item.source, onProgress, signal)
    : sendFile(item, item.source, limits?.max_video_seconds, { onProgress, signal });

/** Lets the service fetch a picture from the web. */
async function sendAddress(item: UploadItem, url: string, onProgress: OnProgress, signal: AbortSignal) {
  const { idempotencyKey, user, fields } = item;
  onProgress({ sent: 0, total: 0 });
  const { visibility, expires_in, max_views, slug_or, convert, tags, albums, ...rest } = fields;
  const body = {
    ...rest,
    url,
    visibility: visibility as Visibility | undefined,
    expires_in: expires_in === undefined ? undefined : Number(expires_in),
    max_views: max_views === undefined ? undefined : Number(max_views),
    slug_or: slug_or as SlugChoice | undefined,
    convert: convert as Conversion | undefined,
    policy_id: undefined,
    tags: tags?.split(','),
    albums: albums?.split(','),
  };
  const headers = { [IDEMPOTENCY_HEADER]: idempotencyKey };
  // A session gets all of it.
  return (await client.call('POST /upload/url', { query: { as_user: user }, body, headers, signal })) as Uploaded;
}

function sendFile(
  { idempotencyKey, name, user, fields }: UploadItem,
  file: File,
  maxSeconds: number | undefined,
  options: { onProgress: OnProgress; signal: AbortSignal },
) {
  const address = addressOf('POST /upload', { query: { as_user: user } });
  return sendForm({ method: 'POST', address, idempotencyKey, file, name, fields, maxSeconds }, options);
}
