import type { Readable } from 'node:stream';
import type { Database } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { createUniqueNames, type ZipEntry } from '#server/platform/http/zip.ts';
import type { Blobs } from '#server/platform/storage/blobs.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';

interface Sources {
  db: Database;
  blobs: Blobs;
}

/**
 * Images as files of a zip, under their own names as far as every system can unpack them.
 * @param present an image as it is when its turn comes, which may be long after the list was read; undefined leaves it out, since it is gone or the
 * client may no longer see it
 */
export async function* imageEntries(
  sources: Sources,
  rows: Iterable<ImageRow> | AsyncIterable<ImageRow>,
  present: (row: ImageRow) => Promise<ImageRow | undefined>,
): AsyncGenerator<ZipEntry> {
  const unique = createUniqueNames();
  for await (const listed of rows) {
    const row = await present(listed);
    const bytes = row && (await openImage(sources, row));
    if (bytes) yield { name: unique(row.name, row.ext), modified: zipDate(row.taken_at), bytes };
  }
}

/** Zips can store dates from 1980 to 2107 only. */
export function zipDate(instant: number): Date {
  return new Date(Math.min(Math.max(instant, Date.UTC(1980, 0, 2)), Date.UTC(2107, 0, 1)));
}

/** The bytes of an image; undefined when it was purged or expired after the list was read. */
export async function openImage({ db, blobs }: Sources, row: ImageRow): Promise<Readable | undefined> {
  try {
    return (await (await blobs.driverOf(row.policy_id)).open(row.sha256)).stream();
  } catch (error) {
    if (!(error instanceof BlobMissingError)) throw error;
    const still = await db.read.selectFrom('images').select(['emptied_at', 'policy_id']).where('id', '=', row.id).executeTakeFirst();
    if (still && still.emptied_at === null && still.policy_id !== row.policy_id) return openImage({ db, blobs }, { ...row, ...still });
    if (still && still.emptied_at === null) throw error;
    return undefined;
  }
}
