import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Ipc } from '#main/ipc.ts';
import type { Access, Account } from '#main/service/account.ts';

/** Many times what a small thumbnail needs. */
const TIME_LIMIT_MS = 3_000;
/** For a page, which shows it whenever it comes: a busy host makes the thumbnails of a batch one after the other. */
const PAGE_LIMIT_MS = 30_000;
const MAX_BYTES = 256 * 1024;
/** Thumbnails that are kept for the page, and requests at once. */
const MAX_KEPT = 200;
const PARALLEL = 4;

/**
 * A small thumbnail for menus and notifications. Undefined where the account may not see it, or where it isn't as small as it should
 * be: a joined host isn't trusted with main's memory.
 */
export async function fetchThumbnail({ url, headers }: Access, key: string, limitMs = TIME_LIMIT_MS): Promise<Buffer | undefined> {
  const response = await fetch(`${url}/t/${key}.jpg?w=120`, { headers, redirect: 'error', signal: AbortSignal.timeout(limitMs) });
  if (!response.ok || Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > MAX_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  return Buffer.from(await response.arrayBuffer());
}

/** Handles the page's call for thumbnails of a joined host: the page itself can't reach it. */
export function handleThumbnails(ipc: Ipc, account: Account): void {
  const kept = new LRUCache<string, string>({ max: MAX_KEPT });
  const limit = pLimit(PARALLEL);

  /** Without credentials: an upload token may only see what everyone may see. */
  async function load(key: string) {
    const { url } = await account.access();
    const bytes = await fetchThumbnail({ url, headers: {} }, key, PAGE_LIMIT_MS);
    if (!bytes) return null;
    const address = `data:image/jpeg;base64,${bytes.toString('base64')}`;
    kept.set(key, address);
    return address;
  }

  ipc.handle({
    // The page shows why the host can't be reached, and asks again once it is back.
    getThumbnail: (key) => kept.get(key) ?? (account.state() === 'ready' ? limit(() => load(key)) : null),
  });
}
