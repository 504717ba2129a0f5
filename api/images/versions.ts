import { z } from 'zod';
import { imageKey, route } from '#api/contract.ts';
import { image } from './images.ts';
import { trashed } from './trash.ts';

export const listVersions = route({
  method: 'GET',
  path: '/images/:key/versions',
  access: 'user',
  summary: 'List the previous versions of a picture that are still in the trash, latest first; `deleted_at` is when each was replaced',
  params: z.object({ key: imageKey }),
  data: z.object({ items: z.array(trashed) }),
  errors: ['not_found'],
});

export const restoreVersion = route({
  method: 'POST',
  path: '/images/:key/versions/:version/restore',
  access: 'user',
  summary:
    'Exchange the file of a picture for a previous version’s; links and settings stay the same, and the replaced file becomes a version',
  params: z.object({ key: imageKey, version: imageKey.meta({ description: 'Key of the version' }) }),
  data: image,
  errors: ['not_found', 'expired'],
});
