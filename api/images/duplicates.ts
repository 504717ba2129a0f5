import { z } from 'zod';
import { count, imageKey, nothing, page, pageQuery, route } from '#api/contract.ts';
import { batchOutcome } from './changes.ts';
import { image } from './images.ts';

const group = z.object({
  kind: z.enum(['exact', 'alike']).meta({ description: '`exact` if all files are the same, byte for byte' }),
  images: z.array(image).meta({ description: 'Up to 50, oldest upload first' }),
});
export type DuplicateGroup = z.infer<typeof group>;

export const listDuplicates = route({
  method: 'GET',
  path: '/images/duplicates',
  access: 'user',
  summary: "List groups of the caller's pictures that are stored twice or look alike, the group with the latest upload first",
  query: pageQuery,
  data: page(group).extend({
    count: count.meta({ description: 'Number of groups' }),
    waiting: count.meta({ description: 'Number of pictures that haven’t been compared yet, which takes up to a minute after an upload' }),
  }),
});

export const reviewDuplicates = route({
  method: 'POST',
  path: '/images/duplicates/review',
  access: 'user',
  summary: 'Remember that alike pictures are different, so that they’re no longer listed as duplicates',
  body: z.object({
    keys: z.array(imageKey).min(2).max(50),
    different: z.boolean().default(true).meta({ description: '`false` lists them again' }),
  }),
  data: nothing,
  errors: ['not_found'],
});

export const keepDuplicate = route({
  method: 'POST',
  path: '/images/duplicates/keep',
  access: 'user',
  summary: 'Keep one of several duplicates, and move the others to the trash',
  body: z.object({
    key: imageKey.meta({ description: 'The picture to keep' }),
    delete: z.array(imageKey).min(1).max(50).meta({ description: 'The pictures to move to the trash' }),
    take_places: z
      .boolean()
      .default(true)
      .meta({ description: 'Puts the kept picture into the albums of the others, as their cover where one of them was' }),
  }),
  data: batchOutcome,
  errors: ['not_found'],
});
