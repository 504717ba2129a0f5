import { z } from 'zod';
import { MAX_BATCH } from '#api/constants.ts';
import { count, imageKey, instant, page, pageQuery, route } from '#api/contract.ts';
import { batchResults, expiresAgainIn } from './changes.ts';
import { image } from './images.ts';

const keys = z.object({ keys: z.array(imageKey).min(1).max(MAX_BATCH) });

const trashed = image.extend({
  reason: z
    .enum(['deleted', 'expired', 'replaced'])
    .meta({ description: 'Whether its owner deleted it, it expired, or it is the previous version of a replaced picture' }),
  purge_at: instant.meta({ description: 'When it will be deleted permanently' }),
});

export const listTrash = route({
  method: 'GET',
  path: '/trash',
  access: 'user',
  summary: "List the caller's trash, latest first",
  query: pageQuery,
  data: page(trashed),
});

export const trashThumbnail = route({
  method: 'GET',
  path: '/trash/:key/thumbnail',
  access: 'user',
  summary: 'Get a thumbnail of a picture in the trash',
  params: z.object({ key: imageKey }),
  binary: 'image/jpeg',
  errors: ['not_found'],
});

export const restoreTrash = route({
  method: 'POST',
  path: '/trash/restore',
  access: 'user',
  summary: 'Restore pictures from the trash; their links work again, and expired ones get a new expiry or none',
  body: keys.extend({ expires_in: expiresAgainIn }),
  data: batchResults,
  errors: ['expires_over_group'],
});

export const purgeTrash = route({
  method: 'POST',
  path: '/trash/purge',
  access: 'user',
  summary: 'Delete pictures in the trash permanently',
  body: keys,
  data: batchResults,
});

export const emptyTrash = route({
  method: 'POST',
  path: '/trash/empty',
  access: 'user',
  summary: 'Empty the trash permanently',
  data: z.object({ purged: count }),
});
