import type { Logger } from 'pino';
import { viewsLeft } from '#server/core/images/access.ts';
import type { ImageIndex } from '#server/core/images/image-index.ts';
import { addViewsOfDay } from '#server/core/images/view-days.ts';
import { countViews } from '#server/core/journal/daily-counts.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

/** Counts views of originals by anyone but their owner. */
export interface Views {
  /** Uses up one view of a limited image, atomically; false when none is left. */
  take(image: ImageRow): Promise<boolean>;
  /** Counts a view of an unlimited image; stored within seconds. */
  count(image: ImageRow): void;
  /** Stores the views counted so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Views of one limited image that wait for the same commit. */
interface Claim {
  requested: number;
  /** The number granted, in order of arrival. */
  granted: Promise<number>;
}

const FLUSH_MS = 5_000;
/** Views of more images than this are stored immediately, which limits memory. */
const MAX_PENDING = 5_000;

export function createViews(db: Database, index: ImageIndex, log: Logger): Views {
  let pending = new Map<number, { key: string; ownerId: number | null; views: number }>();
  const claims = new Map<number, Claim>();
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
      log.error({ err: error, images: counted.size }, 'views couldn’t be saved and are lost');
    }
  }

  /** Views requested before the unit of writing begins share it. */
  function openClaim(image: ImageRow): Claim {
    const close = () => {
      if (claims.get(image.id) === claim) claims.delete(image.id);
    };
    const granted: Promise<number> = db.write((queries) => {
      close();
      return takeViews(queries, image, claim.requested);
    });
    const claim: Claim = {
      requested: 0,
      granted: granted.finally(() => {
        close(); // if the unit could not begin
        index.forget(image.key);
      }),
    };
    claims.set(image.id, claim);
    return claim;
  }

  return {
    async take(image) {
      const claim = claims.get(image.id) ?? openClaim(image);
      const place = ++claim.requested;
      return place <= (await claim.granted);
    },
    count({ id, key, owner_id }) {
      const entry = pending.get(id);
      if (entry) return void entry.views++;
      pending.set(id, { key, ownerId: owner_id, views: 1 });
      if (pending.size >= MAX_PENDING) void flush();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Uses up the requested views, as far as there are any left, and returns the number. */
async function takeViews(queries: Queries, { id, owner_id }: ImageRow, asked: number): Promise<number> {
  const limit = await queries.selectFrom('images').select(['max_views', 'limited_views']).where('id', '=', id).executeTakeFirst();
  if (!limit) return 0;
  // The limit may have been lifted since the row was read.
  const taken = Math.min(asked, viewsLeft(limit) ?? asked);
  if (taken === 0) return 0;
  await queries
    .updateTable('images')
    .set((row) => ({ views: row('views', '+', taken), limited_views: row('limited_views', '+', taken) }))
    .where('id', '=', id)
    .execute();
  await addViewsOfDay(queries, id, taken, Date.now());
  await countViews(queries, owner_id, taken, Date.now());
  return taken;
}
