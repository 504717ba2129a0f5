import { z } from 'zod';
import {
  CONVERSIONS,
  IDEMPOTENCY_DAYS,
  MAX_ALBUMS_AT_ONCE,
  MAX_CAPTION_LENGTH,
  MAX_EXPIRES_IN,
  MAX_MAX_VIEWS,
  MAX_NAME_LENGTH,
  MAX_SENDER_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  SLUG_CHOICES,
} from '#api/constants.ts';
import { albumId, asSent, imageKey, line, route, typed } from '#api/contract.ts';
import { newDescriptions } from './descriptions.ts';
import { expiresAt, expiresIn } from './expiry.ts';
import { image, takenAt } from './images.ts';

export const visibility = z.enum(['public', 'private']);
export type Visibility = z.infer<typeof visibility>;

const emptyIsAbsent = <T extends z.ZodType>(schema: T) => z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
/** Form fields are text. Accepts decimal digits only: `Number` would read spaces as 0, which means permanent. */
const fromDigits = (value: unknown) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value);
const wholeNumber = (min: number, max: number) => emptyIsAbsent(z.preprocess(fromDigits, z.int().min(min).max(max)));

/** The tags of an image. */
export const tagList = z.array(line(MAX_TAG_LENGTH, 1)).max(MAX_TAGS);
const fromCommas = (value: unknown) => (typeof value === 'string' ? value.split(',').filter((tag) => tag.trim()) : value);

/** An album or a storage policy to upload to. IDs that can't exist are refused like unknown ones. */
const anyAlbum = asSent().meta({ description: 'ID of an album of the user' });
const anyPolicy = z.int().meta({ description: 'A storage policy that the user’s group may use' });

/** A custom address, what replaces one that is taken, and another format: those of an upload. Whether an address can be used is for the service. */
const slug = asSent(200).meta({ description: 'A custom address for the picture; in use: 409 `slug_taken`' });
const slugOr = z.enum(SLUG_CHOICES).meta({
  description: 'Instead of a `slug` that is in use, another one: `number` adds the first free of `-2` to `-99`, `random` random characters',
});
const conversion = z.enum(CONVERSIONS).meta({
  description:
    'Format to store the picture in, if the group allows it (`allow_convert`). A format chosen by the storage policy takes precedence; animations that the format can’t hold, and SVG, stay as they are',
});

const formPolicy = emptyIsAbsent(z.preprocess(fromDigits, anyPolicy));

/** The albums of an image. */
export const albumList = z.array(albumId).max(MAX_ALBUMS_AT_ONCE);
/** Form fields are repeated, separated by commas, or both. */
const formAlbums = z.preprocess(
  (value) =>
    value === undefined
      ? undefined
      : [value]
          .flat()
          .flatMap((ids) => String(ids).split(','))
          .map((id) => id.trim())
          .filter(Boolean),
  z.array(anyAlbum).max(MAX_ALBUMS_AT_ONCE).optional(),
);

/** The text fields of the upload form. Empty fields count as absent; unknown ones are ignored. */
export const uploadFields = z.object({
  visibility: emptyIsAbsent(visibility).meta({ description: 'Who can open the links; default: the user’s preference, initially `public`' }),
  expires_in: wholeNumber(0, MAX_EXPIRES_IN).meta({
    description:
      "Seconds until the links respond with 410 and the picture moves to its owner's trash (a guest's picture is deleted); 0 or absent: permanent",
  }),
  expires_at: emptyIsAbsent(expiresAt),
  max_views: wholeNumber(0, MAX_MAX_VIEWS).meta({ description: '0: unlimited' }),
  access_password: emptyIsAbsent(asSent(1024)).meta({ description: 'Others must enter it to see the picture' }),
  album_id: emptyIsAbsent(anyAlbum).meta({
    description: 'ID of an album of the user; a repeated upload must be in it to return the existing picture',
  }),
  albums: formAlbums.meta({
    description:
      'IDs of albums of the user, repeated or separated by commas, instead of `album_id`. A repeated upload adds the existing picture to them, except with a token that can only upload, which gets a new picture',
  }),
  slug: emptyIsAbsent(slug),
  slug_or: emptyIsAbsent(slugOr),
  convert: emptyIsAbsent(conversion),
  policy_id: formPolicy,
  name: emptyIsAbsent(line(MAX_NAME_LENGTH)).meta({ description: 'Shown instead of the file name' }),
  title: emptyIsAbsent(newDescriptions.shape.title),
  caption: emptyIsAbsent(newDescriptions.shape.caption),
  alt: emptyIsAbsent(newDescriptions.shape.alt),
  taken_at: emptyIsAbsent(takenAt).meta({ description: 'When the picture was taken; EXIF takes precedence' }),
  tags: emptyIsAbsent(z.preprocess(fromCommas, tagList)).meta({ description: 'Separated by commas' }),
  permission: emptyIsAbsent(z.enum(['0', '1'])).meta({ description: 'Lsky Pro: 1 public, 0 private; used when `visibility` is absent' }),
  strategy_id: formPolicy.meta({ description: 'Lsky Pro: storage policy; used when `policy_id` is absent' }),
});
export type UploadFields = z.infer<typeof uploadFields>;

/** The form's fields as our own clients send them, as text; the service fills in absent ones. */
export const formFields = z.partialRecord(
  z.enum([
    'visibility',
    'expires_in',
    'expires_at',
    'max_views',
    'access_password',
    'album_id',
    'albums',
    'slug',
    'slug_or',
    'convert',
    'policy_id',
    'title',
    'caption',
    'alt',
    'taken_at',
    'tags',
  ]),
  asSent(MAX_CAPTION_LENGTH),
);
export type FormFields = z.infer<typeof formFields>;

const expectedUser = z.object({
  as_user: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'The ID of the account that the client expects; 401 if a different account or none is signed in' }),
});

export const uploadHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'it must be 1 to 200 printable ASCII characters')
    .optional()
    .meta({ description: `Identifies this upload for ${IDEMPOTENCY_DAYS} days: a retry with the same key returns the first result` }),
});

/** The header with the secret that a sender's page has made: it defines which pictures are its own. */
export const senderHeaders = z.object({
  'x-sender': z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'it must be 16 to 200 printable ASCII characters without spaces')
    .optional()
    .meta({ description: 'A random secret of the sender, the same for all requests: it groups the pictures, and allows removing them' }),
});

const notForSenders = z.never('senders can’t set it').optional();

/** The text fields of a picture that is sent through a request link. */
export const senderFields = z.object({
  name: emptyIsAbsent(line(MAX_NAME_LENGTH)).meta({ description: 'Shown instead of the file name' }),
  from: emptyIsAbsent(line(MAX_SENDER_LENGTH)).meta({ description: 'The name of the sender' }),
  slug: notForSenders,
  albums: notForSenders,
});
export type SenderFields = z.infer<typeof senderFields>;

/** The image as its owner sees it, and whether it already existed. */
export const uploaded = image.extend({ reused: z.boolean() });
export type Uploaded = z.infer<typeof uploaded>;

/** The response to an upload. A token that may only upload must not learn more about a picture than its bytes, which it has (decision 005). */
export const uploadResult = uploaded.partial().required({ key: true, links: true, reused: true }).meta({
  description: 'Only `key`, `links` and `reused` if the token can only upload and the picture already exists but wasn’t uploaded with it',
});
export type UploadResult = z.infer<typeof uploadResult>;

/** Why a file isn't accepted, whatever it is for. */
export const FILE_ERRORS = [
  'file_too_large',
  'quota_exceeded',
  'ext_not_allowed',
  'heic_unsupported',
  'rate_limited',
  'storage_full',
] as const;

export const upload = route({
  method: 'POST',
  path: '/upload',
  access: 'open',
  uploadScope: true,
  summary: 'Upload one picture',
  multipart: true,
  files: { poster: 'For a video: a picture that stands for it, from which its thumbnails are made; other files ignore it' },
  query: expectedUser,
  headers: uploadHeaders,
  body: uploadFields,
  data: uploadResult,
  errors: [
    'damaged_image',
    'image_too_large',
    'video_too_long',
    'expires_over_group',
    'max_views_over_group',
    'album_not_found',
    'slug_taken',
    'policy_not_allowed',
    'unauthorized',
    'guest_disabled',
    'cross_site',
    'idempotency_conflict',
    'replaced',
    'deleted',
    ...FILE_ERRORS,
  ],
});

export const replaceFile = route({
  method: 'PUT',
  path: '/images/:key/file',
  access: 'user',
  summary: 'Replace the file of a picture; its links and settings stay the same, and the previous version moves to the trash',
  multipart: true,
  files: { poster: 'For a video: a picture that stands for it' },
  params: z.object({ key: imageKey }),
  headers: uploadHeaders,
  body: z.object({}),
  data: uploaded,
  errors: [
    'damaged_image',
    'image_too_large',
    'video_too_long',
    'policy_not_allowed',
    'cross_site',
    'not_found',
    'idempotency_conflict',
    'replaced',
    'deleted',
    'expired',
    ...FILE_ERRORS,
  ],
});

export const setPoster = route({
  method: 'PUT',
  path: '/images/:key/poster',
  access: 'user',
  summary: 'Set the poster of a video: the picture in `file`, from which its thumbnails are made',
  multipart: true,
  params: z.object({ key: imageKey }),
  body: z.object({}),
  data: image,
  errors: ['damaged_image', 'image_too_large', 'cross_site', 'not_found', 'expired', ...FILE_ERRORS],
});

export const uploadUrl = route({
  method: 'POST',
  path: '/upload/url',
  access: 'user',
  uploadScope: true,
  summary: 'Upload one picture by URL',
  query: expectedUser,
  headers: uploadHeaders,
  body: z.object({
    url: typed(2048, 1).meta({ description: 'http or https, on the public internet' }),
    visibility: visibility.optional(),
    expires_in: expiresIn.optional(),
    expires_at: expiresAt.optional(),
    max_views: z.int().min(0).max(MAX_MAX_VIEWS).optional(),
    access_password: asSent(1024).optional(),
    album_id: anyAlbum.optional(),
    albums: z.array(anyAlbum).max(MAX_ALBUMS_AT_ONCE).optional(),
    slug: slug.optional(),
    slug_or: slugOr.optional(),
    convert: conversion.optional(),
    policy_id: anyPolicy.optional(),
    name: line(MAX_NAME_LENGTH).optional(),
    ...newDescriptions.partial().shape,
    taken_at: takenAt.optional(),
    tags: tagList.optional(),
  }),
  data: uploadResult,
  errors: [...upload.errors.filter((code) => code !== 'guest_disabled'), 'url_not_allowed', 'url_unreachable'],
});
