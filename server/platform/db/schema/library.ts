import type { Generated, Selectable } from 'kysely';
import { z } from 'zod';
import { MEMBER_ROLES, TEXT_LANGUAGES } from '#api/constants.ts';
import { albumId, imageKey } from '#api/contract.ts';
import { extOf, formatsWith } from '#api/formats.ts';
import { textLine } from '#api/images/text.ts';
import { flag, id, instant, json, name, number, passwordHash, type RowOf, sha256, text, texts } from './columns.ts';

/** Bounds of recognised text, in characters. More than this would keep the service busy for too long while it is added to the search index. */
export const MAX_RECOGNIZED_TEXT = 20_000;
export const MAX_RECOGNIZED_JSON = 2_000_000;

export interface AlbumsTable {
  id: string;
  owner_id: number;
  name: string;
  description: string;
  visibility: 'public' | 'private';
  password_hash: string | null;
  cover_key: string | null;
  /** Whether visitors may download all pictures at once. */
  allow_download: Generated<0 | 1>;
  /** When its link ends for visitors; null: never. */
  expires_at: Generated<number | null>;
  /** Albums are listed by ascending position. */
  position: number;
  /** Whether pictures have been moved within the album. */
  is_sorted: Generated<0 | 1>;
  /** Kept by triggers, as are the next four: all pictures that aren't in the trash. */
  image_count: Generated<number>;
  /** Without a view limit, for every visitor of the album. */
  open_count: Generated<number>;
  /** The same for the owner and admins. */
  trusted_count: Generated<number>;
  /** With a view limit that isn't used up, for every visitor of the album. */
  limited_open_count: Generated<number>;
  /** With a view limit, for the owner and admins. */
  limited_count: Generated<number>;
  created_at: number;
  updated_at: number;
}
export type AlbumRow = Selectable<AlbumsTable>;
export const albumsRows = z.strictObject({
  id: albumId,
  owner_id: id,
  name,
  description: text,
  visibility: z.enum(['public', 'private']),
  password_hash: passwordHash.nullable(),
  cover_key: imageKey.nullable(),
  allow_download: flag,
  expires_at: instant.nullable(),
  position: z.int(),
  is_sorted: flag,
  image_count: number,
  open_count: number,
  trusted_count: number,
  limited_open_count: number,
  limited_count: number,
  created_at: instant,
  updated_at: instant,
}) satisfies RowOf<AlbumsTable>;

export interface ImagesTable {
  id: Generated<number>;
  /** 12 random letters and digits; part of every link. */
  key: string;
  /** A custom address, in lower case; works in links in place of the key. */
  slug: Generated<string | null>;
  /** Null: a guest's. */
  owner_id: number | null;
  policy_id: number;
  /** Hash of the bytes that are served. */
  sha256: string;
  /** Hash of the bytes that were uploaded, for recognising repeats. */
  input_sha256: string;
  /** The extension that its uploader had it converted to; empty: none. For recognising repeats, too. */
  converted_to: Generated<string>;
  name: string;
  /** Empty: none, as for the next two. */
  title: Generated<string>;
  caption: Generated<string>;
  /** A description for those who can't see the image. */
  alt: Generated<string>;
  ext: string;
  mime: string;
  size: number;
  width: number;
  height: number;
  visibility: 'public' | 'private';
  /** The first of its albums, of those in `album_images`; triggers keep the two consistent. */
  album_id: string | null;
  password_hash: string | null;
  /** 0: unlimited. */
  max_views: number;
  /** All views by anyone but the owner; those of unlimited images are stored with a delay. */
  views: Generated<number>;
  /** The exact number of views since the limit was set. */
  limited_views: Generated<number>;
  favourite: Generated<0 | 1>;
  /** JSON array of strings. */
  tags: Generated<string>;
  taken_at: number;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  /** JSON array: the extensions of former files, whose links lead to the present one. */
  former_exts: Generated<string>;
  /** When its file was last replaced; after `created_at` and each earlier time by at least a second, the resolution of HTTP's dates. */
  replaced_at: Generated<number | null>;
  /** The key of the picture of which this is an earlier version. */
  version_of: Generated<string | null>;
  /** When it was moved to the trash. */
  deleted_at: number | null;
  /** Why it is in the trash; `removed`: by the sender of a request link; null: its owner deleted it. */
  trash_reason: 'expired' | 'replaced' | 'removed' | null;
  /** Identifies the request that moved it to the trash, for undoing it. */
  trash_batch: Generated<string | null>;
  /** When the bytes of the expired picture were released; the row stays for a while, and its links respond with 410. */
  emptied_at: number | null;
  uploader_address: string;
  /** Counts how often its deletion links have been renewed. */
  deletion_nonce: Generated<number>;
  /** ThumbHash of the image as base64; null: not made yet, empty: it can't be made. */
  thumbhash: Generated<string | null>;
  /** Perceptual hash as 16 hexadecimal digits; null: not made yet, empty: there is nothing to compare. */
  phash: Generated<string | null>;
  /** Whether it is an animation; null: not checked yet, or its format has no animations. */
  animated: Generated<0 | 1 | null>;
  /** Whether text was recognised in it, which `image_texts` has; null: it waits for that. */
  text_state: Generated<(typeof TEXT_STATES)[number] | null>;
}
const TEXT_STATES = ['done', 'none', 'failed'] as const;
export type ImageRow = Selectable<ImagesTable>;

/** Pictures in albums. */
export interface AlbumImagesTable {
  album_id: string;
  image_id: number;
  /** The image's own, as are the next two, which triggers keep: pages of an album are found without reading images. */
  image_key: string;
  /** One of `ENTRY_STATE`. */
  state: number;
  /** `created_at` of the image. */
  uploaded_at: number;
  /** Albums show the highest first. Until a picture is moved: its time of upload. */
  position: number;
  added_at: number;
  /** Who added it; null: an account that has been deleted. */
  added_by: number | null;
}
export const albumImagesRows = z.strictObject({
  album_id: albumId,
  image_id: id,
  image_key: imageKey,
  state: z.int().min(-1).max(4),
  uploaded_at: instant,
  position: z.int(),
  added_at: instant,
  added_by: id.nullable(),
}) satisfies RowOf<AlbumImagesTable>;

/** Users with whom the owner of an album shares it. */
export interface AlbumMembersTable {
  album_id: string;
  user_id: number;
  role: (typeof MEMBER_ROLES)[number];
  added_at: number;
}
export const albumMembersRows = z.strictObject({
  album_id: albumId,
  user_id: id,
  role: z.enum(MEMBER_ROLES),
  added_at: instant,
}) satisfies RowOf<AlbumMembersTable>;

/** The tags of images, for searching; triggers derive them from `images.tags`. */
export interface ImageTagsTable {
  owner_id: number;
  tag: string;
  image_id: number;
}
export const imageTagsRows = z.strictObject({
  owner_id: number,
  tag: text,
  image_id: id,
}) satisfies RowOf<ImageTagsTable>;

/** The text in an image, as long as it has the same file and isn't in the trash. */
export interface ImageTextsTable {
  image_id: number;
  language: (typeof TEXT_LANGUAGES)[number];
  /** Its lines, as people read them. */
  text: string;
  /** JSON array of `TextLine`. */
  lines: string;
  recognized_at: number;
}
export const imageTextsRows = z.strictObject({
  image_id: id,
  language: z.enum(TEXT_LANGUAGES),
  text: z.string().max(MAX_RECOGNIZED_TEXT),
  lines: json(z.array(textLine), MAX_RECOGNIZED_JSON),
  recognized_at: instant,
}) satisfies RowOf<ImageTextsTable>;

/** Images that have yet to be added to the search index; triggers record every change here. */
export interface ImageSearchQueueTable {
  image_id: number;
}
export const imageSearchQueueRows = z.strictObject({
  image_id: id,
}) satisfies RowOf<ImageSearchQueueTable>;

/** The words of a user's images, past ones included, that a mistyped word can mean. */
export interface ImageSearchWordsTable {
  owner_id: number;
  word: string;
  /** The word from its end to its beginning, for finding words by their ends. */
  reversed: string;
}
export const imageSearchWordsRows = z.strictObject({
  owner_id: id,
  word: text,
  reversed: text,
}) satisfies RowOf<ImageSearchWordsTable>;

/** Groups of alike images that their owner has reviewed and found different. */
export interface DuplicateReviewsTable {
  /** Random; the same for all images of a group. */
  review: string;
  image_id: number;
  owner_id: number;
}
export const duplicateReviewsRows = z.strictObject({
  review: text,
  image_id: id,
  owner_id: id,
}) satisfies RowOf<DuplicateReviewsTable>;

/** The views of an image on one day. */
export interface ImageViewsTable {
  image_id: number;
  /** Days since 1970, UTC. */
  day: number;
  views: number;
}
export const imageViewsRows = z.strictObject({
  image_id: id,
  day: number,
  views: number,
}) satisfies RowOf<ImageViewsTable>;

/** Where the views of an image on one day came from. */
export interface ImageReferrersTable {
  /** Days since 1970, UTC. */
  day: number;
  image_id: number;
  /** Lower case; empty: the hosts beyond those that a day has room for. */
  host: string;
  views: number;
}
export const imageReferrersRows = z.strictObject({
  day: number,
  image_id: id,
  host: text,
  views: number,
}) satisfies RowOf<ImageReferrersTable>;

/** A batch that can be undone. */
export interface BatchUndosTable {
  id: Generated<number>;
  token: string;
  owner_id: number;
  created_at: number;
}
export const batchUndosRows = z.strictObject({
  id,
  token: text,
  owner_id: id,
  created_at: instant,
}) satisfies RowOf<BatchUndosTable>;

/** What a batch replaced in one image. */
export interface BatchUndoValuesTable {
  batch_id: number;
  image_id: number;
  field: 'albums' | 'place' | 'covers' | 'visibility' | 'tags' | 'expires_at' | 'favourite' | 'taken_at';
  /** The column's value as text; of albums, JSON in their order: each id, before the batch with the position; of a place, such an entry; of covers, the cover and its albums. */
  before: string | null;
  after: string | null;
}
/** Undoing a batch stores the values again. */
export const batchUndoValuesRows = z.discriminatedUnion('field', [
  undoValue('albums', json(z.array(z.strictObject({ id: albumId, position: z.int().optional() })))),
  undoValue('place', json(z.strictObject({ id: albumId, position: z.int() }))),
  undoValue('covers', json(z.strictObject({ key: imageKey, albums: z.array(albumId) }))),
  undoValue('visibility', z.enum(['public', 'private'])),
  undoValue('tags', texts),
  undoValue(
    'expires_at',
    z
      .string()
      .regex(/^\d{1,14}$/)
      .nullable(),
  ),
  undoValue('favourite', z.enum(['0', '1'])),
  undoValue('taken_at', z.string().regex(/^-?\d{1,14}$/)),
]) satisfies RowOf<BatchUndoValuesTable>;
function undoValue<F extends BatchUndoValuesTable['field']>(field: F, value: z.ZodType<string | null>) {
  return z.strictObject({ batch_id: id, image_id: id, field: z.literal(field), before: value, after: value });
}

/** The keys that clients give their uploads: a retry with the same key returns the first result (decision 058). */
export interface UploadKeysTable {
  id: Generated<number>;
  /** 0 for guests. */
  user_id: number;
  /** A guest's network; empty for accounts. */
  network: string;
  key: string;
  /** Hash of the content and the options, without the password. */
  request_sha256: string;
  password_hash: string | null;
  image_id: number;
  /** Hash of the bytes that the image had then. */
  image_sha256: string;
  /** 1 if the upload returned an image that existed already. */
  reused: 0 | 1;
  created_at: number;
}
export const uploadKeysRows = z.strictObject({
  id,
  user_id: number,
  network: text,
  key: text,
  request_sha256: sha256,
  password_hash: passwordHash.nullable(),
  image_id: id,
  image_sha256: sha256.or(z.literal('')),
  reused: flag,
  created_at: instant,
}) satisfies RowOf<UploadKeysTable>;
const slug = z.string().regex(/^[a-z0-9-]{1,100}$/);
export const imagesRows = z.strictObject({
  id,
  key: imageKey,
  slug: slug.nullable(),
  owner_id: id.nullable(),
  policy_id: id,
  sha256,
  input_sha256: sha256,
  converted_to: z.enum(['', ...formatsWith('chosen').map(extOf)]),
  name,
  title: text,
  caption: text,
  alt: text,
  ext: z.string().regex(/^[a-z0-9]{1,10}$/),
  mime: z.string().regex(/^[a-z]+\/[a-z0-9.+-]{1,100}$/),
  size: number,
  width: number,
  height: number,
  visibility: z.enum(['public', 'private']),
  album_id: albumId.nullable(),
  password_hash: passwordHash.nullable(),
  max_views: number,
  views: number,
  limited_views: number,
  favourite: flag,
  tags: texts,
  taken_at: instant,
  created_at: instant,
  updated_at: instant,
  expires_at: instant.nullable(),
  former_exts: texts,
  replaced_at: instant.nullable(),
  version_of: imageKey.nullable(),
  deleted_at: instant.nullable(),
  trash_reason: z.enum(['expired', 'replaced', 'removed']).nullable(),
  trash_batch: text.nullable(),
  emptied_at: instant.nullable(),
  uploader_address: text,
  deletion_nonce: z.int(),
  thumbhash: text.nullable(),
  phash: text.nullable(),
  animated: flag.nullable(),
  text_state: z.enum(TEXT_STATES).nullable(),
}) satisfies RowOf<ImagesTable>;

/** Custom addresses that were given up. */
export interface FormerSlugsTable {
  slug: string;
  /** Who alone can use it again; null: nobody, since the account is deleted. */
  owner_id: number | null;
  /** When it is free for everyone. */
  until: number;
}
export const formerSlugsRows = z.strictObject({ slug, owner_id: id.nullable(), until: instant }) satisfies RowOf<FormerSlugsTable>;
