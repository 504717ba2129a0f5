import { z } from 'zod';
import { albumId, count, imageKey, route } from '#api/contract.ts';
import { asOf, imageFilters, keyList } from './images.ts';
import { viewSource } from './view-sources.ts';

export const downloadImages = route({
  method: 'GET',
  path: '/images/download',
  access: 'user',
  summary: "Download a zip of the caller's pictures: those in `keys`, a whole album, or all that match the filters",
  query: imageFilters.extend({
    keys: keyList.optional().meta({ description: 'Up to 500 comma-separated keys' }),
    album_id: albumId.optional(),
    as_of: asOf.optional(),
    except_keys: keyList.optional().meta({ description: 'Pictures to leave out: up to 500 comma-separated keys' }),
  }),
  binary: 'application/zip',
  errors: ['not_found'],
});

export const exportUser = route({
  method: 'GET',
  path: '/user/export',
  access: 'user',
  summary: "Download a zip of all the caller's data: pictures, including the trash, and metadata.json",
  binary: 'application/zip',
});

export const imageViews = route({
  method: 'GET',
  path: '/images/:key/views',
  access: 'user',
  summary: 'Get the views of a picture by day (UTC), oldest first, and their referring hosts',
  params: z.object({ key: imageKey }),
  query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
  data: z.object({
    total: count,
    days: z.array(z.object({ date: z.iso.date(), views: count })),
    sources: z.array(viewSource).meta({ description: 'Referring hosts of these views, most views first' }),
  }),
  errors: ['not_found'],
});
