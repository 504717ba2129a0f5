import type { Context } from '#server/core/context.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { releaseBlobs, shownBlobOf } from '#server/platform/storage/blob-rows.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import { prepareOptions, preparePoster } from './prepare.ts';
import { requireReplaceable } from './replace.ts';
import type { MemberUploader } from './uploader.ts';

/**
 * Gives a video of a member another poster, from which all its thumbnails are made.
 * @throws RequestError or ImageError with the reason
 */
export async function setPoster(context: Context, uploader: MemberUploader, key: string, file: StagedFile): Promise<ImageRow> {
  const { db, blobs } = context;
  const { policy_id: policyId } = requireVideo(await requireReplaceable(db.read, uploader, key));
  await using files = new AsyncDisposableStack();
  const poster = await preparePoster(context, file, prepareOptions(uploader), files);
  return await blobs.store(
    uploader.caller,
    policyId,
    poster,
    async (queries) => {
      const image = requireVideo(await requireReplaceable(queries, uploader, key));
      const now = Date.now();
      tellImages(queries, 'image.changed', [image]);
      const row = await queries
        .updateTable('images')
        .set({ poster_policy_id: policyId, poster_sha256: poster.sha256, has_poster: 1, thumbhash: null, phash: null, updated_at: now })
        .where('id', '=', image.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (poster.sha256 !== image.poster_sha256) await releaseBlobs(queries, [shownBlobOf(image)], now);
      return row;
    },
    { isSmall: true },
  );
}

function requireVideo(image: ImageRow): ImageRow {
  if (image.duration === null) throw new InvalidRequestError('This is a picture. Only videos have a poster.', { field: 'file' });
  return image;
}
