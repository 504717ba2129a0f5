import { z } from 'zod';
import { MAX_BATCH } from '#api/constants.ts';
import { count, imageKey, page, pageQuery, route, typed } from '#api/contract.ts';
import { batchResults } from '#api/images/changes.ts';
import { image } from '#api/images/images.ts';
import { viewDays, viewReport } from '#api/images/views.ts';

/** An image of any user, with its uploader but without what only the uploader sees: the deletion link, and all albums. */
export const adminImage = image.omit({ albums: true }).extend({
  owner: z.object({ id: z.int(), username: z.string() }).nullable().meta({ description: 'Null: a guest' }),
  uploader_address: z.string(),
});
export type AdminImage = z.infer<typeof adminImage>;

export const listAllImages = route({
  method: 'GET',
  path: '/admin/images',
  access: 'admin',
  summary: 'List the pictures of all users, newest first',
  query: pageQuery.extend({
    q: typed(200).optional().meta({ description: 'Part of a name, a key, or a link' }),
    user_id: z.coerce.number().int().min(1).optional(),
    guests: z.enum(['true']).optional().meta({ description: 'Only guests’ pictures' }),
    visibility: z.enum(['public', 'private']).optional(),
    state: z.enum(['live', 'trash']).default('live'),
  }),
  data: page(adminImage),
});

export const purgeImages = route({
  method: 'POST',
  path: '/admin/images/purge',
  access: 'admin',
  summary: 'Delete pictures of any user permanently',
  body: z.object({ keys: z.array(imageKey).min(1).max(MAX_BATCH) }),
  data: batchResults,
});

export const getAllViews = route({
  method: 'GET',
  path: '/admin/views',
  access: 'admin',
  summary: 'Get the most viewed pictures of all users and their referring hosts',
  query: viewDays,
  data: z.object({ ...viewReport, images: z.array(z.object({ image: adminImage, views: count })) }),
});
