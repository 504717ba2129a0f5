import { isDeepStrictEqual } from 'node:util';
import { type ExpressionBuilder, type Insertable, sql } from 'kysely';
import { MAX_TAGS } from '#api/constants.ts';
import type { Group } from '#server/core/accounts/groups.ts';
import { enqueueAlbumUpdates } from '#server/core/albums/events.ts';
import { requireAddableAlbums } from '#server/core/albums/members.ts';
import type { Context } from '#server/core/context.ts';
import { addToAlbum, entriesOf, touchImages } from '#server/core/images/album-entries.ts';
import { imageCreated } from '#server/core/images/events.ts';
import { chooseSlug, requireFree, requireSlugsEnabled } from '#server/core/images/slugs.ts';
import { displayName } from '#server/core/images/text/display-name.ts';
import { changeTags } from '#server/core/images/text/tags.ts';
import { tellImages } from '#server/core/journal/changes.ts';
import { countUpload } from '#server/core/journal/daily-counts.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { countSent, recordSent } from '#server/core/requests/sent-files.ts';
import { readSettings } from '#server/core/settings/settings.ts';
import { InvalidRequestError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import { compileOnce } from '#server/platform/db/compile-once.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { readList, storeList } from '#server/platform/db/lists.ts';
import type { AlbumRow, ImageRow } from '#server/platform/db/schema/library.ts';
import type { Tables } from '#server/platform/db/schema/tables.ts';
import type { ReceivedFile } from '#server/platform/http/form.ts';
import { servedAs } from './formats.ts';
import { type KeyedUpload, recordUploadKey } from './keys.ts';
import { policyOf, type UploadOptions } from './options.ts';
import { type PreparedImage, prepareImage, prepareOptions, requireStillAllowed, storedFile } from './prepare.ts';
import { chosenFormat } from './processing.ts';
import { requireGuestQuota, takeQuota } from './quota.ts';
import { presentGroup, type Uploader, type UploadResult } from './uploader.ts';
import { videoColumns } from './video.ts';

interface Upload {
  file: ReceivedFile;
  options: UploadOptions;
  /** What the fields mean in another group than the uploader had when they arrived. @throws RequestError for what it doesn't allow */
  optionsIn(group: Group): Omit<UploadOptions, 'passwordHash'>;
  /** The client's key, which is recorded with the result; the caller has looked for an earlier one. */
  keyed: KeyedUpload | undefined;
  /** Sets what fields can't, in the unit that stores the image. */
  complete?: (queries: Queries, result: UploadResult) => Promise<void>;
}

/**
 * Stores one received image durably: once this resolves, its bytes and its row survive a power cut. When it throws,
 * nothing is left behind.
 * @throws RequestError or ImageError with the reason
 */
export async function storeUpload(context: Context, uploader: Uploader, upload: Upload): Promise<UploadResult> {
  const { file, options, keyed, complete } = upload;
  const { db } = context;
  if (options.slug) requireSlugsEnabled(context.settings.current());
  const shared = await requireAlbums(db.read, uploader, options);
  const chosen = await context.policies.find(options.policyId);
  const repeatable = { ...options, convertTo: chosenFormat(options.convertTo, chosen) };
  const existing = await findRepeat(db.read, uploader, file, repeatable);
  if (existing) {
    if (!keyed && !options.tags.length && !options.albums?.length) return repeated(existing);
    const found = await db.as(uploader.caller).write(async (queries) => {
      const repeat = await findRepeat(queries, uploader, file, repeatable);
      if (!repeat) return undefined; // it has just been changed or deleted
      const result = repeated(await addToRepeat(queries, repeat, options));
      if (keyed) await recordUploadKey(queries, keyed, result, options.passwordHash);
      await complete?.(queries, result);
      return result;
    });
    if (found) return found;
  }
  // The unit of writing checks again; an address that is taken already needn't cost the decoding.
  if (options.slug && !options.slug.otherwise) await requireFree(db.read, options.slug.slug, { ownerId: uploader.user?.id });
  const policy = uploader.through ? { ...chosen, keep_metadata: 0 as const } : chosen;
  await context.diskReserve.requireIn(await context.blobs.driverOf(policy.id), file.size);
  await using image = await prepareImage(context, file, policy, { ...prepareOptions(uploader), convertTo: options.convertTo });
  const stored = await context.blobs.store(
    uploader.caller,
    policy.id,
    storedFile(image),
    async (queries): Promise<UploadResult> => {
      // The same bytes may arrive twice at once: the second commit finds the first one's row.
      const repeat = await findRepeat(queries, uploader, file, repeatable);
      if (options.slug) requireSlugsEnabled(await readSettings(queries));
      const group = await presentGroup(queries, uploader);
      const allowed = isDeepStrictEqual(group, uploader.group) ? {} : optionsNow(upload, image, { ...uploader, group });
      // The uploader may have been removed from one of them meanwhile.
      if (shared.length > 0) await requireAddableAlbums(queries, uploader.user?.id, shared);
      const result = repeat
        ? repeated(await addToRepeat(queries, repeat, options))
        : {
            row: await insertImage(queries, { ...uploader, group }, { file, options: { ...repeatable, ...allowed }, image }),
            reused: false,
            isOwn: true,
          };
      if (keyed) await recordUploadKey(queries, keyed, result, options.passwordHash);
      await complete?.(queries, result);
      return result;
    },
    { isSmall: true },
    image.video?.poster,
  );
  if (!stored.reused) context.metrics.upload(image.file.size);
  return stored;
}

/** What an upload may still choose when its uploader's group has changed while it arrived. @throws RequestError when the image isn't allowed any more */
function optionsNow({ file, options, optionsIn }: Upload, image: PreparedImage, uploader: Uploader) {
  const { expiresAt, maxViews } = optionsIn(uploader.group);
  requireStillAllowed(image, file.size, uploader);
  policyOf(options.policyId, uploader.group);
  return { expiresAt, maxViews };
}

/** Checks the albums of an upload, and returns those that aren't the uploader's own. @throws RequestError `album_not_found` */
async function requireAlbums(queries: Queries, { user }: Uploader, { albumId, albums = [] }: UploadOptions): Promise<string[]> {
  if (albumId === undefined && albums.length === 0) return [];
  const [ids, field] = albumId === undefined ? [albums, 'albums'] : [[albumId], 'album_id'];
  const found = await requireAddableAlbums(queries, user?.id, ids, field);
  return [...found.values()].filter(({ role }) => role !== 'owner').map(({ id }) => id);
}

/**
 * The existing image that this upload repeats. Limits, a password, another visibility, another album or other descriptions make
 * it a new image: returning the existing one would ignore what the uploader asked for. So does another address or format. So do tags and descriptions from those who may
 * neither change the existing ones nor learn what they are.
 */
async function findRepeat(
  queries: Queries,
  { user, isTrusted, through }: Uploader,
  file: ReceivedFile,
  options: UploadOptions,
): Promise<ImageRow | undefined> {
  // Senders would learn that the account has the picture.
  if (through) return undefined;
  if (!isTrusted && (options.tags.length > 0 || Object.keys(options.descriptions).length > 0)) return undefined;
  if (!user || options.expiresAt !== null || options.maxViews > 0 || options.passwordHash !== null) return undefined;
  // Those who may not change the existing image may not put it into further albums either.
  const mustBeIn = options.albumId !== undefined ? [options.albumId] : isTrusted ? [] : (options.albums ?? []);
  const { rows } = await unlimitedImages(queries, {
    owner_id: user.id,
    input_sha256: file.sha256,
    policy_id: options.policyId,
    visibility: options.visibility,
    converted_to: options.convertTo ?? '',
    ...(options.slug && { slug: options.slug.slug }),
    ...options.descriptions,
    ...Object.fromEntries(mustBeIn.map((id, index) => [`${IN_ALBUM}${index}`, id])),
  });
  return rows[0];
}

/** Begins the names of the albums that an image must be in; a number follows. */
const IN_ALBUM = 'in_album_';
type Wanted = { [Column in keyof ImageRow]?: NonNullable<ImageRow[Column]> } & Record<`${typeof IN_ALBUM}${number}`, string>;

/** An image of those with these values, in these albums, that has neither a limit nor a password. */
const unlimitedImages = compileOnce((queries, values: Wanted) => {
  const { albums = [], columns = [] } = Object.groupBy(Object.entries(values), ([name]) =>
    name.startsWith(IN_ALBUM) ? 'albums' : 'columns',
  );
  const isIn = ({ exists, selectFrom }: ExpressionBuilder<Tables, 'images'>, albumId: string) =>
    exists(
      selectFrom('album_images').select('image_id').whereRef('image_id', '=', 'images.id').where('album_images.album_id', '=', albumId),
    );
  return (
    queries
      .selectFrom('images')
      .selectAll()
      .where((row) => row.and(Object.fromEntries(columns)))
      .where((row) => row.and(albums.map(([, albumId]) => isIn(row, albumId as string))))
      .where('deleted_at', 'is', null)
      .where('expires_at', 'is', null)
      .where('password_hash', 'is', null)
      .where('max_views', '=', 0)
      // Without ORDER BY or a bound limit, which can cost more than the rest (decision 096); the index returns them in order.
      .limit(sql.lit(1))
  );
});

const repeated = (row: ImageRow): UploadResult => ({ row, reused: true, isOwn: false });

/** The image of a repeat keeps its tags and albums and gets those of the upload. */
async function addToRepeat(queries: Queries, image: ImageRow, { tags, albums = [] }: UploadOptions): Promise<ImageRow> {
  const tagged = await addTags(queries, image, tags);
  return albums.length > 0 ? addAlbums(queries, tagged, albums) : tagged;
}

async function addAlbums(queries: Queries, image: ImageRow, albumIds: readonly string[]): Promise<ImageRow> {
  const known = new Set((await entriesOf(queries, [image])).get(image.id)?.map(({ id }) => id));
  const added = albumIds.filter((id) => !known.has(id));
  if (added.length === 0) return image;
  const albums = await requireAddableAlbums(queries, image.owner_id ?? undefined, added);
  const now = Date.now();
  for (const id of added) await addToAlbum(queries, albums.get(id) as AlbumRow, [image.id], now);
  await touchImages(queries, [image.id], now);
  tellImages(queries, 'image.changed', [image]);
  await enqueueAlbumUpdates(queries, added);
  return queries.selectFrom('images').selectAll().where('id', '=', image.id).executeTakeFirstOrThrow();
}

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
  const { through } = uploader;
  // First: it locks the link, which may have been deleted with its album.
  if (through) await countSent(queries, through.linkId, image.file.size);
  if (uploader.user) await takeQuota(queries, uploader.user, uploader.group, image.file.size);
  else await requireGuestQuota(queries, uploader.group, image.file.size);
  const slug = options.slug && (await chooseSlug(queries, options.slug, { ownerId: uploader.user?.id }));
  const { rows } = await insert(queries, {
    key: randomKey(12),
    owner_id: uploader.user?.id ?? null,
    policy_id: options.policyId,
    sha256: image.file.sha256,
    input_sha256: file.sha256,
    converted_to: options.convertTo ?? '',
    ...(slug !== undefined && { slug }),
    name: displayName(options.name ?? file.name, `picture.${ext}`),
    ...options.descriptions,
    ext,
    mime,
    size: image.file.size,
    width: image.width,
    height: image.height,
    animated: image.animated ? 1 : 0,
    ...videoColumns(image, options.policyId),
    visibility: options.visibility,
    album_id: options.albumId ?? options.albums?.[0] ?? null,
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
  if (options.albums && options.albums.length > 1) await addAlbums(queries, row, options.albums);
  if (through) await recordSent(queries, through.linkId, through.sender, row);
  await countUpload(queries, { ownerId: row.owner_id, bytes: row.size, now });
  await enqueueEvent(queries, imageCreated(row));
  return row;
}

const insert = compileOnce((queries, row: Insertable<Tables['images']>) => queries.insertInto('images').values(row).returningAll());
