import { type Insertable, sql } from 'kysely';
import { MAX_TAGS } from '#api/constants.ts';
import { requireOwnAlbum } from '#server/core/albums/albums.ts';
import type { Context } from '#server/core/context.ts';
import { imageCreated } from '#server/core/images/events.ts';
import { displayName } from '#server/core/images/text/display-name.ts';
import { changeTags } from '#server/core/images/text/tags.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { countUpload } from '#server/core/journal/daily-counts.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { ImageRow, ImagesTable } from '#server/platform/db/schema/library.ts';
import type { ReceivedFile } from './form.ts';
import { servedAs } from './formats.ts';
import { type KeyedUpload, recordUploadKey } from './keys.ts';
import type { UploadOptions } from './options.ts';
import { type PreparedImage, prepareImage, prepareOptions, storedFile } from './prepare.ts';
import { requireGuestQuota, takeQuota } from './quota.ts';
import type { Uploader, UploadResult } from './uploader.ts';

interface Upload {
  file: ReceivedFile;
  options: UploadOptions;
  /** The client's key, which is recorded with the result; the caller has looked for an earlier one. */
  keyed: KeyedUpload | undefined;
}

/**
 * Stores one received image durably: once this resolves, its bytes and its row survive a power cut. When it throws,
 * nothing is left behind.
 * @throws RequestError or ImageError with the reason
 */
export async function storeUpload(context: Context, uploader: Uploader, { file, options, keyed }: Upload): Promise<UploadResult> {
  const { db } = context;
  if (options.albumId !== undefined) await requireOwnAlbum(db.read, uploader.user?.id, options.albumId);
  const existing = await findRepeat(db.read, uploader, file, options);
  if (existing) {
    if (!keyed && !options.tags.length) return repeated(existing);
    return await db.write(async (queries) => {
      const result = repeated(await addTags(queries, existing, options.tags));
      if (keyed) await recordUploadKey(queries, keyed, result, options.passwordHash);
      return result;
    });
  }
  const policy = await context.policies.find(options.policyId);
  await context.diskReserve.requireIn(await context.blobs.driverOf(policy.id), file.size);
  await using image = await prepareImage(context, file, policy, prepareOptions(uploader));
  const stored = await context.blobs.store(
    policy.id,
    storedFile(image),
    async (queries): Promise<UploadResult> => {
      // The same bytes may arrive twice at once: the second commit finds the first one's row.
      const repeat = await findRepeat(queries, uploader, file, options);
      const result = repeat
        ? repeated(await addTags(queries, repeat, options.tags))
        : { row: await insertImage(queries, uploader, { file, options, image }), reused: false, isOwn: true };
      if (keyed) await recordUploadKey(queries, keyed, result, options.passwordHash);
      return result;
    },
    { isSmall: true },
  );
  if (!stored.reused) context.metrics.upload(image.file.size);
  return stored;
}

/**
 * The existing image that this upload repeats. Limits, a password, another visibility, another album or other descriptions make
 * it a new image: returning the existing one would ignore what the uploader asked for. So do tags and descriptions from those who may
 * neither change the existing ones nor learn what they are.
 */
async function findRepeat(
  queries: Queries,
  { user, isTrusted }: Uploader,
  file: ReceivedFile,
  options: UploadOptions,
): Promise<ImageRow | undefined> {
  if (!isTrusted && (options.tags.length > 0 || Object.keys(options.descriptions).length > 0)) return undefined;
  if (!user || options.expiresAt !== null || options.maxViews > 0 || options.passwordHash !== null) return undefined;
  const { rows } = await unlimitedImages(queries, {
    owner_id: user.id,
    input_sha256: file.sha256,
    policy_id: options.policyId,
    visibility: options.visibility,
    ...(options.albumId !== undefined && { album_id: options.albumId }),
    ...options.descriptions,
  });
  return rows[0];
}

/** An image of those with these values that has neither a limit nor a password. */
const unlimitedImages = compileOnce((queries, values: { [Column in keyof ImageRow]?: NonNullable<ImageRow[Column]> }) =>
  queries
    .selectFrom('images')
    .selectAll()
    .where((row) => row.and(values))
    .where('deleted_at', 'is', null)
    .where('expires_at', 'is', null)
    .where('password_hash', 'is', null)
    .where('max_views', '=', 0)
    // Without ORDER BY or a bound limit, which can cost more than the rest (decision 096); the index returns them in order.
    .limit(sql.lit(1)),
);

const repeated = (row: ImageRow): UploadResult => ({ row, reused: true, isOwn: false });

/** The image of a repeat keeps its tags and gets those of the upload. */
async function addTags(queries: Queries, { id }: ImageRow, added: readonly string[]): Promise<ImageRow> {
  const current = await queries.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const changed = changeTags(readList(current.tags), 'add', added);
  if (!changed)
    throw new InvalidRequestError(`A picture can have at most ${MAX_TAGS} tags. Remove some first.`, {
      field: 'tags',
      problem: 'too_many',
      limit: MAX_TAGS,
    });
  if (storeList(changed) === current.tags) return current;
  tellImages(queries, 'image.changed', [current]);
  const change = { tags: storeList(changed), updated_at: Date.now() };
  return queries.updateTable('images').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

async function insertImage(
  queries: Queries,
  uploader: Uploader,
  { file, options, image }: Pick<Upload, 'file' | 'options'> & { image: PreparedImage },
): Promise<ImageRow> {
  const now = Date.now();
  const { ext, mime } = servedAs(image.format);
  if (uploader.user) await takeQuota(queries, uploader.user, uploader.group, image.file.size);
  else await requireGuestQuota(queries, uploader.group, image.file.size);
  const { rows } = await insert(queries, {
    key: randomKey(12),
    owner_id: uploader.user?.id ?? null,
    policy_id: options.policyId,
    sha256: image.file.sha256,
    input_sha256: file.sha256,
    name: displayName(options.name ?? file.name, `picture.${ext}`),
    ...options.descriptions,
    ext,
    mime,
    size: image.file.size,
    width: image.width,
    height: image.height,
    visibility: options.visibility,
    album_id: options.albumId ?? null,
    password_hash: options.passwordHash,
    max_views: options.maxViews,
    tags: storeList(options.tags),
    taken_at: image.takenAt?.getTime() ?? options.takenAt ?? now,
    created_at: now,
    updated_at: now,
    expires_at: options.expiresAt,
    deleted_at: null,
    emptied_at: null,
    uploader_address: uploader.address,
  });
  const row = rows[0] as ImageRow;
  await countUpload(queries, { ownerId: row.owner_id, bytes: row.size, now });
  await enqueueEvent(queries, imageCreated(row));
  return row;
}

const insert = compileOnce((queries, row: Insertable<ImagesTable>) => queries.insertInto('images').values(row).returningAll());
