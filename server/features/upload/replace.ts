import type { Context } from '#server/core/context.ts';
import { imageReplaced } from '#server/core/images/events.ts';
import { findOwnImage, isExpired, laterBySeconds } from '#server/core/images/images.ts';
import { countUpload } from '#server/core/journal/daily-counts.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { RequestError, requireFound } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { ReceivedFile } from '#server/platform/http/form.ts';
import { servedAs } from './formats.ts';
import { type KeyedUpload, recordUploadKey } from './keys.ts';
import { policyOf } from './options.ts';
import { type PreparedImage, prepareImage, prepareOptions, requireStillAllowed, storedFile } from './prepare.ts';
import { takeQuota } from './quota.ts';
import { type MemberUploader, presentGroup, type UploadResult } from './uploader.ts';
import { videoColumns } from './video.ts';

/**
 * The image whose file a member may replace.
 * @throws NotFoundError for unknown images, those in the trash and other users'; RequestError `expired`
 */
export async function requireReplaceable(queries: Queries, { user }: MemberUploader, key: string): Promise<ImageRow> {
  const image = requireFound(
    await findOwnImage(queries, user.id, key),
    'There’s no picture to replace. It may have been deleted, or the link may be mistyped.',
  );
  if (isExpired(image, Date.now())) throw new RequestError('expired', 'This picture has expired and can no longer be changed.');
  return image;
}

interface Replacement {
  /** The image's. */
  key: string;
  file: ReceivedFile;
  /** The client's key, which is recorded with the result; the caller has looked for an earlier one. */
  keyed: KeyedUpload | undefined;
}

/**
 * Puts another file behind the links of an image, as durably as an upload: once this resolves, the next request gets the new
 * bytes, and the earlier version is in its owner's trash. When it throws, nothing has changed.
 * @throws RequestError or ImageError with the reason
 */
export async function replaceFile(context: Context, uploader: MemberUploader, { key, file, keyed }: Replacement): Promise<UploadResult> {
  const { db, policies, diskReserve, blobs } = context;
  const present = await requireReplaceable(db.read, uploader, key);
  const policy = await policies.find(policyFor(present, uploader));
  await diskReserve.requireIn(await blobs.driverOf(policy.id), file.size);
  await using prepared = await prepareImage(context, file, policy, prepareOptions(uploader));
  return await blobs.store(
    uploader.caller,
    policy.id,
    storedFile(prepared),
    async (queries) => {
      const image = await requireReplaceable(queries, uploader, key);
      const group = await presentGroup(queries, uploader);
      requireStillAllowed(prepared, file.size, { ...uploader, group });
      policyOf(policy.id, group);
      const same = image.policy_id === policy.id && image.sha256 === prepared.file.sha256;
      const row = same ? image : await exchange(queries, { ...uploader, group }, image, { file, prepared, policyId: policy.id });
      const done = { row, reused: same, isOwn: true };
      if (keyed) await recordUploadKey(queries, keyed, done, null);
      return done;
    },
    { isSmall: true },
    prepared.video?.poster,
  );
}

/** The image's own storage policy, unless the group may no longer use it. */
function policyFor({ policy_id }: ImageRow, { group }: MemberUploader): number {
  return policyOf(group.policy_ids.includes(policy_id) ? policy_id : undefined, group);
}

interface NewFile {
  file: ReceivedFile;
  prepared: PreparedImage;
  policyId: number;
}

async function exchange(
  queries: Queries,
  { user, group, address }: MemberUploader,
  image: ImageRow,
  { file, prepared, policyId }: NewFile,
): Promise<ImageRow> {
  const now = Date.now();
  const { ext, mime } = servedAs(prepared.format);
  const { size, sha256 } = prepared.file;
  await takeQuota(queries, user, group, size);
  await keepVersion(queries, image, now);
  const former = new Set([...readList<string>(image.former_exts), image.ext]);
  former.delete(ext);
  const row = await queries
    .updateTable('images')
    .set({
      policy_id: policyId,
      sha256,
      input_sha256: file.sha256,
      converted_to: '',
      ext,
      mime,
      size,
      width: prepared.width,
      height: prepared.height,
      animated: prepared.animated ? 1 : 0,
      ...videoColumns(prepared, policyId),
      former_exts: storeList([...former]),
      replaced_at: laterBySeconds(image.replaced_at ?? image.created_at, now),
      updated_at: now,
      uploader_address: address,
    })
    .where('id', '=', image.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await countUpload(queries, { ownerId: user.id, bytes: size, now });
  await enqueueEvent(queries, imageReplaced(row));
  // A trigger has removed the placeholder and the text, after the row was returned.
  return { ...row, thumbhash: null, phash: null, text_state: null };
}

/**
 * Keeps the file that an image has had as a picture of its own in the trash. It is private and in no album: restoring it must not
 * show others what was replaced. It keeps expiry and view limit, which the group may require.
 */
async function keepVersion(queries: Queries, { id: _, ...image }: ImageRow, now: number): Promise<void> {
  await queries
    .insertInto('images')
    .values({
      ...image,
      key: randomKey(12),
      slug: null,
      version_of: image.key,
      former_exts: '[]',
      replaced_at: null,
      visibility: 'private',
      album_id: null,
      password_hash: null,
      views: 0,
      limited_views: 0,
      favourite: 0,
      updated_at: now,
      deleted_at: now,
      trash_reason: 'replaced',
      trash_batch: null,
      text_state: null,
    })
    .execute();
}
