import type { Access } from '#main/service/account.ts';

/** Many times what a small thumbnail needs. */
const TIME_LIMIT_MS = 3_000;
const MAX_BYTES = 256 * 1024;

/**
 * A small thumbnail for menus and notifications. Undefined where the account may not see it, or where it isn't as small as it should
 * be: a joined host isn't trusted with main's memory.
 */
export async function fetchThumbnail({ url, headers }: Access, key: string): Promise<Buffer | undefined> {
  const response = await fetch(`${url}/t/${key}.jpg?w=120`, { headers, redirect: 'error', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (!response.ok || Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > MAX_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  return Buffer.from(await response.arrayBuffer());
}
