import { EventEmitter } from 'node:events';
import { createClient } from '#api/client.ts';
import { type Image, listImages } from '#api/images.ts';
import type { OwnerSession } from '#main/service/owner-session.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';

const LIMIT = 10;

/** One of the owner's latest pictures, with the bytes of a small thumbnail where available. */
interface RecentImage {
  image: Image;
  thumbnail?: Buffer;
}

/** The latest pictures from any source: the service's list, refreshed after every possible change. */
export interface RecentUploads {
  list(): readonly RecentImage[];
  /** Never rejects: a failed refresh is made up for by the next. */
  refresh(): Promise<void>;
  onChange(listener: () => void): void;
}

export function setupRecentUploads(owner: OwnerSession, service: Pick<ServiceProcess, 'onStatus'>): RecentUploads {
  const events = new EventEmitter<{ change: [] }>();
  const thumbnails = new Map<string, Buffer>();
  let images: readonly RecentImage[] = [];
  let refreshing: Promise<void> | undefined;
  let again = false;

  async function load() {
    const { url, cookie } = await owner.forService();
    const page = await createClient({ baseUrl: url }).call(listImages, { query: { limit: LIMIT }, headers: { cookie } });
    const wanted = new Set(page.items.map(({ key }) => key));
    for (const key of thumbnails.keys()) if (!wanted.has(key)) thumbnails.delete(key);
    await Promise.all(page.items.map(({ key }) => loadThumbnail(url, cookie, key)));
    images = page.items.map((image) => ({ image, thumbnail: thumbnails.get(image.key) }));
    events.emit('change');
  }

  async function loadThumbnail(url: string, cookie: string, key: string) {
    if (thumbnails.has(key)) return;
    const response = await fetch(thumbnailAddress(url, key), { headers: { cookie } });
    if (response.ok) thumbnails.set(key, Buffer.from(await response.arrayBuffer()));
    else await response.body?.cancel();
  }

  async function run() {
    do {
      again = false;
      await load().catch((error: unknown) => console.error('The latest pictures could not be listed:', error));
    } while (again);
    refreshing = undefined;
  }

  function refresh() {
    again = true;
    refreshing ??= run();
    return refreshing;
  }

  service.onStatus(({ state }) => state === 'running' && void refresh());
  return {
    list: () => images,
    refresh,
    onChange: (listener) => void events.on('change', listener),
  };
}

/** A thumbnail for menus and notifications, from the local service. */
export function thumbnailAddress(url: string, key: string) {
  return `${url}/t/${key}.jpg?w=120`;
}
