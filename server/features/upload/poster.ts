import type { Context } from '#server/core/context.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import { releaseBlobs, shownBlobOf } from '#server/platform/storage/blob-rows.ts';
import type { StagedFile } from '#server/platform/storage/staged.ts';
import { prepareOptions, preparePoster } from './prepare.ts';
import { requireReplaceable } from './replace.ts';
import type { MemberUploader, Uploader, UploadResult } from './uploader.ts';

/**
 * Gives a video of a member another poster, from which all its thumbnails are made.
 * @throws RequestError or ImageError with the reason
 */
export function setPoster(context: Context, uploader: MemberUploader, key: string, file: StagedFile): Promise<ImageRow> {
  return change(context, uploader, { key, file, isKept: false });
}

/**
 * The result of an upload whose video is there already, with the poster that has come with it if there was none. Those who may only upload change nothing.
 * @throws RequestError or ImageError with the reason
 */
export async function withPoster(context: Context, uploader: Uploader, result: UploadResult, poster: StagedFile | undefined) {
  const { row, reused } = result;
  if (!poster || !reused || row.duration === null || row.has_poster === 1 || !uploader.isTrusted || !isMember(uploader)) return result;
  return { ...result, row: await change(context, uploader, { key: row.key, file: poster, isKept: true }) };
}

const isMember = (uploader: Uploader): uploader is MemberUploader => uploader.user !== undefined;

interface Change {
  key: string;
  file: StagedFile;
  /** Whether a poster that another request has set meanwhile stays. */
  isKept: boolean;
}

async function change(context: Context, uploader: MemberUploader, { key, file, isKept }: Change): Promise<ImageRow> {
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
      if (isKept && image.has_poster === 1) return image;
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
