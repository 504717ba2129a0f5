import { z } from 'zod';
import { MEMBER_ROLES, TEXT_LANGUAGES } from '#api/constants.ts';
import { albumId, imageKey } from '#api/contract.ts';
import { extOf, formatsWith } from '#api/formats.ts';
import { textLine } from '#api/images/text.ts';
import {
  exact,
  flag,
  id,
  idOf,
  instant,
  integer,
  json,
  jsonOf,
  name,
  number,
  numbered,
  oneOf,
  passwordHash,
  type RowOf,
  sha256,
  sha256OrNone,
  table,
  text,
  texts,
} from './columns.ts';
import { MAX_RECOGNIZED_TEXT } from './recognized-text.ts';

/** Of recognised text with its places, in characters. */
export const MAX_RECOGNIZED_JSON = 2_000_000;

const slug = text(z.string().regex(/^[a-z0-9-]{1,100}$/));
const visibility = oneOf(['public', 'private']);
const inAlbum = text(albumId).references('albums', 'cascade');
const ofImage = idOf('images', 'cascade');
const ofUser = idOf('users', 'cascade');

const LIVE = 'deleted_at is null';
/** What the timeline shows of an image, so that it is read from an index alone. */
const shapeBy = <const Time extends string>(time: Time) =>
  ({
    columns: ['owner_id', time, 'id', 'width', 'height', 'expires_at', 'emptied_at', 'deleted_at'],
    where: LIVE,
  }) as const;

/** What undoing a batch stores again, by the field of `batch_undo_values`. */
const UNDO_VALUES = {
  albums: jsonOf(z.array(z.strictObject({ id: albumId, position: z.int().optional() }))),
  place: jsonOf(z.strictObject({ id: albumId, position: z.int() })),
  covers: jsonOf(z.strictObject({ key: imageKey, albums: z.array(albumId) })),
  visibility: visibility.check,
  tags: texts.check,
  expires_at: z
    .string()
    .regex(/^\d{1,14}$/)
    .nullable(),
  favourite: z.enum(['0', '1']),
  taken_at: z.string().regex(/^-?\d{1,14}$/),
};
const UNDO_FIELDS = Object.keys(UNDO_VALUES) as (keyof typeof UNDO_VALUES)[];
const undoRow = (field: keyof typeof UNDO_VALUES) => {
  const value = UNDO_VALUES[field];
  return z.strictObject({ batch_id: id.check, image_id: id.check, field: z.literal(field), before: value, after: value });
};

export const library = {
  albums: table(
    {
      id: text(albumId),
      owner_id: idOf('users'),
      name,
      description: text(),
      visibility,
      password_hash: passwordHash.nullable(),
      cover_key: text(imageKey).nullable(),
      /** Whether visitors may download all pictures at once. */
      allow_download: flag.default(1),
      /** When its link ends for visitors; null: never. */
      expires_at: instant.nullable(),
      /** What every account may do in it; null: it isn't shared with everyone. */
      everyone_role: oneOf(MEMBER_ROLES).nullable(),
      /** Since when. */
      everyone_at: instant.nullable(),
      /** Albums are listed by ascending position. */
      position: exact,
      /** Whether pictures have been moved within the album. */
      is_sorted: flag.default(0),
      /** Kept by triggers, as are the next four: all pictures that aren't in the trash. */
      image_count: number.default(0),
      /** Without a view limit, for every visitor of the album. */
      open_count: number.default(0),
      /** The same for the owner and admins. */
      trusted_count: number.default(0),
      /** With a view limit that isn't used up, for every visitor of the album. */
      limited_open_count: number.default(0),
      /** With a view limit, for the owner and admins. */
      limited_count: number.default(0),
      created_at: instant,
      updated_at: instant,
    },
    {
      indexes: {
        albums_by_owner: { columns: ['owner_id', 'position', 'id'] },
        albums_for_everyone: { columns: ['id'], where: 'everyone_role is not null' },
      },
    },
  ),

  /** Users with whom the owner of an album shares it. */
  album_members: table(
    {
      album_id: inAlbum,
      user_id: ofUser,
      role: oneOf(MEMBER_ROLES),
      added_at: instant,
    },
    { key: ['album_id', 'user_id'], indexes: { album_members_by_user: { columns: ['user_id', 'album_id'] } } },
  ),

  /** Groups with whose members the owner of an album shares it. */
  album_groups: table(
    {
      album_id: inAlbum,
      group_id: idOf('groups', 'cascade'),
      role: oneOf(MEMBER_ROLES),
      added_at: instant,
    },
    { key: ['album_id', 'group_id'], indexes: { album_groups_by_group: { columns: ['group_id', 'album_id'] } } },
  ),

  /** Where pictures were before they were here. */
  old_addresses: table(
    {
      /** Decoded, without host and query. */
      path: text(z.string().regex(/^\//).max(1_000)),
      image_id: ofImage,
    },
    { key: ['path'], indexes: { old_addresses_by_image: { columns: ['image_id'] } } },
  ),

  images: table(
    {
      id: numbered,
      /** 12 random letters and digits; part of every link. */
      key: text(imageKey).unique(),
      /** A custom address, in lower case; works in links in place of the key. */
      slug: slug.nullable(),
      /** Null: a guest's. */
      owner_id: idOf('users').nullable(),
      policy_id: idOf('policies'),
      /** Hash of the bytes that are served. */
      sha256,
      /** Hash of the bytes that were uploaded, for recognising repeats. */
      input_sha256: sha256,
      /** The extension that its uploader had it converted to; empty: none. For recognising repeats, too. */
      converted_to: text<string>(z.enum(['', ...formatsWith('chosen').map(extOf)])).default(''),
      name,
      /** Empty: none, as for the next two. */
      title: text().default(''),
      caption: text().default(''),
      /** A description for those who can't see the image. */
      alt: text().default(''),
      ext: text(z.string().regex(/^[a-z0-9]{1,10}$/)),
      mime: text(z.string().regex(/^[a-z]+\/[a-z0-9.+-]{1,100}$/)),
      size: number,
      width: number,
      height: number,
      /** Of a video, in milliseconds; null: a picture. */
      duration: number.nullable(),
      has_audio: flag.default(0),
      /** Of a video: the blob of the picture that its thumbnails are made from. */
      poster_policy_id: idOf('policies').nullable(),
      poster_sha256: sha256.nullable(),
      /** 0: that is a tile with its duration, as no poster was sent. */
      has_poster: flag.default(0),
      visibility,
      /** The first of its albums, of those in `album_images`; triggers keep the two consistent. */
      album_id: text(albumId).references('albums', 'set null').nullable(),
      password_hash: passwordHash.nullable(),
      /** 0: unlimited. */
      max_views: number,
      /** All views by anyone but the owner; those of unlimited images are stored with a delay. */
      views: number.default(0),
      /** The exact number of views since the limit was set. */
      limited_views: number.default(0),
      favourite: flag.default(0),
      /** JSON array of strings. */
      tags: texts.default('[]'),
      taken_at: instant,
      created_at: instant,
      updated_at: instant,
      expires_at: instant.nullable(),
      /** JSON array: the extensions of former files, whose links lead to the present one. */
      former_exts: texts.default('[]'),
      /** When its file was last replaced; after `created_at` and each earlier time by at least a second, the resolution of HTTP's dates. */
      replaced_at: instant.nullable(),
      /** The key of the picture of which this is an earlier version. */
      version_of: text(imageKey).nullable(),
      /** When it was moved to the trash. */
      deleted_at: instant.nullable(),
      /** Why it is in the trash; `removed`: by the sender of a request link; null: its owner deleted it. */
      trash_reason: oneOf(['expired', 'replaced', 'removed']).nullable(),
      /** Identifies the request that moved it to the trash, for undoing it. */
      trash_batch: text().nullable(),
      /** When the bytes of the expired picture were released; the row stays for a while, and its links respond with 410. */
      emptied_at: instant.nullable(),
      uploader_address: text(),
      /** Counts how often its deletion links have been renewed. */
      deletion_nonce: exact.default(0),
      /** ThumbHash of the image as base64; null: not made yet, empty: it can't be made. */
      thumbhash: text().nullable(),
      /** Perceptual hash as 16 hexadecimal digits; null: not made yet, empty: there is nothing to compare. */
      phash: text().nullable(),
      /** Whether it is an animation; null: not checked yet, or its format has no animations. */
      animated: flag.nullable(),
      /** Whether text was recognised in it, which `image_texts` has; null: it waits for that. */
      text_state: oneOf(['done', 'none', 'failed']).nullable(),
    },
    {
      indexes: {
        images_by_slug: { columns: ['slug'], where: 'slug is not null', isUnique: true },
        images_by_input: { columns: ['owner_id', 'input_sha256', 'policy_id'] },
        images_by_blob: { columns: ['policy_id', 'sha256'] },
        images_by_poster: { columns: ['poster_policy_id', 'poster_sha256'], where: 'poster_sha256 is not null' },
        images_videos: { columns: ['owner_id', 'created_at', 'id'], where: `${LIVE} and duration is not null` },
        images_by_first_album: { columns: ['album_id'], where: 'album_id is not null' },
        // Lists.
        images_by_upload: shapeBy('created_at'),
        images_by_taken: shapeBy('taken_at'),
        images_by_name: { columns: ['owner_id', 'name', 'id'], names: 'name', where: LIVE },
        images_by_size: { columns: ['owner_id', 'size', 'id'], where: LIVE },
        images_favourite: { columns: ['owner_id', 'created_at', 'id'], where: `${LIVE} and favourite = 1` },
        // The trash, with what counting it needs.
        images_in_trash: { columns: ['owner_id', 'deleted_at', 'id', 'emptied_at'], where: 'deleted_at is not null' },
        images_trashed: { columns: ['deleted_at', 'id', 'emptied_at'], where: 'deleted_at is not null' },
        images_by_trash_batch: { columns: ['owner_id', 'trash_batch', 'id', 'deleted_at'], where: 'trash_batch is not null' },
        // The few pictures that stay closed to other members of an album: counts leave them out without reading all of its pictures.
        images_with_conditions: { columns: ['owner_id', 'id'], where: '(password_hash is not null or max_views > 0)' },
        // Sums up the pictures of all guests.
        images_of_guests: { columns: ['size'], where: 'owner_id is null and emptied_at is null' },
        // What jobs have to do.
        images_to_expire: { columns: ['expires_at'], where: 'expires_at is not null and deleted_at is null and emptied_at is null' },
        images_emptied: { columns: ['emptied_at'], where: 'emptied_at is not null' },
        images_without_phash: { columns: ['id'], where: 'phash is null and emptied_at is null' },
        images_without_text: {
          columns: ['owner_id', 'id'],
          where: 'text_state is null and duration is null and deleted_at is null and emptied_at is null',
        },
        // Leads to the texts of a user who has opted out.
        images_with_text: { columns: ['owner_id'], where: "text_state = 'done'" },
      },
    },
  ),

  /** Pictures in albums. */
  album_images: table(
    {
      album_id: inAlbum,
      image_id: ofImage,
      /** The image's own, as are the next two, which triggers keep: pages of an album are found without reading images. */
      image_key: text(imageKey),
      /** One of `ENTRY_STATE`. */
      state: integer(z.int().min(-1).max(4)),
      /** `created_at` of the image. */
      uploaded_at: instant,
      /** Albums show the highest first. Until a picture is moved: its time of upload. */
      position: exact,
      added_at: instant,
      /** Who added it; null: an account that has been deleted. */
      added_by: idOf('users', 'set null').nullable(),
    },
    {
      key: ['image_id', 'album_id'],
      indexes: {
        // A page of a public album costs the same however many others are in it.
        album_images_in_order: { columns: ['album_id', 'position', 'image_key', 'image_id'] },
        album_images_open: { columns: ['album_id', 'position', 'image_key', 'image_id'], where: 'state = 1' },
        album_images_by_upload: { columns: ['album_id', 'uploaded_at', 'image_id'], where: 'state > 0' },
        album_images_hidden: { columns: ['album_id', 'image_id'], where: 'state not in (0, 1)' },
        album_images_by_adder: { columns: ['added_by'], where: 'added_by is not null' },
      },
    },
  ),

  /** Groups of alike images that their owner has reviewed and found different. */
  duplicate_reviews: table(
    {
      /** Random; the same for all images of a group. */
      review: text(),
      image_id: ofImage,
      owner_id: ofUser,
    },
    {
      key: ['review', 'image_id'],
      indexes: { duplicate_reviews_by_image: { columns: ['image_id'] }, duplicate_reviews_by_owner: { columns: ['owner_id'] } },
    },
  ),

  /** The text in an image, as long as it has the same file and isn't in the trash. */
  image_texts: table(
    {
      image_id: ofImage,
      language: oneOf(TEXT_LANGUAGES),
      /** Its lines, as people read them. */
      text: text(z.string().max(MAX_RECOGNIZED_TEXT)),
      /** JSON array of `TextLine`. */
      lines: json(z.array(textLine), MAX_RECOGNIZED_JSON),
      recognized_at: instant,
    },
    { key: ['image_id'] },
  ),

  /** The tags of images, for searching; triggers derive them from `images.tags`. */
  image_tags: table(
    { owner_id: number, tag: text(), image_id: id },
    { key: ['owner_id', 'tag', 'image_id'], indexes: { image_tags_by_image: { columns: ['image_id'] } } },
  ),

  /** The views of an image on one day. */
  image_views: table(
    {
      image_id: ofImage,
      /** Days since 1970, UTC. */
      day: number,
      views: number,
    },
    { key: ['image_id', 'day'], indexes: { image_views_by_day: { columns: ['day', 'image_id', 'views'] } } },
  ),

  /** Where the views of an image on one day came from. */
  image_referrers: table(
    {
      /** Days since 1970, UTC. */
      day: number,
      image_id: ofImage,
      /** Lower case; empty: the hosts beyond those that a day has room for. */
      host: text(),
      views: number,
    },
    { key: ['day', 'image_id', 'host'], indexes: { image_referrers_by_image: { columns: ['image_id', 'day'] } } },
  ),

  /** Images that have yet to be added to the search index; triggers record every change here. */
  image_search_queue: table({ image_id: id }, { key: ['image_id'] }),

  /** The words of a user's images, past ones included, that a mistyped word can mean. */
  image_search_words: table(
    {
      owner_id: ofUser,
      word: text(),
      /** The word from its end to its beginning, for finding words by their ends. */
      reversed: text(),
    },
    { key: ['owner_id', 'word'], indexes: { image_search_words_by_end: { columns: ['owner_id', 'reversed'] } } },
  ),

  /** A batch that can be undone. */
  batch_undos: table(
    {
      id: numbered,
      token: text().unique(),
      owner_id: ofUser,
      created_at: instant,
    },
    { indexes: { batch_undos_by_owner: { columns: ['owner_id', 'id'] } } },
  ),

  /** What a batch replaced in one image. */
  batch_undo_values: table(
    {
      batch_id: idOf('batch_undos', 'cascade'),
      image_id: ofImage,
      field: oneOf(UNDO_FIELDS),
      /**
       * The column's value as text; of albums, JSON in their order: each id, before the batch with the position; of a place, such an entry;
       * of covers, the cover and its albums.
       */
      before: text().nullable(),
      after: text().nullable(),
    },
    {
      key: ['batch_id', 'image_id'],
      indexes: { batch_undo_values_by_image: { columns: ['image_id'] } },
      check: z.discriminatedUnion('field', UNDO_FIELDS.map(undoRow) as [ReturnType<typeof undoRow>, ...ReturnType<typeof undoRow>[]]),
    },
  ),

  /**
   * The keys that clients give their uploads: a retry with the same key returns the first result (decision 058). No reference to images: a key
   * outlives its image, so that a retry doesn't store it again.
   */
  upload_keys: table(
    {
      id: numbered,
      /** 0 for guests. */
      user_id: number,
      /** A guest's network; empty for accounts. */
      network: text(),
      key: text(),
      /** Hash of the content and the options, without the password. */
      request_sha256: sha256,
      password_hash: passwordHash.nullable(),
      image_id: id,
      /** Hash of the bytes that the image had then. */
      image_sha256: sha256OrNone.default(''),
      /** 1 if the upload returned an image that existed already. */
      reused: flag,
      created_at: instant,
    },
    { unique: ['user_id', 'network', 'key'], indexes: { upload_keys_by_age: { columns: ['created_at'] } } },
  ),

  /** Custom addresses that were given up. */
  former_slugs: table(
    {
      slug,
      /** Who alone can use it again; null: nobody, since the account is deleted. */
      owner_id: idOf('users', 'set null').nullable(),
      /** When it is free for everyone. */
      until: instant,
    },
    { key: ['slug'], indexes: { former_slugs_by_end: { columns: ['until'] } } },
  ),
};

export type AlbumRow = RowOf<typeof library.albums>;
export type ImageRow = RowOf<typeof library.images>;
