import { z } from 'zod';
import { MAX_BATCH, MAX_EXPIRES_IN, MAX_MAX_VIEWS, MAX_TAG_LENGTH, MAX_TAGS } from './constants.ts';
import { albumId, imageKey, route } from './contract.ts';
import { image } from './images.ts';
import { visibility } from './upload.ts';

const tags = z.array(z.string().trim().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAGS);

export const updateImage = route({
  method: 'PATCH',
  path: '/images/:key',
  access: 'user',
  summary: 'Change a picture; absent fields stay unchanged',
  params: z.object({ key: imageKey }),
  body: z.object({
    name: z.string().trim().min(1).max(1024).optional(),
    visibility: visibility.optional(),
    album_id: albumId.nullable().optional().meta({ description: 'Null removes it from its album' }),
    expires_in: z.int().min(0).max(MAX_EXPIRES_IN).nullable().optional().meta({ description: 'Seconds from now; 0 or null: permanent' }),
    max_views: z.int().min(0).max(MAX_MAX_VIEWS).nullable().optional().meta({ description: '0 or null: unlimited' }),
    access_password: z.string().min(1).max(1024).nullable().optional().meta({ description: 'Null removes it' }),
    tags: tags.optional(),
    favourite: z.boolean().optional(),
  }),
  data: image,
  errors: ['not_found', 'album_not_found', 'expires_over_group', 'max_views_over_group', 'expired'],
});

const keys = z.array(imageKey).min(1).max(MAX_BATCH);

/** The result for one image of a batch. */
const batchResult = z.object({
  key: imageKey,
  ok: z.boolean(),
  code: z.enum(['not_found', 'expired', 'invalid_request']).optional().meta({ description: 'Why it failed' }),
});
export type BatchResult = z.infer<typeof batchResult>;

/** One result per distinct key, in the order given. */
export const batchResults = z.object({ results: z.array(batchResult) });

export const batchImages = route({
  method: 'POST',
  path: '/images/batch',
  access: 'user',
  summary: 'Change up to 500 pictures in one commit; each key has its own result',
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('trash'), keys }),
    z.object({ action: z.literal('restore'), keys }),
    z.object({ action: z.literal('purge'), keys }),
    z.object({ action: z.literal('move'), keys, album_id: albumId.nullable() }),
    z.object({ action: z.literal('tag'), keys, tags, mode: z.enum(['add', 'remove', 'set']).default('add') }),
    z.object({ action: z.literal('visibility'), keys, visibility }),
  ]),
  data: batchResults,
  errors: ['album_not_found'],
});
