import { z } from 'zod';
import { MAX_BATCH } from './constants.ts';
import { count, imageKey, instant, page, pageQuery, route } from './contract.ts';
import { batchResults } from './image-changes.ts';
import { image } from './images.ts';

const keys = z.object({ keys: z.array(imageKey).min(1).max(MAX_BATCH) });

export const listTrash = route({
  method: 'GET',
  path: '/trash',
  access: 'user',
  summary: "What is in the caller's trash, latest first",
  query: pageQuery,
  data: page(image.extend({ purge_at: instant.meta({ description: 'When it goes for good' }) })),
});

export const trashThumbnail = route({
  method: 'GET',
  path: '/trash/:key/thumbnail',
  access: 'user',
  summary: 'A small view of a picture in the trash, where its links no longer work',
  params: z.object({ key: imageKey }),
  binary: 'image/jpeg',
  errors: ['not_found'],
});

export const restoreTrash = route({
  method: 'POST',
  path: '/trash/restore',
  access: 'user',
  summary: 'Take pictures out of the trash; their links work again',
  body: keys,
  data: batchResults,
});

export const purgeTrash = route({
  method: 'POST',
  path: '/trash/purge',
  access: 'user',
  summary: 'Delete pictures in the trash for good',
  body: keys,
  data: batchResults,
});

export const emptyTrash = route({
  method: 'POST',
  path: '/trash/empty',
  access: 'user',
  summary: 'Delete everything in the trash for good',
  data: z.object({ purged: count }),
});
