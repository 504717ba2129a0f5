import type { Context } from '#server/core/context.ts';
import { isDeleted as isAccountDeleted } from '#server/core/deletion/start.ts';
import { isDeleted } from '#server/core/images/access.ts';
import { imageDeleted } from '#server/core/images/events.ts';
import { purgeImages } from '#server/core/images/lifetime/purge.ts';
import { deletionSecret } from '#server/core/images/links.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { NotFoundError } from '#server/platform/base/errors.ts';
import { safeEqual } from '#server/platform/base/secret-text.ts';
import type { WritableDatabase } from '#server/platform/db/database.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';

/**
 * The image of a deletion link, unless it has been deleted already.
 * @throws NotFoundError also for a wrong secret, which must not reveal whether the key exists
 */
export async function findBySecret(
  { db, imageIndex, secrets }: Pick<Context, 'db' | 'imageIndex' | 'secrets'>,
  key: string,
  secret: string,
): Promise<ImageRow> {
  const image = await imageIndex.find(key);
  const right = safeEqual(deletionSecret(secrets, { key, deletion_nonce: image?.deletion_nonce ?? 0 }), secret);
  // The links of an account that is being deleted end at once, those of its pictures one after the other.
  const ended = image?.owner_id != null && (await isAccountDeleted(db.read, image.owner_id));
  if (image && right && !ended && !isDeleted(image)) return image;
  throw new NotFoundError('There’s nothing to delete. The picture may already have been deleted, or the link may be mistyped.');
}

/** Moves the image to its owner's trash. Guests have no trash, so their images are deleted permanently. */
export async function deleteBySecret(db: WritableDatabase, image: ImageRow): Promise<void> {
  const { id, deletion_nonce } = image;
  const now = Date.now();
  await db.write(async (queries) => {
    const row = await queries.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row || isDeleted(row) || row.deletion_nonce !== deletion_nonce) return; // another request was faster
    if (row.owner_id === null) await purgeImages(queries, [row], now);
    else await queries.updateTable('images').set({ deleted_at: now, trash_reason: null, updated_at: now }).where('id', '=', id).execute();
    await enqueueEvent(queries, imageDeleted(row));
  });
}
