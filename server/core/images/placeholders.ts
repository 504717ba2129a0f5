import type { Logger } from 'pino';
import { createFlush } from '#server/platform/base/create-flush.ts';
import type { Database, WritableDatabase } from '#server/platform/db/database.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import type { ImageHashes } from '#server/platform/imaging/types.ts';
import { createAttempts } from '#server/platform/jobs/attempts.ts';
import { type BlobRef, nameOf, shownBlobOf } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import type { Thumbnails } from './thumbnails.ts';

/** Placeholders and perceptual hashes of images, stored with them and shown only to those who may see the whole image. */
export interface Placeholders {
  /** Takes the hashes of a blob's images; stored within seconds. */
  add(ref: BlobRef, hashes: ImageHashes): void;
  /** Makes the hashes of one batch of images that have none. Returns how many blobs it tried; 0: none is left. */
  backfill(thumbnails: Thumbnails): Promise<number>;
  /** Stores what was made so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

interface Made extends ImageHashes {
  ref: BlobRef;
}

/** Many share one commit: separate commits would each wait for the disk. */
const FLUSH_MS = 2_000;
const MAX_PENDING = 100;
const BATCH = 20;
/** Stored where no hash can be made, so that it isn't tried again. */
const NONE: ImageHashes = { thumbhash: '', phash: '' };

export function createPlaceholders(db: Database, log: Logger): Placeholders {
  let pending: Made[] = [];
  const attempts = createAttempts<number>(log, 'couldn’t make the placeholder of a picture; it will be tried again');
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  const flush = createFlush(storePending);

  async function storePending() {
    if (pending.length === 0) return;
    const made = pending;
    pending = [];
    try {
      await store(db.as('job'), made);
    } catch (error) {
      log.error({ err: error, images: made.length }, 'placeholders couldn’t be saved; the job makes them again');
    }
  }

  return {
    add(ref, hashes) {
      pending.push({ ref, ...hashes });
      if (pending.length === MAX_PENDING) void flush();
    },
    async backfill(thumbnails) {
      await flush();
      const missing = await blobsWithout(db, attempts.resting());
      const made: Made[] = [];
      for (const { ref, id } of missing) {
        const hashes = await attempts.run(id, () => hashesOrNone(() => thumbnails.hashes(ref)));
        if (hashes) made.push({ ref, ...hashes.result });
      }
      if (made.length > 0) await store(db.as('job'), made);
      return missing.length;
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** A damaged or lost image has no hashes; a fault of the machine, or of its disk, must not be mistaken for that. */
async function hashesOrNone(make: () => Promise<ImageHashes>): Promise<ImageHashes> {
  try {
    return await make();
  } catch (error) {
    if (error instanceof ImageError || error instanceof BlobMissingError) return NONE;
    throw error;
  }
}

/** Blobs, each with one of its images. @param resting images that are left out */
async function blobsWithout(db: Database, resting: number[]): Promise<{ ref: BlobRef; id: number }[]> {
  const rows = await db.read
    .selectFrom('images')
    .select(['id', 'policy_id', 'sha256', 'poster_policy_id', 'poster_sha256'])
    .where('phash', 'is', null) // set and forgotten together with the placeholder, which is older
    .where('emptied_at', 'is', null)
    .$if(resting.length > 0, (query) => query.where('id', 'not in', resting))
    .orderBy('id')
    .limit(BATCH)
    .execute();
  const found = rows.map((row) => ({ id: row.id, ref: shownBlobOf(row) }));
  return [...new Map(found.map((blob) => [nameOf(blob.ref), blob])).values()];
}

function store(db: WritableDatabase, made: readonly Made[]): Promise<void> {
  return db.write(async (queries) => {
    for (const { ref, ...hashes } of made) {
      const without = queries.updateTable('images').where('phash', 'is', null);
      await without
        .set(hashes)
        .where('policy_id', '=', ref.policyId)
        .where('sha256', '=', ref.sha256)
        .where('duration', 'is', null)
        .execute();
      // Videos are alike in more than a picture of theirs: they have no perceptual hash.
      const shown = without.where('poster_policy_id', '=', ref.policyId).where('poster_sha256', '=', ref.sha256);
      await shown.set({ ...hashes, phash: '' }).execute();
    }
  });
}
