import type { Logger } from 'pino';
import { countViews } from '../admin/daily-counts.ts';
import type { Database } from '../db/database.ts';
import type { ImageIndex } from '../images/image-index.ts';
import type { ImageRow } from '../images/images.ts';
import { addViewsOfDay } from '../images/view-days.ts';

/** Counts looks at originals by others than their owner. */
export interface Views {
  /** Takes one view of a limited image, atomically; false when none is left. */
  take(image: ImageRow): Promise<boolean>;
  /** Counts a view of an unlimited image; written down within seconds. */
  count(image: ImageRow): void;
  /** Writes down what is counted. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const FLUSH_MS = 5_000;
/** More different images than this are written down at once, so that memory stays bounded. */
const MOST_PENDING = 5_000;

export function createViews(db: Database, index: ImageIndex, log: Logger): Views {
  let pending = new Map<number, { key: string; ownerId: number | null; views: number }>();
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  async function flush() {
    if (pending.size === 0) return;
    const counted = pending;
    pending = new Map();
    try {
      await db.write(async (queries) => {
        for (const [id, { ownerId, views }] of counted) {
          const { numUpdatedRows } = await queries
            .updateTable('images')
            .set((row) => ({ views: row('views', '+', views) }))
            .where('id', '=', id)
            .executeTakeFirst();
          // An image that was purged meanwhile has no days either.
          if (numUpdatedRows === 0n) continue;
          await addViewsOfDay(queries, id, views, Date.now());
          await countViews(queries, ownerId, views, Date.now());
        }
      });
      for (const { key } of counted.values()) index.forget(key);
    } catch (error) {
      log.error({ err: error, images: counted.size }, 'views could not be written down and are lost');
    }
  }

  return {
    async take(image) {
      const taken = await db.write(async (queries) => {
        const { numUpdatedRows } = await queries
          .updateTable('images')
          .set((row) => ({ views: row('views', '+', 1), limited_views: row('limited_views', '+', 1) }))
          .where('id', '=', image.id)
          // The limit may have been lifted since the row was read.
          .where((row) => row.or([row('max_views', '=', 0), row('limited_views', '<', row.ref('max_views'))]))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await addViewsOfDay(queries, image.id, 1, Date.now());
        await countViews(queries, image.owner_id, 1, Date.now());
        return true;
      });
      index.forget(image.key);
      return taken;
    },
    count({ id, key, owner_id }) {
      const entry = pending.get(id);
      pending.set(id, { key, ownerId: owner_id, views: (entry?.views ?? 0) + 1 });
      if (pending.size >= MOST_PENDING) void flush();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
