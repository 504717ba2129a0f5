import { EventEmitter } from 'node:events';
import { createClient } from '#api/client.ts';
import { listImages } from '#api/images/images.ts';
import type { Templated } from '#api/sharing/link-template.ts';
import { type Access, type Account, asAccount } from '#main/service/account.ts';
import { fetchThumbnail } from './thumbnail.ts';

const LIMIT = 10;

/** The page on which the user chooses to whom a picture is sent: on the server of its account, since tokens of apps can't send. */
export const pageToSend = (key: string) => `/sent?send=${key}`;

const reportThumbnail = (error: unknown) => console.error('Couldn’t load a thumbnail:', error);

/** One of the account's latest pictures, with the bytes of a small thumbnail where available. */
interface RecentImage {
  image: Templated & { name: string; visibility?: 'public' | 'private' | undefined };
  thumbnail?: Buffer | undefined;
}

/** The latest pictures from any source: the service's list, refreshed after every possible change. */
export interface RecentUploads {
  list(): readonly RecentImage[];
  /** Loads the list again. Never rejects: a failed refresh is made up for by the next. */
  refresh(): Promise<void>;
  onChange(listener: () => void): void;
}

export function setupRecentUploads(account: Account): RecentUploads {
  const events = new EventEmitter<{ change: [] }>();
  const thumbnails = new Map<string, Buffer>();
  let images: readonly RecentImage[] = [];
  let refreshing: Promise<void> | undefined;
  let again = false;

  async function load() {
    const { page, access } = await asAccount(account, async (access) => ({
      access,
      page: await createClient({ baseUrl: access.url }).call(listImages, { query: { limit: LIMIT }, headers: access.headers }),
    }));
    const listed = new Set(page.items.map(({ key }) => key));
    for (const key of thumbnails.keys()) if (!listed.has(key)) thumbnails.delete(key);
    const show = () => {
      images = page.items.map((image) => ({ image, thumbnail: thumbnails.get(image.key) }));
      events.emit('change');
    };
    show();
    const missing = page.items.filter(({ key }) => !thumbnails.has(key));
    if (missing.length === 0) return;
    // Pictures are listed without those that take too long.
    await Promise.all(missing.map(({ key }) => loadThumbnail(access, key).catch(reportThumbnail)));
    show();
  }

  async function loadThumbnail(access: Access, key: string) {
    const thumbnail = await fetchThumbnail(access, key);
    if (thumbnail) thumbnails.set(key, thumbnail);
  }

  async function run() {
    do {
      again = false;
      await load().catch((error: unknown) => console.error('Couldn’t list the latest pictures:', error));
    } while (again);
    refreshing = undefined;
  }

  function refresh() {
    again = true;
    refreshing ??= run();
    return refreshing;
  }

  // Also when another account is chosen, or the service is back.
  account.onChange(() => account.state() === 'ready' && void refresh());
  return {
    list: () => images,
    refresh,
    onChange: (listener) => void events.on('change', listener),
  };
}

/** The same with an account that can't list pictures: those that this app has uploaded since its start. */
export function setupSentUploads(account: Account): RecentUploads & { add(image: RecentImage['image']): void; remove(key: string): void } {
  const events = new EventEmitter<{ change: [] }>();
  let images: readonly RecentImage[] = [];

  /** Adds a thumbnail, fetched without credentials: an upload token may only see what everyone may see. */
  async function withThumbnail(image: RecentImage['image']): Promise<RecentImage> {
    const { url } = await account.access();
    return { image, thumbnail: await fetchThumbnail({ url, headers: {} }, image.key) };
  }

  return {
    list: () => images,
    refresh: () => Promise.resolve(),
    remove(key) {
      images = images.filter(({ image }) => image.key !== key);
      events.emit('change');
    },
    onChange: (listener) => void events.on('change', listener),
    add(image) {
      const others = () => images.filter((one) => one.image.key !== image.key);
      const put = (one: RecentImage) => {
        images = [one, ...others()].slice(0, LIMIT);
        events.emit('change');
      };
      put({ image });
      withThumbnail(image)
        .then((one) => {
          images = images.map((before) => (before.image.key === image.key ? one : before));
          events.emit('change');
        })
        .catch(reportThumbnail);
    },
  };
}
