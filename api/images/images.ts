import { z } from 'zod';
import { MAX_BATCH, MAX_TAG_LENGTH } from '#api/constants.ts';
import { albumId, asSent, count, cursor, imageKey, instant, line, nothing, page, pageQuery, route, typed } from '#api/contract.ts';
import { anyOf } from '#api/formats.ts';
import { descriptions } from './descriptions.ts';
import { canBeTaken, MIN_TAKEN_YEAR } from './taken-at.ts';

export const IMAGE_SORTS = ['uploaded_desc', 'uploaded_asc', 'taken_desc', 'taken_asc', 'name_asc', 'size_desc'] as const;
/** Every order of a list: those that suit all pictures, and those of the trash and of an album. */
export const LIST_SORTS = [...IMAGE_SORTS, 'deleted_desc', 'album_order'] as const;

/** An instant with any offset, or a day. */
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** When a picture was taken, as far as clients may say. */
export const takenAt = z.iso
  .datetime({ offset: true })
  .refine((text) => canBeTaken(Date.parse(text)), { error: `it must be in a year from ${MIN_TAKEN_YEAR} to the next one` })
  .meta({
    description: `When the picture was taken, with a time zone; the year must be from ${MIN_TAKEN_YEAR} to the next one`,
    examples: ['2019-05-14T18:30:00+02:00'],
  });

/** Ready-made absolute links of one image. */
export const imageLinks = z.object({
  url: z.string().meta({ description: 'The direct link' }),
  markdown: z.string(),
  html: z.string(),
  bbcode: z.string(),
  thumbnail_url: z.string(),
  share_url: z.string(),
  delete_url: z
    .string()
    .optional()
    .meta({ description: 'A page that asks for confirmation before deleting; only in responses to the uploader' }),
});
export type ImageLinks = z.infer<typeof imageLinks>;

export const IMAGE_KINDS = ['picture', 'video'] as const;
/** What distinguishes a video. */
export const videoFields = z.object({
  kind: z.enum(IMAGE_KINDS),
  duration: z.number().min(0).nullable().meta({ description: 'Of a video: seconds, with fractions; null: a picture' }),
  has_audio: z.boolean().meta({ description: 'Whether it is a video with sound' }),
});

/** An image as its owner sees it. `size`, `mime`, `ext` and `sha256` describe the bytes behind the direct link. */
export const image = z.object({
  key: imageKey,
  slug: z.string().nullable().meta({ description: 'The custom address; works in links instead of the key' }),
  name: z.string(),
  ...descriptions.shape,
  ext: z.string(),
  mime: z.string(),
  size: count,
  width: count,
  height: count,
  ...videoFields.shape,
  has_poster: z.boolean().meta({ description: 'Whether it is a video with a poster, from which its thumbnails are made' }),
  sha256: z.string(),
  visibility: z.enum(['public', 'private']),
  album_id: albumId.nullable().meta({ description: 'The first of its albums' }),
  albums: z.array(albumId).meta({ description: 'All its albums, the first one first' }),
  expires_at: instant.nullable(),
  max_views: count,
  views: count.meta({ description: 'Views by others since the upload' }),
  views_left: count.nullable().meta({ description: 'Remaining views, counted from when the limit was set; null: unlimited' }),
  has_password: z.boolean(),
  favourite: z.boolean(),
  tags: z.array(z.string()),
  taken_at: instant,
  created_at: instant,
  deleted_at: instant.nullable(),
  thumbhash: z.string().nullable().meta({ description: '[ThumbHash](https://evanw.github.io/thumbhash/) as Base64; null until generated' }),
  animated: z.boolean().meta({ description: `Whether it is an animation: a ${anyOf('animated')} of several frames` }),
  replaced_at: instant.nullable().meta({ description: 'When its file was last replaced' }),
  version_of: imageKey.nullable().meta({ description: 'If this is the previous version of a replaced picture: the key of that picture' }),
  matched_text: z.boolean().optional().meta({ description: 'In a search: whether the text in the picture contains what was searched for' }),
  text_snippet: z.string().optional().meta({ description: 'If so: the line of text that contains it' }),
  sent_by: z.string().optional().meta({ description: 'If it was sent through a request link: the name of the sender, which may be empty' }),
  removed_by_sender: z.boolean().optional().meta({ description: 'In the trash: whether its sender removed it' }),
  links: imageLinks,
});
export type Image = z.infer<typeof image>;

/** What a list of images can be narrowed by, as query parameters. */
export const imageFilters = z.object({
  q: typed(300)
    .optional()
    .meta({
      description:
        'Parts of words in the name, title, caption, alternative text, tags, the name of the album or the text in the picture (all must match); a tag alone (`#work`, `tag:work`, `tag:"two words"`), if there is such a tag; a date of the kind that the list is sorted by, otherwise of its upload, in UTC (`2007`, `May 2019`, `2019-05-14`, `2019年5月`, `November` of any year, `today`, `last week`, `this month`); a file type (`png`, `video`, `type:video`); a size (`> 5 MB`, `< 200 KB`); or the link or key of a picture. If nothing contains the words, words of five or more letters also match those with one letter wrong, missing, added or swapped with the next',
      examples: ['harbour May 2019 > 5 MB'],
    }),
  album_id: albumId.optional(),
  visibility: z.enum(['public', 'private']).optional(),
  type: z
    .string()
    .regex(/^[a-z0-9]{1,5}$/, 'it must be a file extension, such as png')
    .optional()
    .meta({ description: 'Extension of the direct link, or `video` for all videos' }),
  favourite: z.stringbool().optional(),
  tag: line(MAX_TAG_LENGTH).optional(),
  taken: z
    .string()
    .regex(/^\d{4}(-(0[1-9]|1[0-2]))?$/, 'it must be a year or a month, such as 2019-05')
    .optional()
    .meta({ description: 'Year or month in which it was taken (UTC)', examples: ['2019-05'] }),
  min_size: z.coerce.number().int().min(0).optional().meta({ description: 'Bytes' }),
  max_size: z.coerce.number().int().min(0).optional().meta({ description: 'Bytes' }),
  date: z.enum(['taken', 'uploaded', 'deleted']).optional().meta({
    description: 'The date that `from`, `to` and dates in `q` mean; default: the date the list is sorted by, otherwise the upload date',
  }),
  from: moment.optional().meta({ description: 'From this instant or day (UTC)' }),
  to: moment.optional().meta({ description: 'Before this instant, or until the end of this day (UTC)' }),
});

/** A moment in the order of uploads. */
export const asOf = asSent(100).meta({ description: 'The `as_of` that a count returned: leaves out pictures uploaded after it' });

export const keyList = asSent()
  .transform((text) => text.split(','))
  .pipe(z.array(imageKey).min(1).max(MAX_BATCH));

const trash = z.stringbool().optional().meta({ description: 'The trash, with what has expired, instead of the other pictures' });

export const listImages = route({
  method: 'GET',
  path: '/images',
  access: 'user',
  summary:
    "List the caller's pictures, by default newest first; expired pictures and the trash are left out, unless `trash` asks for them alone",
  query: pageQuery.extend({
    until: cursor.optional().meta({ description: 'Ends the list at this cursor, such as one from `GET /images/timeline`' }),
    sort: z
      .enum(LIST_SORTS)
      .default('uploaded_desc')
      .meta({ description: '`deleted_desc` lists the trash, as `trash` does; `album_order` is the order of the album in `album_id`' }),
    ...imageFilters.shape,
    keys: keyList.optional().meta({ description: 'Only these pictures, as far as they are in the list: up to 500 comma-separated keys' }),
    trash,
  }),
  data: page(image),
});

export const countImages = route({
  method: 'GET',
  path: '/images/count',
  access: 'user',
  summary: 'Count the pictures that match these filters, before a batch changes them all',
  query: imageFilters.extend({
    trash,
    by: z
      .enum(['album', 'first_album'])
      .optional()
      .meta({ description: 'Also counts the pictures of each album, or only those whose first album it is' }),
  }),
  data: z.object({
    count,
    as_of: asOf,
    counted_at: instant.meta({ description: 'When they were counted' }),
    expired: count.optional().meta({ description: 'With `trash`: how many of them have expired' }),
    albums: z
      .array(z.object({ id: albumId, count }))
      .optional()
      .meta({ description: 'With `by`' }),
  }),
});

export const listTags = route({
  method: 'GET',
  path: '/tags',
  access: 'user',
  summary: "List the tags of the caller's pictures, in alphabetical order",
  query: pageQuery,
  data: page(z.object({ tag: z.string(), image_count: count })),
});

const byKey = z.object({ key: imageKey });

export const getImage = route({
  method: 'GET',
  path: '/images/:key',
  access: 'user',
  summary: 'Get one picture',
  params: byKey,
  data: image,
  errors: ['not_found'],
});

export const trashImage = route({
  method: 'DELETE',
  path: '/images/:key',
  access: 'user',
  summary: 'Move a picture to the trash',
  params: byKey,
  data: nothing,
  errors: ['not_found'],
});
