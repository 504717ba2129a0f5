import { z } from 'zod';
import { MAX_BATCH, MAX_MAX_VIEWS, MAX_NAME_LENGTH } from '#api/constants.ts';
import { albumId, asSent, count, imageKey, line, route } from '#api/contract.ts';
import { newDescriptions } from './descriptions.ts';
import { expiresAt, expiresIn } from './expiry.ts';
import { asOf, image, imageFilters, takenAt } from './images.ts';
import { albumList, tagList, visibility } from './upload.ts';

export const updateImage = route({
  method: 'PATCH',
  path: '/images/:key',
  access: 'user',
  summary: 'Change a picture; absent fields stay unchanged',
  params: z.object({ key: imageKey }),
  body: z.object({
    name: line(MAX_NAME_LENGTH, 1).optional(),
    visibility: visibility.optional(),
    album_id: albumId
      .nullable()
      .optional()
      .meta({ description: 'Replaces the first of its albums; null removes it from all. Not together with `albums`' }),
    albums: albumList.optional().meta({ description: 'All its albums. Not together with `album_id`' }),
    expires_in: expiresIn
      .nullable()
      .optional()
      .meta({ description: 'Seconds from now until the links respond with 410 and the picture moves to the trash; 0 or null: permanent' }),
    expires_at: expiresAt.optional(),
    max_views: z.int().min(0).max(MAX_MAX_VIEWS).nullable().optional().meta({ description: '0 or null: unlimited' }),
    access_password: asSent(1024, 1).nullable().optional().meta({ description: 'Null removes it' }),
    title: newDescriptions.shape.title
      .nullable()
      .optional()
      .meta({ description: 'Empty or null removes it; the same applies to `caption` and `alt`' }),
    caption: newDescriptions.shape.caption.nullable().optional(),
    alt: newDescriptions.shape.alt.nullable().optional(),
    tags: tagList.optional(),
    slug: asSent(200)
      .nullable()
      .optional()
      .meta({
        description:
          'A custom address: 2 to 63 letters, digits and hyphens; null or empty removes it. It can’t be exactly 12 letters and digits',
        examples: ['release-notes'],
      }),
    taken_at: takenAt.optional(),
    favourite: z.boolean().optional(),
  }),
  data: image,
  errors: ['not_found', 'album_not_found', 'expires_over_group', 'max_views_over_group', 'expired', 'slug_taken'],
});

const keys = z.array(imageKey).min(1).max(MAX_BATCH);

/** Unknown filters are errors: without them, a batch would change too many pictures. */
const batchQuery = z
  .strictObject({
    ...imageFilters.shape,
    favourite: z.boolean().optional(),
    min_size: count.optional(),
    max_size: count.optional(),
    as_of: asOf.optional(),
  })
  .meta({ description: 'Instead of `keys`: all pictures that match these filters' });

/** The images that a batch changes. */
export const target = {
  keys: keys.optional(),
  query: batchQuery.optional(),
  except_keys: z
    .array(imageKey)
    .max(MAX_BATCH)
    .optional()
    .meta({ description: 'Pictures to leave unchanged even though they match `query`' }),
};

export const undo = z
  .string()
  .regex(/^[0-9A-Za-z]{22}$/, 'it isn’t an `undo` that a batch returned')
  .meta({ description: 'The `undo` that a batch returned' });

/** How to restore images: the expiry of those that had expired, and whether to restore what senders removed, and previous versions. */
export const restoring = {
  expires_in: expiresIn.optional().meta({
    description: 'Seconds from now, for pictures that have expired; 0 or absent: permanent, where the group allows it',
  }),
  expires_at: expiresAt.optional(),
  include_removed: z.boolean().optional().meta({ description: 'Also restore pictures that their senders removed' }),
  include_versions: z.boolean().optional().meta({
    description:
      'Also put previous versions back behind the links of their pictures: the latest of each picture, whose present file becomes a version. Others stay in the trash',
  }),
};

/** The result for one image of a batch. */
const batchResult = z.object({
  key: imageKey,
  ok: z.boolean(),
  code: z
    .enum(['not_found', 'expired', 'invalid_request', 'removed_by_sender', 'previous_version'])
    .optional()
    .meta({ description: 'Why it failed' }),
});
export type BatchResult = z.infer<typeof batchResult>;

/** One result per distinct key, in the order given. */
export const batchResults = z.object({ results: z.array(batchResult) });

/** What a batch did. */
export const batchOutcome = batchResults.extend({
  processed: count.meta({ description: 'Number of pictures changed' }),
  failed: count.meta({
    description:
      'Number of pictures that couldn’t be changed, including all that are left after an error. `results` is empty for `query` and `undo`',
  }),
  undo: undo.optional(),
});

export const batchImages = route({
  method: 'POST',
  path: '/images/batch',
  access: 'user',
  summary: 'Change up to 500 pictures by `keys` (in one commit, with a result for each) or any number by `query` (in several commits)',
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('trash'),
      ...target,
      continues: undo.optional().meta({ description: 'The `undo` of an earlier request: both are undone and restored as one' }),
    }),
    z.object({ action: z.literal('restore'), keys: keys.optional(), undo: undo.optional(), ...restoring }),
    z
      .object({ action: z.literal('undo'), undo })
      .meta({ description: 'Undoes a batch, within a day; pictures that have been changed since stay as they are' }),
    z.object({ action: z.literal('purge'), ...target }),
    z.object({
      action: z.literal('move'),
      ...target,
      album_id: albumId.nullable().meta({ description: 'Replaces the first album of each picture; null removes them from all' }),
    }),
    z.object({ action: z.literal('tag'), ...target, tags: tagList, mode: z.enum(['add', 'remove', 'set']).default('add') }),
    z.object({ action: z.literal('visibility'), ...target, visibility }),
    z.object({ action: z.literal('favourite'), ...target, favourite: z.boolean() }),
    z.object({
      action: z.literal('expiry'),
      ...target,
      expires_in: expiresIn.optional().meta({ description: 'Seconds from now; 0: permanent' }),
      expires_at: expiresAt.optional(),
    }),
    z.object({
      action: z.literal('date'),
      ...target,
      taken_at: takenAt.optional(),
      shift_seconds: z
        .int()
        .optional()
        .meta({
          description:
            'Instead of `taken_at`: seconds that are added to when each picture was taken, negative for earlier; if one of them would leave the years that `taken_at` can have, none is changed',
          examples: [-3600],
        }),
    }),
  ]),
  data: batchOutcome,
  errors: ['album_not_found', 'expires_over_group', 'not_found'],
});
