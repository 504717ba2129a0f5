import { uprightImage } from '#main/base/upright-image.ts';
import type { SentImage } from '#main/journal/item.ts';
import type { Access } from '#main/service/account.ts';

/** The time for a picture that was just uploaded. */
const TIME_LIMIT_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * An uploaded picture as a PNG, as the service has it. Undefined where the account may not see it, as with a token that may only upload, and
 * for formats that Electron can't decode.
 */
export async function uploadedPicture({ url, headers }: Access, { links, ext }: SentImage): Promise<Buffer | undefined> {
  const { pathname } = new URL(links.url);
  const response = await fetch(url + pathname, { headers, redirect: 'error', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (!response.ok || Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > MAX_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  if (ext === 'png') return bytes;
  return (await uprightImage(bytes))?.toPNG();
}
