import { z } from 'zod';
import { THUMBNAIL_WIDTHS } from '#api/constants.ts';
import { count, imageKey, instant, page, pageQuery, route } from '#api/contract.ts';
import { batchResults, restoring, target, undo } from './changes.ts';
import { image } from './images.ts';

const outcome = batchResults.extend({
  processed: count.meta({ description: 'Number of pictures changed' }),
  failed: count.meta({ description: 'Number of pictures that couldn’t be changed. `results` is empty for `query`' }),
  left_out: count.optional().meta({ description: 'If there are any: how many of these were left out because their senders removed them' }),
  versions_left_out: count
    .optional()
    .meta({ description: 'If there are any: how many of these were left out as previous versions of pictures that still exist' }),
});

/** An image in the trash. */
export const trashed = image.extend({
  reason: z.enum(['deleted', 'expired', 'replaced', 'removed']).meta({
    description:
      'Whether its owner deleted it, it expired, it is the previous version of a replaced picture, or the sender of a request link removed it',
  }),
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

export const listTrashBatches = route({
  method: 'GET',
  path: '/trash/batches',
  access: 'user',
  summary: 'List the latest deletions of several pictures at once, each of which `POST /images/batch` restores as a whole by its `undo`',
  data: z.object({
    items: z.array(
      z.object({ undo, count: count.meta({ description: 'Number of its pictures that are in the trash' }), deleted_at: instant }),
    ),
  }),
});

export const trashThumbnail = route({
  method: 'GET',
  path: '/trash/:key/thumbnail',
  access: 'user',
  summary: 'Get a thumbnail of a picture in the trash',
  params: z.object({ key: imageKey }),
  query: z.object({
    w: z.literal(THUMBNAIL_WIDTHS.map(String)).default('400').meta({ description: 'Length of the longer side in pixels' }),
  }),
  binary: 'image/jpeg',
  errors: ['not_found'],
});

export const restoreTrash = route({
  method: 'POST',
  path: '/trash/restore',
  access: 'user',
  summary:
    'Restore pictures from the trash; their links work again, expired ones get a new expiry or none, and those that their senders removed and previous versions are left out unless included',
  body: z.object({ ...target, ...restoring }),
  data: outcome,
  errors: ['expires_over_group'],
});

export const purgeTrash = route({
  method: 'POST',
  path: '/trash/purge',
  access: 'user',
  summary: 'Delete pictures in the trash permanently',
  body: z.object(target),
  data: outcome,
});

export const emptyTrash = route({
  method: 'POST',
  path: '/trash/empty',
  access: 'user',
  summary: 'Empty the trash permanently',
  data: z.object({ purged: count }),
});
