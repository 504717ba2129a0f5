import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { DecodingQueue } from '#server/platform/imaging/decoding.ts';
import { ImageError } from '#server/platform/imaging/errors.ts';
import { isAnimated } from '#server/platform/imaging/probe.ts';
import { type Attempts, createAttempts } from '#server/platform/jobs/attempts.ts';
import type { Blobs } from '#server/platform/storage/blobs.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { IN_BACKGROUND } from './thumbnails.ts';

const BATCH = 20;

// Literal, identical to that of the index `images_that_may_move`: otherwise the database couldn't use the index.
const MAY_MOVE = sql<boolean>`animated is null and emptied_at is null and mime in ('image/gif', 'image/webp', 'image/avif', 'image/png')`;

interface Sources {
  db: WritableDatabase;
  blobs: Pick<Blobs, 'driverOf'>;
  decoding: DecodingQueue;
}

/** At the images, by their ids. */
export const animationAttempts = (log: Pick<Logger, 'error'>): Attempts<number> =>
  createAttempts(log, 'couldn’t find out whether a picture is an animation; it will be tried again');

/**
 * Notes of one batch of images whether they are animations: those that were uploaded before this was noted, or converted. Returns the number;
 * 0: none is left.
 */
export async function noteAnimations({ db, blobs, decoding }: Sources, attempts: Attempts<number>): Promise<number> {
  const resting = attempts.resting();
  const rows = await db.read
    .selectFrom('images')
    .select(['id', 'policy_id', 'sha256'])
    .where(MAY_MOVE)
    .$if(resting.length > 0, (query) => query.where('id', 'not in', resting))
    .orderBy('id')
    .limit(BATCH)
    .execute();
  const found: { ref: (typeof rows)[number]; animated: 0 | 1 }[] = [];
  for (const ref of new Map(rows.map((row) => [`${row.policy_id}-${row.sha256}`, row])).values()) {
    const look = async () => {
      const driver = await blobs.driverOf(ref.policy_id);
      return driver.withFile(ref.sha256, (path) => isAnimated(path, decoding.as(IN_BACKGROUND)));
    };
    const looked = await attempts.run(ref.id, () => look().catch(isUnreadable));
    if (looked) found.push({ ref, animated: looked.result ? 1 : 0 });
  }
  if (found.length === 0) return rows.length;
  await db.write(async (queries) => {
    for (const { ref, animated } of found)
      await queries
        .updateTable('images')
        .set({ animated })
        .where('policy_id', '=', ref.policy_id)
        .where('sha256', '=', ref.sha256)
        .where('animated', 'is', null)
        .execute();
  });
  return rows.length;
}

/** A damaged or lost image doesn't move; a fault of the machine must not be mistaken for that. */
function isUnreadable(error: unknown): false {
  if (error instanceof ImageError || error instanceof BlobMissingError) return false;
  throw error;
}
