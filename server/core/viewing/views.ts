import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { hostName } from '#api/url-forms.ts';
import { type Access, viewsLeft } from '#server/core/images/access.ts';
import { addReferrers, MAX_HOSTS_PER_IMAGE, OTHER_HOSTS, type ReferrerCounts } from '#server/core/images/views/referrers.ts';
import { addViewsOfDay } from '#server/core/images/views/view-days.ts';
import { countViews } from '#server/core/journal/daily-counts.ts';
import { createFlush } from '#server/platform/base/create-flush.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';

/**
 * Whether sending the original is a view: to anyone but its owner, in response to a GET, even of a part of it. A response that sends nothing of it
 * (304, 412, 416) isn't, nor is a thumbnail, a share page or a zip. Players read a video in parts: its beginning is the view. Of a view-limited one, every
 * part is, except for those who play it ({@link Unlocking.isPlaying}).
 */
export function countsAsView(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  access: Access,
  { duration, max_views }: Pick<ImageRow, 'duration' | 'max_views'>,
): boolean {
  if (method !== 'GET' || !access.allowed || access.isOwner) return false;
  return duration === null || max_views > 0 || headers.range === undefined || /^bytes=0+-/i.test(headers.range.replace(/\s/g, ''));
}

/** Counts views; {@link countsAsView} says what is one. */
export interface Views {
  /** Uses up one view of a limited image, atomically; false when none is left. `host` is where it came from. */
  take(image: ImageRow, host?: string): Promise<boolean>;
  /** Counts a view of an unlimited image; stored within seconds. */
  count(image: ImageRow, host?: string): void;
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

/** Views of one image that wait to be stored. */
interface Pending {
  ownerId: number | null;
  views: number;
  /** Views by host; undefined until one has a host. */
  hosts?: Map<string, number>;
}

interface Parts {
  db: Database;
  log: Logger;
  metrics: Pick<Metrics, 'view'>;
  /** The service's own host names, which aren't counted as sources; undefined if no sources are counted. */
  ownHosts(): readonly string[] | undefined;
}

export function createViews({ db, log, metrics, ownHosts }: Parts): Views {
  let pending = new Map<number, Pending>();
  const claims = new Map<number, Claim>();
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  const flush = createFlush(store);

  async function store() {
    if (pending.size === 0) return;
    const counted = pending;
    pending = new Map();
    try {
      await db.as('note').write(async (queries) => {
        const sources = new Map<number, ReferrerCounts>();
        const own = ownHosts();
        for (const [id, { ownerId, views, hosts }] of counted) {
          const { numUpdatedRows } = await queries
            .updateTable('images')
            .set((row) => ({ views: row('views', '+', views) }))
            .where('id', '=', id)
            .executeTakeFirst();
          // An image that was purged meanwhile has no days either.
          if (numUpdatedRows === 0n) continue;
          if (views > 0) {
            await addViewsOfDay(queries, { imageId: id, views, now: Date.now() });
            await countViews(queries, { ownerId, views, now: Date.now() });
          }
          for (const host of hosts?.keys() ?? []) if (own?.includes(hostName(host))) hosts?.delete(host);
          if (own && hosts?.size) sources.set(id, hosts);
        }
        if (sources.size > 0) await addReferrers(queries, sources, Date.now());
      });
    } catch (error) {
      log.error({ err: error, images: counted.size }, 'views couldn’t be saved and are lost');
    }
  }

  /** Views requested before the unit of writing begins share it. */
  function openClaim(image: ImageRow): Claim {
    const close = () => {
      if (claims.get(image.id) === claim) claims.delete(image.id);
    };
    const granted: Promise<number> = db.as('note').write((queries) => {
      close();
      return takeViews(queries, image, claim.requested);
    });
    const claim: Claim = {
      requested: 0,
      granted: granted.finally(close), // if the unit could not begin
    };
    claims.set(image.id, claim);
    return claim;
  }

  function note({ id, owner_id }: ImageRow, views: number, host: string | undefined) {
    let entry = pending.get(id);
    if (entry) entry.views += views;
    else {
      entry = { ownerId: owner_id, views };
      pending.set(id, entry);
    }
    if (host !== undefined) noteHost(entry, host);
    if (pending.size >= MAX_PENDING) void flush();
  }

  return {
    async take(image, host) {
      const claim = claims.get(image.id) ?? openClaim(image);
      const place = ++claim.requested;
      const isGranted = place <= (await claim.granted);
      if (isGranted) metrics.view();
      if (isGranted && host !== undefined) note(image, 0, host);
      return isGranted;
    },
    count(image, host) {
      metrics.view();
      note(image, 1, host);
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Beyond the number of hosts that a day has room for, they are counted together, which limits memory too. */
function noteHost(entry: Pending, host: string) {
  const hosts = entry.hosts ?? new Map<string, number>();
  entry.hosts = hosts;
  const name = hosts.has(host) || hosts.size < MAX_HOSTS_PER_IMAGE ? host : OTHER_HOSTS;
  hosts.set(name, (hosts.get(name) ?? 0) + 1);
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
  await addViewsOfDay(queries, { imageId: id, views: taken, now: Date.now() });
  await countViews(queries, { ownerId: owner_id, views: taken, now: Date.now() });
  return taken;
}
