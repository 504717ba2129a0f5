import type { ImageIndex } from '#server/core/images/image-index.ts';
import { refusalOf } from '#server/core/viewing/refusals.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { BlobMissingError } from '#server/platform/storage/driver.ts';

/**
 * Opens the bytes of an image or its thumbnail, which may be deleted while a client waits for them.
 * @throws RequestError when they were; BlobMissingError when the bytes of an image that is still there are lost
 */
export async function openPresent<T, I extends Pick<ImageRow, 'key'> = ImageRow>(
  index: Pick<ImageIndex, 'find'>,
  image: I,
  open: (image: I | ImageRow) => Promise<T>,
): Promise<T> {
  try {
    return await open(image);
  } catch (error) {
    if (!(error instanceof BlobMissingError)) throw error;
    const now = await index.find(image.key);
    if (!now) throw refusalOf({ code: 'not_found' });
    if (now.emptied_at !== null) throw refusalOf({ code: 'expired' });
    if ('policy_id' in image && now.policy_id !== image.policy_id) return open(now); // moved
    throw error;
  }
}
