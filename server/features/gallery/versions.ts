import { imageReplaced } from '#server/core/images/events.ts';
import { findOwnImage, isExpired, laterBySeconds } from '#server/core/images/images.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { GONE } from './change.ts';

const NO_VERSION = 'This version no longer exists. It may have been restored or permanently deleted.';
/** More than anyone compares. */
const MAX_VERSIONS = 100;

const versionsOf = (queries: Queries, ownerId: number, key: string) =>
  queries
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .where('version_of', '=', key)
    .where('deleted_at', 'is not', null)
    .where('emptied_at', 'is', null);

/** The versions of a user's own image that are still in the trash, latest first. @throws NotFoundError */
export async function listVersions(queries: Queries, ownerId: number, key: string): Promise<ImageRow[]> {
  requireFound(await findOwnImage(queries, ownerId, key), GONE);
  return versionsOf(queries, ownerId, key).orderBy('deleted_at', 'desc').orderBy('id', 'desc').limit(MAX_VERSIONS).execute();
}

/**
 * Exchanges the files of a user's own image and one of its versions, in one commit: what was replaced stays as recoverable as it was,
 * and no storage is charged.
 * @throws NotFoundError, or RequestError `expired`
 */
export async function restoreVersion(
  db: WritableDatabase,
  ownerId: number,
  { key, version }: { key: string; version: string },
): Promise<ImageRow> {
  return db.write(async (queries) => {
    const now = Date.now();
    const image = requireFound(await findOwnImage(queries, ownerId, key), GONE);
    if (isExpired(image, now)) throw new RequestError('expired', 'This picture has expired and can no longer be changed.');
    const earlier = requireFound(await versionsOf(queries, ownerId, key).where('key', '=', version).executeTakeFirst(), NO_VERSION);
    return exchangeFiles(queries, { image, earlier, now });
  });
}

/** Exchanges the files of an image and one of its versions, in the caller's unit of writing. Returns the image. */
export async function exchangeFiles(
  queries: Queries,
  { image, earlier, now }: { image: ImageRow; earlier: ImageRow; now: number },
): Promise<ImageRow> {
  const former = new Set([...readList<string>(image.former_exts), image.ext]);
  former.delete(earlier.ext);
  await queries
    .updateTable('images')
    .set({ ...fileOf(image), updated_at: now, deleted_at: now })
    .where('id', '=', earlier.id)
    .execute();
  const row = await queries
    .updateTable('images')
    .set({
      ...fileOf(earlier),
      former_exts: storeList([...former]),
      replaced_at: laterBySeconds(image.replaced_at ?? image.created_at, now),
      updated_at: now,
    })
    .where('id', '=', image.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await enqueueEvent(queries, imageReplaced(row));
  // A trigger has removed the placeholder, after the row was returned.
  return { ...row, thumbhash: null, phash: null };
}

/** The columns that describe an image's file. */
const FILE_COLUMNS = [
  ...(['policy_id', 'sha256', 'input_sha256', 'converted_to', 'ext', 'mime', 'size', 'width', 'height', 'animated'] as const),
  ...(['duration', 'has_audio', 'poster_policy_id', 'poster_sha256', 'has_poster', 'uploader_address'] as const),
];
const fileOf = (row: ImageRow) =>
  Object.fromEntries(FILE_COLUMNS.map((column) => [column, row[column]])) as Pick<ImageRow, (typeof FILE_COLUMNS)[number]>;
