import type { Logger } from 'pino';
import type { Database } from '#server/platform/db/database.ts';
import type { DecodingQueue } from '#server/platform/imaging/decoding.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { thumbHashOf } from '#server/platform/imaging/thumbhash.ts';
import type { BlobRef } from '#server/platform/storage/blobs.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { NOBODY_WAITS, type Thumbnails } from './thumbnails.ts';

/** ThumbHashes of images, stored with them and shown only to those who may see the whole image. */
export interface Placeholders {
  /** Makes the placeholder of a blob's images from its first thumbnail; stored within seconds. */
  make(ref: BlobRef, thumbnail: string): Promise<void>;
  /** Makes the placeholders of one batch of images that have none. Returns how many blobs it tried; 0: none is left. */
  backfill(thumbnails: Thumbnails): Promise<number>;
  /** Stores what was made so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Made {
  ref: BlobRef;
  thumbhash: string;
}

/** Many share one commit: separate commits would each wait for the disk. */
const FLUSH_MS = 2_000;
const MAX_PENDING = 100;
const BATCH = 20;
/** Stored where no placeholder can be made, so that it isn't tried again. */
const NONE = '';

export function createPlaceholders(db: Database, queue: DecodingQueue, log: Logger): Placeholders {
  const decoding = queue.as(NOBODY_WAITS);
  let pending: Made[] = [];
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();

  async function flush() {
    if (pending.length === 0) return;
    const made = pending;
    pending = [];
    try {
      await store(db, made);
    } catch (error) {
      log.error({ err: error, images: made.length }, 'placeholders couldn’t be saved; the job makes them again');
    }
  }

  return {
    async make(ref, thumbnail) {
      try {
        pending.push({ ref, thumbhash: await thumbHashOf(thumbnail, decoding) });
        if (pending.length >= MAX_PENDING) await flush();
      } catch (error) {
        log.warn({ err: error, sha256: ref.sha256 }, 'a placeholder couldn’t be made; the job tries again');
      }
    },
    async backfill(thumbnails) {
      await flush();
      const refs = await blobsWithout(db);
      const made: Made[] = [];
      for (const ref of refs)
        made.push({ ref, thumbhash: await hashOrNone(() => thumbnails.withAny(ref, (path) => thumbHashOf(path, decoding))) });
      if (made.length > 0) await store(db, made);
      return refs.length;
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** A damaged or lost image has no placeholder; a fault of the machine must not be mistaken for that. */
async function hashOrNone(make: () => Promise<string>): Promise<string> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ImageError || error instanceof BlobMissingError) return NONE;
    throw error;
  }
}

async function blobsWithout(db: Database): Promise<BlobRef[]> {
  const rows = await db.read
    .selectFrom('images')
    .select(['policy_id', 'sha256'])
    .where('thumbhash', 'is', null)
    .where('emptied_at', 'is', null)
    .orderBy('id')
    .limit(BATCH)
    .execute();
  const refs = new Map(rows.map(({ policy_id, sha256 }) => [`${policy_id}-${sha256}`, { policyId: policy_id, sha256 }]));
  return [...refs.values()];
}

function store(db: Database, made: readonly Made[]): Promise<void> {
  return db.write(async (queries) => {
    for (const { ref, thumbhash } of made)
      await queries
        .updateTable('images')
        .set({ thumbhash })
        .where('policy_id', '=', ref.policyId)
        .where('sha256', '=', ref.sha256)
        .where('thumbhash', 'is', null)
        .execute();
  });
}
