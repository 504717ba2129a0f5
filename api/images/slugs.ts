import { z } from 'zod';
import { asSent, imageKey, route } from '#api/contract.ts';

export const checkSlug = route({
  method: 'GET',
  path: '/slugs/:slug',
  access: 'user',
  summary: 'Check whether a custom address is available',
  params: z.object({ slug: asSent(200) }),
  query: z.object({ key: imageKey.optional().meta({ description: 'A picture that may already have this address' }) }),
  data: z.object({
    slug: z.string().meta({ description: 'In lower case, as it would be stored' }),
    problem: z
      .enum(['malformed', 'like_key', 'reserved', 'taken'])
      .nullable()
      .meta({ description: 'Null: it can be used. `taken`: by another picture, or by one of another user until less than 30 days ago' }),
  }),
});
