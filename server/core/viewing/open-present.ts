import { NotFoundError } from '#server/platform/base/errors.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { nameOf, shownBlobOf, type WithBlobs } from '#server/platform/storage/blob-rows.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';
import { refusalOf } from './refusals.ts';

type Stored = WithBlobs & Pick<ImageRow, 'emptied_at'>;

/**
 * Opens the bytes of an image, or a thumbnail, which may be deleted or replaced while a client waits for it.
 * @param find the image as it is now; undefined or @throws when the caller can't see it any longer
 * @throws RequestError when that is so; BlobMissingError when the bytes of an image that is still there are lost
 */
export async function openPresent<T, I extends Stored>(
  image: I,
  find: () => Promise<I | undefined>,
  open: (image: I) => Promise<T>,
): Promise<T> {
  try {
    return await open(image);
  } catch (error) {
    if (!(error instanceof BlobMissingError)) throw error;
    const now = await find();
    if (!now) throw refusalOf({ code: 'not_found' });
    if (now.emptied_at !== null) throw refusalOf({ code: 'expired' });
    if (now.sha256 !== image.sha256) throw new NotFoundError('This picture has just been replaced. Reload the page.');
    // Moved, or it has another poster.
    if (now.policy_id !== image.policy_id || nameOf(shownBlobOf(now)) !== nameOf(shownBlobOf(image))) return open(now);
    throw error;
  }
}
